// SPDX-License-Identifier: MIT

import AQDevices

/// The starts and stops of a unit's streams, and their answers.
///
/// A value without effects of its own, which ``IOStreams`` protects by a lock.
struct StreamStarts {
    private(set) var isStarted = false
    /// The directions whose start a call waits for.
    private(set) var waitsForOutput = false
    private(set) var waitsForInput = false
    /// The reason why the last start failed, or ended by itself.
    private(set) var failure: DeviceError?
    /// The numbers of stops that the streams have not answered. Events before an answer belong to an earlier start. The
    /// device's thread judges slices by the tickets of stops, without a lock.
    private(set) var outputStops = 0
    private(set) var inputStops = 0
    var isClosed = false

    /// Begins a start; returns false if there is one already.
    ///
    /// - Parameter isAwaited: Whether the caller waits for the streams.
    mutating func start(hasOutput: Bool, hasInput: Bool, isAwaited: Bool) -> Bool {
        if isStarted { return false }
        isStarted = true
        (waitsForOutput, waitsForInput) = (isAwaited && hasOutput, isAwaited && hasInput)
        failure = nil
        return true
    }

    /// Whether the caller of a start must wait.
    var isWaiting: Bool { failure == nil && !isClosed && (waitsForOutput || waitsForInput) }

    /// Ends the wait of a start, so that later failures are reported.
    mutating func endWait() { (waitsForOutput, waitsForInput) = (false, false) }

    mutating func stop(hasOutput: Bool, hasInput: Bool) {
        isStarted = false
        endWait()
        if hasOutput { outputStops += 1 }
        if hasInput { inputStops += 1 }
    }

    /// Handles the answer of a stream to a start.
    mutating func started(isInput: Bool) {
        guard unansweredStops(isInput) == 0 else { return }
        if isInput { waitsForInput = false } else { waitsForOutput = false }
    }

    /// Handles the answer of a stream to a stop.
    mutating func stopped(isInput: Bool) { if isInput { inputStops -= 1 } else { outputStops -= 1 } }

    /// Handles a stream that has failed. Returns whether no call waits for it, so that the failure must be reported.
    mutating func failed(isInput: Bool, _ error: DeviceError) -> Bool {
        guard isStarted, failure == nil, unansweredStops(isInput) == 0 else { return false }
        failure = error
        return !waitsForOutput && !waitsForInput
    }

    private func unansweredStops(_ isInput: Bool) -> Int { isInput ? inputStops : outputStops }
}
