/// The life of a queue as a value: each call and each of the device's notices has an answer in every state.
///
/// No I/O happens here. An answer is an ``Action`` that ``OutputCore`` carries out, or the error to throw.
struct OutputStateMachine: Equatable {
    enum State: Equatable, CaseIterable {
        /// Nothing plays. Buffers may be enqueued, and wait.
        case stopped
        /// As stopped, but what is enqueued was handed to the decoder and the device.
        case primed
        /// Started: the device runs or is about to.
        case running
        case paused
        /// Plays out what is enqueued, then stops.
        case stopping
        /// Paused while stopping.
        case stoppingPaused
        /// Disposed of by the client; plays out what is enqueued, unheard of.
        case disposing
        case disposed
    }

    enum Call: Equatable, CaseIterable {
        case prime, start, pause, stopAtOnce, stopAfterEnqueued, flush, reset, enqueue
        /// Allocating and freeing buffers, parameters, properties, listeners.
        case use
        /// Setting what may only change while nothing plays: the magic cookie, the device, what effects there are.
        case configure
        case disposeAtOnce, disposeAfterEnqueued
    }

    enum Notice: Equatable, CaseIterable { case started, drained, failed }

    enum Action: Equatable {
        /// The call has its effect already, or needs none.
        case nothing
        /// The call may go on.
        case proceed
        case fail(QueueError.Code)
        /// Hands what is enqueued to the decoder and the device.
        case prepare
        /// The same, and starts the device.
        case startDevice
        case resumeDevice
        case pauseDevice
        /// Silences the device and returns every buffer.
        case stopDevice
        /// Drops what the device has but keeps it running, and returns every buffer.
        case flushDevice
        /// Returns every buffer; the device has none.
        case returnBuffers
        /// Marks the end of a sequence for the decoder.
        case markEnd
        /// Marks the end, and drains the device behind it.
        case drainDevice
        /// The same for a paused device, which has to be resumed for it.
        case resumeAndDrain
        /// Closes the device and ends.
        case closeDevice
        /// Audio is being heard from now on.
        case announceRunning
        /// The last frame was heard.
        case announceStopped
        /// The device gave up: returns every buffer and says why.
        case announceFailure
    }

    private(set) var state = State.stopped

    /// Whether what is enqueued goes on to the decoder and the device.
    var isActive: Bool {
        switch state {
        case .primed, .running, .paused, .stopping, .stoppingPaused, .disposing: true
        case .stopped, .disposed: false
        }
    }

    /// Whether the device plays, or is about to: buffers come back without a call of the client's.
    var isMoving: Bool {
        switch state {
        case .running, .stopping, .disposing: true
        case .stopped, .primed, .paused, .stoppingPaused, .disposed: false
        }
    }

    /// Whether the device is to be drained once it has everything.
    var isDraining: Bool {
        switch state {
        case .stopping, .disposing: true
        case .stopped, .primed, .running, .paused, .stoppingPaused, .disposed: false
        }
    }

    /// Whether the client gave the queue up.
    var isDisposed: Bool { state == .disposing || state == .disposed }

    mutating func apply(_ call: Call) -> Action {
        switch state {
        case .disposing, .disposed: return .fail(.disposalPending)
        case .stopped, .primed, .running, .paused, .stopping, .stoppingPaused: break
        }
        switch call {
        case .prime: return prime()
        case .start: return start()
        case .pause: return pause()
        case .stopAtOnce: return stopAtOnce()
        case .stopAfterEnqueued: return stopAfterEnqueued()
        case .flush: return flush()
        case .reset: return reset()
        case .enqueue: return enqueue()
        case .use: return .proceed
        case .configure: return state == .stopped ? .proceed : .fail(.invalidRunState)
        case .disposeAtOnce:
            state = .disposed
            return .closeDevice
        case .disposeAfterEnqueued: return disposeAfterEnqueued()
        }
    }

    mutating func apply(_ notice: Notice) -> Action {
        switch (notice, state) {
        case (.started, .running), (.started, .paused), (.started, .stopping), (.started, .stoppingPaused):
            return .announceRunning
        case (.drained, .stopping), (.drained, .stoppingPaused):
            state = .stopped
            return .announceStopped
        case (.drained, .disposing), (.failed, .disposing):
            state = .disposed
            return .closeDevice
        case (.failed, .primed), (.failed, .running), (.failed, .paused), (.failed, .stopping),
            (.failed, .stoppingPaused):
            state = .stopped
            return .announceFailure
        // Answers to calls that another call has overtaken.
        case (.started, .stopped), (.started, .primed), (.started, .disposing), (.started, .disposed),
            (.drained, .stopped), (.drained, .primed), (.drained, .running), (.drained, .paused),
            (.drained, .disposed), (.failed, .stopped), (.failed, .disposed):
            return .nothing
        }
    }

    private mutating func prime() -> Action {
        guard state == .stopped else { return .nothing }
        state = .primed
        return .prepare
    }

    private mutating func start() -> Action {
        switch state {
        case .stopped, .primed:
            state = .running
            return .startDevice
        case .paused:
            state = .running
            return .resumeDevice
        case .stoppingPaused:
            state = .stopping
            return .resumeAndDrain
        case .running, .disposing, .disposed: return .nothing
        // An accepted start would be undone when the last frame is heard.
        case .stopping: return .fail(.cannotStartYet)
        }
    }

    private mutating func pause() -> Action {
        switch state {
        case .running:
            state = .paused
            return .pauseDevice
        case .stopping:
            state = .stoppingPaused
            return .pauseDevice
        case .stopped, .primed, .paused, .stoppingPaused, .disposing, .disposed: return .nothing
        }
    }

    private mutating func stopAtOnce() -> Action {
        // COMPAT: stopping a queue that never started succeeds and leaves enqueued buffers enqueued.
        guard state != .stopped else { return .nothing }
        state = .stopped
        return .stopDevice
    }

    private mutating func stopAfterEnqueued() -> Action {
        switch state {
        case .running:
            state = .stopping
            return .drainDevice
        case .paused, .stoppingPaused:
            state = .stopping
            return .resumeAndDrain
        // What was only primed is never going to be heard.
        case .primed:
            state = .stopped
            return .stopDevice
        case .stopped, .stopping, .disposing, .disposed: return .nothing
        }
    }

    private func flush() -> Action {
        switch state {
        case .stopped, .primed, .running, .paused: .markEnd
        case .stopping, .stoppingPaused, .disposing, .disposed: .nothing
        }
    }

    private mutating func reset() -> Action {
        switch state {
        case .stopped: return .returnBuffers
        case .running, .paused: return .flushDevice
        // With nothing left to play, a stopping queue has stopped.
        case .primed, .stopping, .stoppingPaused:
            state = .stopped
            return .stopDevice
        case .disposing, .disposed: return .nothing
        }
    }

    private func enqueue() -> Action {
        switch state {
        case .stopped, .primed, .running, .paused: .proceed
        case .stopping, .stoppingPaused: .fail(.enqueueDuringReset)
        case .disposing, .disposed: .fail(.disposalPending)
        }
    }

    private mutating func disposeAfterEnqueued() -> Action {
        switch state {
        case .stopped, .primed:
            state = .disposed
            return .closeDevice
        case .running, .stopping:
            state = .disposing
            return .drainDevice
        case .paused, .stoppingPaused:
            state = .disposing
            return .resumeAndDrain
        case .disposing, .disposed: return .nothing
        }
    }
}
