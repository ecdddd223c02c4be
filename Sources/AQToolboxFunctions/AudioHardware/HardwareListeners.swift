// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox
import CAQRealTime
import Glibc

/// The listeners, and the thread that detects changes and calls them.
///
/// The thread lives while there is a listener. After an event, or periodically if the server sends no events,
/// the thread requests all devices from the server, and compares them with the previous ones. No lock is held
/// while a listener is called: it may add and remove listeners, and read properties.
final class HardwareListeners: Sendable {
    /// A call to be made when properties of an object change.
    struct Listener: Sendable {
        let object: HardwareObject
        let objectID: AudioObjectID
        let address: AudioObjectPropertyAddress
        let target: HardwareListenerTarget
        /// The number that distinguishes equal listeners.
        var number: UInt64 = 0

        func hears(_ change: HardwareChange) -> Bool {
            object == change.object && address.covers(change.address)
        }
    }

    private struct State {
        var listeners: [Listener] = []
        var nextNumber: UInt64 = 1
        /// The devices at the last report.
        var known = HardwareSnapshot()
        var hasThread = false
        var isChanged = false
        /// Changes that the server does not report, in order.
        var reported: [HardwareChange] = []
        var watch: (any AnyObject & Sendable)?
        /// The listener that is being called, and its thread.
        var calling: (number: UInt64, thread: UInt)?

        /// Ends the watch, when the thread ends or could not be created.
        ///
        /// - Returns: The watch, to be released outside the lock, because the release may wait for a running call.
        mutating func endWatch() -> (any AnyObject & Sendable)? {
            hasThread = false
            isChanged = false
            reported = []
            defer { watch = nil }
            return watch
        }
    }

    /// The poll interval: short for a user who plugs in headphones, and long enough to cost little.
    static let pollNanoseconds: UInt64 = 1_000_000_000

    /// The largest number of reported changes that wait for the thread.
    private static let mostReported = 1024

    private static let longestWaitNanoseconds: UInt64 = 2_000_000_000

    private let source: any HardwareSource
    private let pollNanoseconds: UInt64
    private let state = Monitor(State())

    init(source: any HardwareSource, pollNanoseconds: UInt64 = HardwareListeners.pollNanoseconds) {
        self.source = source
        self.pollNanoseconds = pollNanoseconds
    }

    /// Adds a listener, which is called for later changes.
    ///
    /// A listener that is added twice is called twice, and has to be removed twice. Adding the first listener
    /// queries the server.
    ///
    /// - Throws: ``StatusError`` of `kAudioHardwareUnspecifiedError` if the system cannot create a thread.
    func add(_ listener: Listener) throws(StatusError) {
        // Queried without the lock, so that other threads do not wait for the server.
        let mustQuery = state.withLock { !$0.hasThread }
        let present = mustQuery ? currentSnapshot() : nil
        let (number, mustStart) = state.withLock { state -> (UInt64, Bool) in
            var listener = listener
            listener.number = state.nextNumber
            state.nextNumber += 1
            state.listeners.append(listener)
            guard !state.hasThread else { return (listener.number, false) }
            state.hasThread = true
            state.known = present ?? state.known
            // The watch does not report changes before its beginning, so the thread compares the devices first.
            state.isChanged = true
            return (listener.number, true)
        }
        guard mustStart else { return }
        let watch = source.watch { [weak self] in self?.somethingChanged() }
        state.withLock { $0.watch = watch }
        guard DetachedThread.start(named: "aq hardware", { [self] in run() }) != 0 else { return }
        _ = state.withLock { state -> (any AnyObject & Sendable)? in
            state.listeners.removeAll { $0.number == number }
            return state.endWatch()
        }
        throw StatusError(kAudioHardwareUnspecifiedError)
    }

    /// Removes the listener that was added last with the same object, address and target.
    ///
    /// The listener is not called again. Waits for a running call, two seconds at most, except inside that call.
    ///
    /// - Throws: `kAudioHardwareIllegalOperationError` if there is no such listener.
    func remove(
        _ object: HardwareObject, _ address: AudioObjectPropertyAddress, _ key: HardwareListenerKey
    ) throws(StatusError) {
        let removed = state.withLock { state -> Listener? in
            let index = state.listeners.lastIndex {
                $0.object == object && $0.target.key == key && $0.address.isSame(as: address)
            }
            guard let index else { return nil }
            return state.listeners.remove(at: index)
        }
        guard let removed else { throw StatusError(kAudioHardwareIllegalOperationError) }
        // Wakes the thread, which ends if there are no listeners.
        state.notifyAll()
        let thread = UInt(pthread_self())
        _ = state.wait(until: aq_host_time() + HardwareListeners.longestWaitNanoseconds) { state in
            guard let calling = state.calling else { return false }
            return calling.number == removed.number && calling.thread != thread
        }
    }

    /// Calls the listeners of a change soon, on their thread. May be called from any thread, and returns at once.
    func report(_ change: HardwareChange) {
        let isHeard = state.withLock { state in
            guard state.hasThread, state.reported.count < HardwareListeners.mostReported,
                state.listeners.contains(where: { $0.hears(change) })
            else { return false }
            state.reported.append(change)
            return true
        }
        if isHeard { state.notifyAll() }
    }

    private func somethingChanged() {
        state.withLock { $0.isChanged = true }
        state.notifyAll()
    }

    /// The current devices; none while no server answers, so that the end and the return of a server are
    /// ordinary changes.
    private func currentSnapshot() -> HardwareSnapshot {
        do throws(DeviceError) { return try source.snapshot() } catch { return HardwareSnapshot() }
    }

    // MARK: The thread

    private func run() {
        while true {
            let isWatching = state.withLock { $0.watch != nil }
            let now = aq_host_time()
            // If the server sends events, the deadline only limits the wait.
            let deadline = now + pollNanoseconds * (isWatching ? 60 : 1)
            let isDue = !state.wait(until: deadline) {
                !$0.isChanged && $0.reported.isEmpty && !$0.listeners.isEmpty
            }
            let (goesOn, isChanged, reported, _) = state.withLock {
                state -> (Bool, Bool, [HardwareChange], (any AnyObject & Sendable)?) in
                defer { (state.isChanged, state.reported) = (false, []) }
                guard state.listeners.isEmpty else { return (true, state.isChanged, state.reported, nil) }
                return (false, false, [], state.endWatch())
            }
            guard goesOn else { return }
            for change in reported { callListeners(of: [change], state.withLock { $0.listeners }) }
            if isChanged || isDue { findChanges() }
        }
    }

    /// Detects changes, and calls their listeners.
    private func findChanges() {
        let present = currentSnapshot()
        let (changes, listeners) = state.withLock { state in
            let changes = present.changes(since: state.known)
            state.known = present
            return (changes, state.listeners)
        }
        callListeners(of: changes, listeners)
    }

    private func callListeners(of changes: [HardwareChange], _ listeners: [Listener]) {
        guard !changes.isEmpty else { return }
        for listener in listeners {
            let addresses = changes.filter { listener.hears($0) }.map(\.address)
            guard !addresses.isEmpty, beginCall(of: listener) else { continue }
            listener.target.notify(listener.objectID, addresses)
            state.withLock { $0.calling = nil }
            state.notifyAll()
        }
    }

    /// Marks a listener as being called, if it has not been removed.
    private func beginCall(of listener: Listener) -> Bool {
        state.withLock { state in
            guard state.listeners.contains(where: { $0.number == listener.number }) else { return false }
            state.calling = (listener.number, UInt(pthread_self()))
            return true
        }
    }
}

extension AudioObjectPropertyAddress {
    /// Returns whether a listener for this address is called for a change at another address of the same object.
    ///
    /// COMPAT: programs listen to the default device in any scope, and to properties with a direction in the
    /// global scope.
    func covers(_ change: AudioObjectPropertyAddress) -> Bool {
        func isAny(_ scope: AudioObjectPropertyScope) -> Bool {
            scope == kAudioObjectPropertyScopeWildcard || scope == kAudioObjectPropertyScopeGlobal
        }
        guard mSelector == change.mSelector || mSelector == kAudioObjectPropertySelectorWildcard else {
            return false
        }
        guard mElement == change.mElement || mElement == kAudioObjectPropertyElementWildcard else {
            return false
        }
        return mScope == change.mScope || isAny(mScope) || isAny(change.mScope)
    }

    /// Returns whether all fields are equal, because the C struct has no equality of its own.
    func isSame(as other: AudioObjectPropertyAddress) -> Bool {
        mSelector == other.mSelector && mScope == other.mScope && mElement == other.mElement
    }
}
