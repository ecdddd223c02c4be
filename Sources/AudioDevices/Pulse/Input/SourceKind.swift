/// The known properties of the source and its server, which decide how to interpret arrivals and latencies.
struct SourceKind {
    /// Whether the source is known to be a microphone or similar. Only then is its reported latency used.
    private(set) var isReal = false
    /// Whether the source is a sink's monitor, by its name or the server's description.
    private var isMonitor: Bool
    /// Whether the server is known to be PipeWire's.
    private(set) var isPipeWire = false

    /// - Parameter isMonitor: As indicated by its name.
    init(isMonitor: Bool) { self.isMonitor = isMonitor }

    /// Whether a monitor's block arrives when its first frame is audible.
    ///
    /// PipeWire delivers a period with the next one, and a fragment when it is complete. By then the last frame was
    /// audible, as if it came from a microphone.
    var arrivesAhead: Bool { isMonitor && !isPipeWire }

    /// Resets for a new server stream with an unknown source.
    mutating func restart(isPipeWire: Bool) {
        isReal = false
        self.isPipeWire = isPipeWire
    }

    mutating func serverIsPipeWire() { isPipeWire = true }

    mutating func describe(isMonitor: Bool) {
        isReal = !isMonitor
        self.isMonitor = isMonitor
    }
}
