// SPDX-License-Identifier: MIT

/// The lifecycle of an output queue as a value, with an answer for each call and each device event in every state.
///
/// Performs no I/O. An answer is an ``Action`` for ``OutputCore``, or the error to throw.
struct OutputStateMachine: Equatable {
    enum State: Equatable, CaseIterable {
        /// No audio is played. Enqueued buffers wait.
        case stopped
        /// The queue is stopped, but enqueued audio was passed to the decoder and the device.
        case primed
        /// The device runs or is about to.
        case running
        case paused
        /// The enqueued audio is played, then the queue stops.
        case stopping
        /// The queue was paused while stopping.
        case stoppingPaused
        /// The client has disposed of the queue. The enqueued audio is played, without callbacks.
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

    enum Event: Equatable, CaseIterable { case started, drained, failed }

    enum Action: Equatable {
        /// Does nothing: the call is already in effect, or needs no action.
        case nothing
        /// Allows the call.
        case proceed
        case fail(QueueError.Code)
        /// Passes enqueued audio to the decoder and the device.
        case prepare
        /// Passes enqueued audio to the decoder and the device, and starts the device.
        case startDevice
        case resumeDevice
        case pauseDevice
        /// Silences the device and returns every buffer.
        case stopDevice
        /// Drops the device's data but keeps it running, and returns every buffer.
        case flushDevice
        /// Returns every buffer of a device that has none.
        case returnBuffers
        /// Marks the end of a sequence for the decoder.
        case markEnd
        /// Marks the end of the enqueued audio, and drains the device after it.
        case drainDevice
        /// Resumes a paused device, marks the end of the enqueued audio, and drains the device after it.
        case resumeAndDrain
        case closeDevice
        /// Announces that playback is audible from now on.
        case announceRunning
        /// Announces that the last frame was played.
        case announceStopped
        /// Returns every buffer after the device has failed, and reports the error.
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

    /// Whether the device plays, or is about to, so that it returns buffers without a call of the client.
    var isMoving: Bool {
        switch state {
        case .running, .stopping, .disposing: true
        case .stopped, .primed, .paused, .stoppingPaused, .disposed: false
        }
    }

    /// Whether the device has to be drained once it has received all enqueued audio.
    var isDraining: Bool {
        switch state {
        case .stopping, .disposing: true
        case .stopped, .primed, .running, .paused, .stoppingPaused, .disposed: false
        }
    }

    var isDisposed: Bool { state == .disposing || state == .disposed }

    mutating func apply(_ call: Call) -> Action {
        switch (call, state) {
        case (_, .disposing), (_, .disposed): return .fail(.disposalPending)

        case (.prime, .stopped): return enter(.primed, .prepare)
        case (.prime, .primed), (.prime, .running), (.prime, .paused), (.prime, .stopping),
            (.prime, .stoppingPaused):
            return .nothing

        case (.start, .stopped), (.start, .primed): return enter(.running, .startDevice)
        case (.start, .running): return .nothing
        case (.start, .paused): return enter(.running, .resumeDevice)
        // A start now would be undone after the last frame.
        case (.start, .stopping): return .fail(.cannotStartYet)
        case (.start, .stoppingPaused): return enter(.stopping, .resumeAndDrain)

        case (.pause, .running): return enter(.paused, .pauseDevice)
        case (.pause, .stopping): return enter(.stoppingPaused, .pauseDevice)
        case (.pause, .stopped), (.pause, .primed), (.pause, .paused), (.pause, .stoppingPaused):
            return .nothing

        // COMPAT: stopping a queue that never started succeeds and leaves enqueued buffers enqueued.
        case (.stopAtOnce, .stopped), (.stopAfterEnqueued, .stopped), (.stopAfterEnqueued, .stopping):
            return .nothing
        case (.stopAfterEnqueued, .running): return enter(.stopping, .drainDevice)
        case (.stopAfterEnqueued, .paused), (.stopAfterEnqueued, .stoppingPaused):
            return enter(.stopping, .resumeAndDrain)
        // Audio that was only primed is never played.
        case (.stopAfterEnqueued, .primed), (.stopAtOnce, .primed), (.stopAtOnce, .running),
            (.stopAtOnce, .paused), (.stopAtOnce, .stopping), (.stopAtOnce, .stoppingPaused):
            return enter(.stopped, .stopDevice)

        case (.flush, .stopped), (.flush, .primed), (.flush, .running), (.flush, .paused): return .markEnd
        case (.flush, .stopping), (.flush, .stoppingPaused): return .nothing

        case (.reset, .stopped): return .returnBuffers
        case (.reset, .running), (.reset, .paused): return .flushDevice
        // With nothing left to play, a stopping queue stops.
        case (.reset, .primed), (.reset, .stopping), (.reset, .stoppingPaused):
            return enter(.stopped, .stopDevice)

        case (.enqueue, .stopping), (.enqueue, .stoppingPaused): return .fail(.enqueueDuringReset)
        case (.enqueue, .stopped), (.enqueue, .primed), (.enqueue, .running), (.enqueue, .paused), (.use, _):
            return .proceed
        case (.configure, _): return state == .stopped ? .proceed : .fail(.invalidRunState)

        case (.disposeAtOnce, _), (.disposeAfterEnqueued, .stopped), (.disposeAfterEnqueued, .primed):
            return enter(.disposed, .closeDevice)
        case (.disposeAfterEnqueued, .running), (.disposeAfterEnqueued, .stopping):
            return enter(.disposing, .drainDevice)
        case (.disposeAfterEnqueued, .paused), (.disposeAfterEnqueued, .stoppingPaused):
            return enter(.disposing, .resumeAndDrain)
        }
    }

    mutating func apply(_ event: Event) -> Action {
        switch (event, state) {
        case (.started, .running), (.started, .paused), (.started, .stopping), (.started, .stoppingPaused):
            return .announceRunning
        case (.drained, .stopping), (.drained, .stoppingPaused): return enter(.stopped, .announceStopped)
        case (.drained, .disposing), (.failed, .disposing): return enter(.disposed, .closeDevice)
        case (.failed, .primed), (.failed, .running), (.failed, .paused), (.failed, .stopping),
            (.failed, .stoppingPaused):
            return enter(.stopped, .announceFailure)
        // Events that a later call has made obsolete.
        case (.started, .stopped), (.started, .primed), (.started, .disposing), (.started, .disposed),
            (.drained, .stopped), (.drained, .primed), (.drained, .running), (.drained, .paused),
            (.drained, .disposed), (.failed, .stopped), (.failed, .disposed):
            return .nothing
        }
    }

    private mutating func enter(_ next: State, _ action: Action) -> Action {
        state = next
        return action
    }
}
