/// The state and the counts of the current or the last run, for the client.
struct OutputStatus {
    private(set) var isRunning = false
    private(set) var failure: QueueError?
    private(set) var converterError: QueueError?
    private(set) var damagedPackets = 0
    private(set) var underruns = 0

    /// - Returns: Whether that is a change.
    mutating func setRunning(_ isRunning: Bool) -> Bool {
        defer { self.isRunning = isRunning }
        return self.isRunning != isRunning
    }

    mutating func setFailure(_ failure: QueueError?) { self.failure = failure }

    mutating func setConverterError(_ error: QueueError) { converterError = error }

    mutating func addDamagedPackets(_ packets: Int) { damagedPackets += packets }

    mutating func addUnderrun() { underruns += 1 }
}
