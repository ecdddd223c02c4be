/// A queue's lifecycle as a value, with an answer for each call and each device event in every state.
///
/// No I/O happens here. An answer is an ``Action`` for ``OutputCore``, or the error to throw.
struct OutputStateMachine: Equatable {
    enum State: Equatable, CaseIterable {
        /// Nothing plays. Enqueued buffers wait.
        case stopped
        /// Stopped, but enqueued audio was passed to the decoder and the device.
        case primed
        /// Started: the device runs or is about to.
        case running
        case paused
        /// Plays the enqueued audio, then stops.
        case stopping
        /// Paused while stopping.
        case stoppingPaused
        /// Disposed of by the client; plays the enqueued audio, without callbacks.
        case disposing
        case disposed
    }

    enum Call: Equatable, CaseIterable {
        case prime, start, pause, stopAtOnce, stopAfterEnqueued, flush, reset, enqueue
        /// Any call for buffers, parameters, properties or listeners.
        case use
        /// A change of settings that require a stopped queue: the magic cookie, the device, effects.
        case configure
        case disposeAtOnce, disposeAfterEnqueued
    }

    enum Notice: Equatable, CaseIterable { case started, drained, failed }

    enum Action: Equatable {
        /// The call is already in effect, or needs no action.
        case nothing
        /// The call may proceed.
        case proceed
        case fail(QueueError.Code)
        /// Passes enqueued audio to the decoder and the device.
        case prepare
        /// The same, and starts the device.
        case startDevice
        case resumeDevice
        case pauseDevice
        /// Silences the device and returns every buffer.
        case stopDevice
        /// Drops the device's data but keeps it running, and returns every buffer.
        case flushDevice
        /// Returns every buffer; the device has none.
        case returnBuffers
        /// Marks the end of a sequence for the decoder.
        case markEnd
        /// Marks the end, and drains the device after it.
        case drainDevice
        /// The same for a paused device, which has to be resumed first.
        case resumeAndDrain
        /// Closes the device and ends.
        case closeDevice
        /// Playback is audible from now on.
        case announceRunning
        /// The last frame was played.
        case announceStopped
        /// The device failed: returns every buffer and reports the error.
        case announceFailure
    }

    private(set) var state = State.stopped

    /// Whether enqueued audio is passed to the decoder and the device.
    var isActive: Bool {
        switch state {
        case .primed, .running, .paused, .stopping, .stoppingPaused, .disposing: true
        case .stopped, .disposed: false
        }
    }

    /// Whether the device plays, or is about to: buffers are returned without a call of the client's.
    var isMoving: Bool {
        switch state {
        case .running, .stopping, .disposing: true
        case .stopped, .primed, .paused, .stoppingPaused, .disposed: false
        }
    }

    /// Whether the device has to be drained once it has everything.
    var isDraining: Bool {
        switch state {
        case .stopping, .disposing: true
        case .stopped, .primed, .running, .paused, .stoppingPaused, .disposed: false
        }
    }

    /// Whether the client has disposed of the queue.
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
        // Answers to calls that a later call has superseded.
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
        // An accepted start would be undone when the last frame is played.
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
        // Audio that was only primed is never played.
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
