/// What can be measured, in the order in which it is.
public enum Measure: String, CaseIterable, Sendable, Codable {
    case roundtrip, sweep, frontier, load, goals, scale, coldstart, tools, input, duplex, audiothread
    case throughput

    /// Whether a sound server has a part in it.
    public var needsServer: Bool { self != .throughput }
}

/// How much is measured.
public enum Effort: Sendable { case quick, normal, full }
