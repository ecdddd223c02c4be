/// What is known of the source and its server, which decides how arrivals and latencies are read.
struct SourceKind {
    /// Whether the source is known to be a microphone or the like: only its latency figure is of use.
    private(set) var isReal = false
    /// Whether the source is a sink's monitor, as its name or the server says.
    private var isMonitor: Bool
    /// Whether the server is known to be PipeWire's.
    private(set) var isPipeWire = false

    /// - Parameter isMonitor: What its name says.
    init(isMonitor: Bool) { self.isMonitor = isMonitor }

    /// Whether a monitor's block is there when its first frame is heard.
    ///
    /// PipeWire's server hands a period over with the next one, and a fragment when it is whole: the last frame has been
    /// heard then, as if it came from a microphone.
    var arrivesAhead: Bool { isMonitor && !isPipeWire }

    /// The server's stream is new, and its source not known.
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
