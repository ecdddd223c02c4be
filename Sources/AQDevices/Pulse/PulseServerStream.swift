// SPDX-License-Identifier: MIT

/// The server side of a playback or capture stream: libpulse's current stream, its requests and its events.
///
/// It belongs to one ``PulseStream`` or ``PulseInputStream`` for its lifetime. libpulse's stream is made and dropped as
/// servers and devices appear and disappear. Loop thread only.
@safe final class PulseServerStream {
    // SAFETY: this object is the target of libpulse's callbacks, which are removed when the stream is dropped. The
    // connection keeps the owner alive until then.

    private let connection: PulseConnection
    private var properties: PulseStreamProperties
    private var operations = PulseOperations()
    private var drains = PulseOperations()
    /// The receiver of the events. Set once.
    private var owner: PulseStreamReference?

    /// The calls of libpulse's current stream; nil if there is none.
    private(set) var calls: PulseStreamCalls?
    /// Whether the server has made the stream.
    private(set) var isReady = false
    /// Whether the stream's device is suspended.
    private(set) var isSuspended = false
    /// Whether the server asks for a pause, during which it mutes the stream.
    private(set) var isHeld = false
    /// Whether ``HeldStreams`` counts the stream as held, or as a conversation.
    private var (isCountedAsHeld, isConversation) = (false, false)
    /// Whether the owner has corked the stream.
    private var isCorkedByOwner = false

    init(_ properties: PulseStreamProperties, of connection: PulseConnection) {
        self.properties = properties
        self.connection = connection
    }

    func setOwner(_ owner: PulseStreamReference) { self.owner = owner }

    // MARK: Making and dropping

    /// Makes a stream, without contacting the server. There must be no other stream.
    ///
    /// - Throws: ``DeviceError/Code/unsupportedFormat``; ``DeviceError/Code/noServer`` if the connection has no
    ///   context.
    func make(_ format: SampleFormat, _ map: PulseChannelMap) throws(DeviceError) -> PulseStreamCalls {
        guard let context = connection.context else {
            throw DeviceError(.noServer, "the connection to the sound server was lost")
        }
        let properties = properties.forNewStream()
        guard let made = context.makeStream(format, map, properties: properties) else {
            throw .pulse(.unsupportedFormat, "cannot make a stream", errorNumber: context.errorNumber)
        }
        calls = made
        isReady = false
        isSuspended = false
        isCorkedByOwner = false
        if self.properties.role == .phone, !isConversation {
            isConversation = true
            HeldStreams.shared.changeConversations(by: 1)
        }
        switch owner {
        case .output: unsafe made.listenToPlayback(.passUnretained(self))
        case .input: unsafe made.listenToCapture(.passUnretained(self))
        case nil: break
        }
        return made
    }

    /// Drops the stream, if there is one, and its pending requests.
    func drop() {
        isReady = false
        isSuspended = false
        isHeld = false
        countHold()
        if isConversation {
            isConversation = false
            HeldStreams.shared.changeConversations(by: -1)
        }
        operations.callOff()
        drains.callOff()
        guard let old = calls else { return }
        calls = nil
        old.end()
    }

    // MARK: Asking

    /// Makes a request, and calls `answer` when the server has answered, unless the stream is dropped first.
    func ask(_ request: PulseStreamCalls.Request, _ answer: @escaping () -> Void) {
        let operation = calls?.ask(request, answer)
        if request == .drain { drains.append(operation) } else { operations.append(operation) }
    }

    /// Asks the server, and calls `answer` when it has answered, unless the stream is dropped first.
    func ask(_ question: PulseQuestion, _ answer: @escaping (PulseAnswer) -> Void) {
        operations.append(connection.context?.ask(question, answer))
    }

    /// Cancels the callbacks of drains that are still pending.
    func callOffDrain() { drains.callOff() }

    /// Corks or uncorks the stream, unless it is already in that state. A held stream stays corked until the hold ends.
    func setCorked(_ isCorked: Bool) {
        isCorkedByOwner = isCorked
        let mustCork = isCorked || isHeld
        if let calls, calls.isCorked != mustCork { calls.setCorked(mustCork) }
        countHold()
    }

    /// Counts the stream as held while it would otherwise play.
    private func countHold() {
        let counts = isHeld && !isCorkedByOwner
        guard counts != isCountedAsHeld else { return }
        isCountedAsHeld = counts
        HeldStreams.shared.change(by: counts ? 1 : -1)
    }

    /// Sets the name that the server should show; nil for the program's name.
    func setName(_ name: String?) {
        properties.name = name
        renewName()
    }

    private func renewName() {
        guard let calls, isReady, let name = properties.newName() else { return }
        calls.setName(name)
    }

    // MARK: Events

    func stateChanged() {
        guard let calls else { return }
        switch calls.state {
        case .ready:
            isReady = true
            isSuspended = calls.isSuspended
            renewName()
            owner?.client.streamIsReady()
        case .failed: owner?.client.streamFailed()
        case .creating: break
        }
    }

    /// Handles a stream that a user moved to another device.
    func moved() {
        // The server forgets that it has asked, and never unmutes the stream.
        if isHeld, let calls {
            ask(.setStreamMuted(calls.index, false)) { _ in }
            changeHold(false)
        }
        isSuspended = calls?.isSuspended ?? false
        owner?.client.moved()
    }

    /// Handles a device that the server has removed. If it was the stream's, the stream has failed.
    ///
    /// QUIRK: PipeWire keeps such a stream: without a device if the stream must not be moved, or until there is another
    /// one. PulseAudio has ended or moved the stream before it reports the removal.
    func deviceIsRemoved(isSink: Bool, index: UInt32) {
        guard isReady, let calls, let owner, owner.isOutput == isSink, calls.deviceIndex == index else {
            return
        }
        owner.client.streamFailed()
    }

    /// Handles a device that was suspended or resumed.
    func suspensionChanged() {
        isSuspended = calls?.isSuspended ?? false
        owner?.client.suspensionChanged()
    }

    /// Handles the server's request to pause the stream, or to continue.
    func setHeldByServer(_ isHeld: Bool) {
        // A program's own conversation does not pause the program's music.
        guard let calls, isHeld != self.isHeld, !isHeld || !HeldStreams.shared.hasConversation else { return }
        changeHold(isHeld)
        guard isHeld else { return }
        // If the conversation has ended before the stream was corked, the server does not ask to continue.
        ask(.isMuted(stream: calls.index)) { [self] answer in
            if answer == .muted(false), self.isHeld { changeHold(false) }
        }
    }

    private func changeHold(_ isHeld: Bool) {
        self.isHeld = isHeld
        setCorked(isCorkedByOwner)
        owner?.client.holdChanged()
    }

    /// Reports to the client that the server changed the granted buffer sizes.
    func attributesChanged() { owner?.client.attributesChanged() }

    // MARK: libpulse's callbacks

    static func from(_ target: UnsafeMutableRawPointer?) -> PulseServerStream? {
        unsafe target.map { unsafe Unmanaged<PulseServerStream>.fromOpaque($0).takeUnretainedValue() }
    }

    // REAL-TIME from here on.

    @_noLocks static func report(
        _ event: PulseStreamReference.Event, to target: UnsafeMutableRawPointer?
    ) {
        guard let target = unsafe target else { return }
        unsafe Unmanaged<PulseServerStream>.fromOpaque(target)._withUnsafeGuaranteedRef {
            $0.owner?.report(event)
        }
    }
}
