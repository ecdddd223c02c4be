/// The state and the counts of the current or the last run, for the client.
struct OutputStatus {
    private(set) var isRunning = false
    var failure: QueueError?
    var converterError: QueueError?
    var damagedPackets = 0
    var underruns = 0

    /// - Returns: Whether that is a change.
    mutating func setRunning(_ isRunning: Bool) -> Bool {
        defer { self.isRunning = isRunning }
        return self.isRunning != isRunning
    }
}
