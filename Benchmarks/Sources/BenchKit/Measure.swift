// SPDX-License-Identifier: MIT

/// The measures in the order in which they run.
public enum Measure: String, CaseIterable, Sendable, Codable {
    case roundtrip, sweep, frontier, load, goals, scale, coldstart, tools, input, duplex, audiothread, mix
    case throughput

    /// Whether the measure needs a sound server.
    public var needsServer: Bool { self != .throughput }
}

/// The number and length of the runs.
public enum Effort: Sendable { case quick, normal, full }
