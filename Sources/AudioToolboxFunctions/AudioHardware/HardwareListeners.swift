import AudioDevices
import CAudioToolbox
import CRealTime
import Glibc

/// Those who are told of changes, and the thread that finds out what has changed and tells them.
///
/// The thread lives while there is a listener. It asks the server for all devices when it hears of a change, or
/// now and then where nobody tells of changes, and compares them with those of the time before. No lock is held
/// while a listener is called: it may add and remove listeners, and ask for properties.
final class HardwareListeners: Sendable {
    /// A call to be made when properties of an object change.
    struct Listener: Sendable {
        let object: HardwareObject
        let objectID: AudioObjectID
        let address: AudioObjectPropertyAddress
        let target: HardwareListenerTarget
        /// Tells two listeners apart that are the same otherwise.
        var number: UInt64 = 0
    }

    private struct State {
        var listeners: [Listener] = []
        var nextNumber: UInt64 = 1
        /// What the listeners were told last.
        var known = HardwareSnapshot()
        var hasThread = false
        var isChanged = false
        var watch: (any AnyObject & Sendable)?
        /// The listener that is being called, and by which thread.
        var calling: (number: UInt64, thread: UInt)?

        /// Lets go of what keeps watch: the thread ends, or there is none.
        ///
        /// - Returns: What is to be let go of outside the lock: its end may wait for a call of its own.
        mutating func endWatch() -> (any AnyObject & Sendable)? {
            hasThread = false
            isChanged = false
            defer { watch = nil }
            return watch
        }
    }

    /// Often enough for a person who plugs in headphones, and little enough to cost nothing.
    static let pollNanoseconds: UInt64 = 1_000_000_000

    private static let longestWaitNanoseconds: UInt64 = 2_000_000_000

    private let source: any HardwareSource
    private let pollNanoseconds: UInt64
    private let state = Monitor(State())

    init(source: any HardwareSource, pollNanoseconds: UInt64 = HardwareListeners.pollNanoseconds) {
        self.source = source
        self.pollNanoseconds = pollNanoseconds
    }

    /// Adds a listener, who is told of what changes after this.
    ///
    /// One that is added twice is told twice, and has to be removed twice. Asks the server when it is the first.
    ///
    /// - Throws: ``StatusError`` of `kAudioHardwareUnspecifiedError` when the system has no thread to give.
    func add(_ listener: Listener) throws(StatusError) {
        // Asked for without the lock, which would keep others waiting for the server.
        let mustLook = state.withLock { !$0.hasThread }
        let present = mustLook ? currentSnapshot() : nil
        let (number, mustStart) = state.withLock { state -> (UInt64, Bool) in
            var listener = listener
            listener.number = state.nextNumber
            state.nextNumber += 1
            state.listeners.append(listener)
            guard !state.hasThread else { return (listener.number, false) }
            state.hasThread = true
            state.known = present ?? state.known
            // What changes before the watch begins is not told of: the thread looks for itself first.
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
    /// It is not called again. A call that has begun is waited for, two seconds at most, unless it is this one.
    ///
    /// - Throws: `kAudioHardwareIllegalOperationError` when there is none.
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
        // The thread ends when it finds nobody to tell.
        state.notifyAll()
        let thread = UInt(pthread_self())
        _ = state.wait(until: aq_host_time() + HardwareListeners.longestWaitNanoseconds) { state in
            guard let calling = state.calling else { return false }
            return calling.number == removed.number && calling.thread != thread
        }
    }

    private func somethingChanged() {
        state.withLock { $0.isChanged = true }
        state.notifyAll()
    }

    /// No devices while no server answers, so that a server's end and return are changes like others.
    private func currentSnapshot() -> HardwareSnapshot {
        do throws(DeviceError) { return try source.snapshot() } catch { return HardwareSnapshot() }
    }

    // MARK: The thread

    private func run() {
        while true {
            let isWatching = state.withLock { $0.watch != nil }
            let now = aq_host_time()
            // Where changes are told of, this only bounds the wait.
            let deadline = now + pollNanoseconds * (isWatching ? 60 : 1)
            _ = state.wait(until: deadline) { !$0.isChanged && !$0.listeners.isEmpty }
            let (goesOn, _) = state.withLock { state -> (Bool, (any AnyObject & Sendable)?) in
                state.isChanged = false
                guard state.listeners.isEmpty else { return (true, nil) }
                return (false, state.endWatch())
            }
            guard goesOn else { return }
            tell()
        }
    }

    /// Finds out what has changed, and calls those who listen to it.
    private func tell() {
        let present = currentSnapshot()
        let (changes, listeners) = state.withLock { state in
            let changes = present.changes(since: state.known)
            state.known = present
            return (changes, state.listeners)
        }
        guard !changes.isEmpty else { return }
        for listener in listeners {
            let addresses = changes.filter { $0.object == listener.object }.map(\.address)
                .filter { listener.address.covers($0) }
            guard !addresses.isEmpty, beginCall(of: listener) else { continue }
            listener.target.tell(listener.objectID, addresses)
            state.withLock { $0.calling = nil }
            state.notifyAll()
        }
    }

    /// Takes note that a listener is called, if it is still there.
    private func beginCall(of listener: Listener) -> Bool {
        state.withLock { state in
            guard state.listeners.contains(where: { $0.number == listener.number }) else { return false }
            state.calling = (listener.number, UInt(pthread_self()))
            return true
        }
    }
}

extension AudioObjectPropertyAddress {
    /// Whether a listener to this address is told of a change at another, both of one object.
    ///
    /// COMPAT: programs listen to the default device in any scope, and to what has a direction in the global one.
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

    /// Whether all of it is the same: addresses of C have no equality of their own.
    func isSame(as other: AudioObjectPropertyAddress) -> Bool {
        mSelector == other.mSelector && mScope == other.mScope && mElement == other.mElement
    }
}
