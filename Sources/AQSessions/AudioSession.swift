// SPDX-License-Identifier: MIT

package import AQDevices
import CAQRealTime

/// The audio session of the process: its settings, and the server's devices in the terms of a session.
///
/// Every published interface to sessions uses ``shared``, and so do I/O units for their buffers. The settings never
/// wait for the server. While there is an observer, a thread detects changes of the devices. No lock is held while an
/// observer is called. May be used from any thread.
package final class AudioSession: Sendable {
    /// The session of this process, over the user's server.
    package static let shared = AudioSession(hardware: ServerHardware())

    package typealias Observer = @Sendable (SessionEvent) -> Void

    private struct State {
        var settings = SessionSettings()
        var observers: [(number: UInt64, call: Observer)] = []
        var nextNumber: UInt64 = 1
        var devices = SessionWatchState()
        var hasThread = false
        /// Whether the thread has queried the devices.
        var hasBegun = false
        var isChanged = false
    }

    /// The poll interval if the server sends no events.
    private static let pollNanoseconds: UInt64 = 1_000_000_000
    /// The limit of waits if it does.
    private static let eventNanoseconds: UInt64 = 60_000_000_000
    /// The time after an event until the devices are queried: a server reports a replaced device as several changes.
    private static let settleNanoseconds: UInt64 = 50_000_000
    private static let longestBeginNanoseconds: UInt64 = 6_000_000_000

    private let hardware: any SessionHardware
    private let state = Monitor(State())

    package init(hardware: any SessionHardware) { self.hardware = hardware }

    // MARK: Settings

    package var settings: SessionSettings { state.withLock { $0.settings } }

    /// Changes the settings. If the category changes, or another preferred input changes the route, observers are
    /// notified of the changed route, on this thread.
    package func change<Result>(_ body: (inout SessionSettings) -> Result) -> Result {
        typealias Change = (Result, SessionEvent?, [(number: UInt64, call: Observer)])
        let (result, event, observers) = state.withLock { state -> Change in
            let before = state.settings
            let result = body(&state.settings)
            guard state.hasBegun else { return (result, nil, []) }
            let event = state.devices.changeOfSettings(from: before, to: state.settings)
            return (result, event, state.observers)
        }
        if let event {
            for observer in observers { observer.call(event) }
        }
        return result
    }

    // MARK: Devices

    /// The current devices, queried from the server, whose answer the call awaits.
    ///
    /// - Throws: ``DeviceError/Code/noServer``, ``DeviceError/Code/refused``.
    package func devices() throws(DeviceError) -> SessionDevices { try hardware.devices() }

    // MARK: Observers

    /// Adds an observer of later changes.
    ///
    /// - Parameter observer: Called on a thread of the library, or in ``change(_:)``; must not wait.
    /// - Returns: The observer's number; nil if the system cannot create a thread.
    package func addObserver(_ observer: @escaping Observer) -> UInt64? {
        let (number, mustStart) = state.withLock { state in
            let number = state.nextNumber
            state.nextNumber += 1
            state.observers.append((number, observer))
            defer { state.hasThread = true }
            return (number, !state.hasThread)
        }
        guard mustStart, DetachedThread.start(named: "aq session", { [self] in run() }) != 0 else {
            return number
        }
        state.withLock { state in
            state.hasThread = false
            state.observers.removeAll { $0.number == number }
        }
        return nil
    }

    /// Removes an observer. A call that is running completes.
    package func removeObserver(_ number: UInt64) {
        let removed = state.withLock { state in
            let removed = state.observers.filter { $0.number == number }
            state.observers.removeAll { $0.number == number }
            return removed
        }
        state.notifyAll()
        // Released outside the lock, because a release may run a client's code.
        withExtendedLifetime(removed) {}
    }

    /// Waits until the thread knows the devices with which it compares later ones, six seconds at most.
    package func awaitObservation() {
        _ = state.wait(until: aq_host_time() + Self.longestBeginNanoseconds) { $0.hasThread && !$0.hasBegun }
    }

    // MARK: The thread

    private func run() {
        let watch = hardware.watch { [weak self] in self?.somethingChanged() }
        let first = currentDevices()
        state.withLock { state in
            state.devices.begin(with: first)
            state.hasBegun = true
            // A call that began before interrupts the session now.
            if hardware.holdsAudio { state.isChanged = true }
        }
        state.notifyAll()
        while waitForChange(isWatching: watch != nil) {
            let (now, isHeld) = (currentDevices(), hardware.holdsAudio)
            let (events, observers) = state.withLock { state in
                (state.devices.take(now, isHeld: isHeld, for: state.settings), state.observers)
            }
            for event in events {
                for observer in observers where isObserving(observer.number) { observer.call(event) }
            }
        }
        withExtendedLifetime(watch) {}
    }

    /// Waits for a change, or for the time to poll.
    ///
    /// - Returns: False if there is no observer; the thread then ends.
    private func waitForChange(isWatching: Bool) -> Bool {
        let limit = aq_host_time() + (isWatching ? Self.eventNanoseconds : Self.pollNanoseconds)
        _ = state.wait(until: limit) { !$0.isChanged && !$0.observers.isEmpty }
        if isWatching {
            _ = state.wait(until: aq_host_time() + Self.settleNanoseconds) { !$0.observers.isEmpty }
        }
        return state.withLock { state in
            state.isChanged = false
            guard state.observers.isEmpty else { return true }
            (state.hasThread, state.hasBegun) = (false, false)
            return false
        }
    }

    private func somethingChanged() {
        state.withLock { $0.isChanged = true }
        state.notifyAll()
    }

    private func isObserving(_ number: UInt64) -> Bool {
        state.withLock { state in state.observers.contains { $0.number == number } }
    }

    /// The current devices; nil if no server answers.
    private func currentDevices() -> SessionDevices? {
        do throws(DeviceError) { return try hardware.devices() } catch { return nil }
    }
}
