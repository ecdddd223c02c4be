// SPDX-License-Identifier: MIT

/// Requests for the stream's position (``PositionPolling``).
extension PulseStream {
    /// Requests the position now and several times soon, because it has changed. REAL-TIME.
    @_noLocks func pollClosely() {
        let streams = unsafe references.loop._withUnsafeGuaranteedRef { $0.streams }
        let hasPeriods = clockFit.followsPeriods
        if polling.beginClosely(at: loopTime, streams: streams, hasPeriods: hasPeriods) { requestTiming() }
        let next = polling.deadline
        unsafe references.loop._withUnsafeGuaranteedRef { $0.wakeUp(at: next) }
    }

    /// Makes another request, if one is due.
    func checkPolling(_ now: UInt64) {
        let isRunning = lifecycle.isRunning
        if polling.takeQuestion(at: now, isRunning: isRunning, hasPeriods: clockFit.followsPeriods) {
            requestTiming()
        }
        guard polling.takeSinkQuestion(at: now) else { return }
        askForSinkFacts()
        if isRunning { requestTiming() }
    }

    /// Requests one timing answer now. REAL-TIME.
    @_noLocks func requestTiming() {
        guard let stream else { return }
        polling.asked(at: loopTime)
        stream.askForTiming()
    }
}
