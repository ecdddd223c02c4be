// SPDX-License-Identifier: MIT

/// The known properties of the source and its server, which determine the meaning of arrival times and latencies.
struct SourceKind {
    /// Whether the source is known to be a microphone or similar. Only then is its reported latency used.
    private(set) var isReal = false
    /// Whether the source is a sink's monitor, by its name or the server's description.
    private var isMonitor: Bool
    /// Whether the server is known to be PipeWire's.
    private(set) var isPipeWire = false

    /// - Parameter isMonitor: Whether the source's name is that of a monitor.
    init(isMonitor: Bool) { self.isMonitor = isMonitor }

    /// Whether a block arrives when its first frame is audible, as from a monitor of PulseAudio.
    ///
    /// PipeWire delivers a period together with the next period, and a fragment when it is complete. By then the last
    /// frame was audible, as if it came from a microphone.
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
