// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import AQSessions
import CAQAudioToolbox
import CoreFoundation

/// The state of the C functions for the audio session: whether they are initialized, and the listeners.
///
/// All listeners are called on the run loop of `AudioSessionInitialize`, one at a time. No lock is held meanwhile.
final class SessionClient: Sendable {
    /// The identity of a property listener: functions and data are compared by their addresses.
    struct ListenerKey: Sendable, Equatable {
        let property: AudioSessionPropertyID
        let procedure: UInt
        let clientData: UInt
    }

    private struct State {
        /// The run loop; nil before the initialization.
        var context: RunLoopContext?
        var interruptionListener: InterruptionListener?
        var listeners: [PropertyListener] = []
        /// The session's number of this observer; nil if there is nothing to observe.
        var observer: UInt64?
        /// The events that the run loop has not handled.
        var events: [SessionEvent] = []
        /// The calls of the event that the run loop handles.
        var calls: [SessionCall] = []
        /// The value of `kAudioSessionProperty_InterruptionType` during a call of the interruption listener.
        var interruptionType: UInt32?
    }

    private static let current = Monitor(SessionClient(session: .shared))

    /// The client that the C functions use.
    static var shared: SessionClient { current.withLock { $0 } }

    /// Replaces the client, for tests.
    static func replace(by client: SessionClient) { current.withLock { $0 = client } }

    let session: AudioSession
    private let state = Monitor(State())

    init(session: AudioSession) { self.session = session }

    // MARK: Initialization

    /// Initializes the functions.
    ///
    /// - Throws: `kAudioSessionAlreadyInitialized`; `kAudioSessionInitializationError` if memory or a thread is
    ///   missing.
    func initialize(
        runLoop: CFRunLoop?, mode: CFString?, _ listener: InterruptionListener?
    ) throws(StatusError) {
        let context = RunLoopContext(runLoop ?? CFRunLoopGetMain(), mode: mode ?? kCFRunLoopDefaultMode)
        let isFirst = state.withLock { state in
            guard state.context == nil else { return false }
            state.context = context
            state.interruptionListener = listener
            return true
        }
        guard isFirst else { throw StatusError(kAudioSessionAlreadyInitialized) }
        do throws(QueueError) {
            // The client of the process lives as long as the process.
            try context.begin { [self] in deliver() }
            if listener != nil { try observe() }
        } catch {
            context.end()
            state.withLock { ($0.context, $0.interruptionListener) = (nil, nil) }
            throw StatusError(kAudioSessionInitializationError)
        }
    }

    /// Ends the initialization and all listeners, for tests: programs cannot do this.
    func end() {
        let (context, observer) = state.withLock { state in
            defer { state = State() }
            return (state.context, state.observer)
        }
        if let observer { session.removeObserver(observer) }
        context?.end()
    }

    /// Throws `kAudioSessionNotInitialized` before the initialization.
    func requireInitialization() throws(StatusError) {
        guard state.withLock({ $0.context != nil }) else { throw StatusError(kAudioSessionNotInitialized) }
    }

    /// Begins to observe the session, unless this client does.
    private func observe() throws(QueueError) {
        guard state.withLock({ $0.observer == nil }) else { return }
        guard let number = session.addObserver({ [self] in take($0) }) else { throw QueueError(.outOfMemory) }
        let isSecond = state.withLock { state in
            guard state.observer == nil else { return true }
            state.observer = number
            return false
        }
        if isSecond { session.removeObserver(number) }
    }

    // MARK: Listeners

    /// Adds a listener. One with the same key is replaced, so that it is called once.
    ///
    /// - Throws: `kAudioSessionUnspecifiedError` if no thread can be made.
    func add(_ listener: PropertyListener) throws(StatusError) {
        do throws(QueueError) { try observe() } catch { throw StatusError(kAudioSessionUnspecifiedError) }
        // Changes from the return of this call on are reported.
        session.awaitObservation()
        state.withLock { state in
            state.listeners.removeAll { $0.key == listener.key }
            state.listeners.append(listener)
        }
    }

    /// Removes the listeners for which `isRemoved` returns true. They are not called after the return, except for a call
    /// that is running.
    func removeListeners(where isRemoved: (ListenerKey) -> Bool) {
        let unused = state.withLock { state in
            state.listeners.removeAll { isRemoved($0.key) }
            guard state.listeners.isEmpty, state.interruptionListener == nil else { return UInt64?.none }
            defer { state.observer = nil }
            return state.observer
        }
        if let unused { session.removeObserver(unused) }
    }

    /// The interruption's type; nil outside of the listener of its end.
    var interruptionType: UInt32? { state.withLock { $0.interruptionType } }

    // MARK: Events

    /// Keeps an event for the run loop. On any thread.
    private func take(_ event: SessionEvent) {
        let context = state.withLock { state in
            state.events.append(event)
            return state.context
        }
        context?.schedule()
    }

    /// Makes one call that is due; false if there is none. On the run loop.
    private func deliver() -> Bool {
        while let call = nextCall() {
            if perform(call) { return true }
        }
        return false
    }

    private func nextCall() -> SessionCall? {
        state.withLock { state in
            while state.calls.isEmpty, !state.events.isEmpty {
                state.calls = SessionCall.calls(for: state.events.removeFirst())
            }
            return state.calls.isEmpty ? nil : state.calls.removeFirst()
        }
    }

    /// Calls the listeners.
    ///
    /// - Returns: Whether there was a listener.
    private func perform(_ call: SessionCall) -> Bool {
        switch call {
        case .interruption(let isBeginning):
            let listener = state.withLock { state in
                state.interruptionType = isBeginning ? nil : kAudioSessionInterruptionType_ShouldResume
                return state.interruptionListener
            }
            listener?.call(isBeginning ? kAudioSessionBeginInterruption : kAudioSessionEndInterruption)
            state.withLock { $0.interruptionType = nil }
            return listener != nil
        case .property(let property, let value):
            let listeners = state.withLock { state in state.listeners.filter { $0.key.property == property } }
            for listener in listeners where isListening(listener) { listener.call(value) }
            return !listeners.isEmpty
        }
    }

    private func isListening(_ listener: PropertyListener) -> Bool {
        state.withLock { state in state.listeners.contains { $0.key == listener.key } }
    }
}
