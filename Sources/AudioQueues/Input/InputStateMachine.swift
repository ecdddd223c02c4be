/// The life of an input queue as a value: each call and each of the device's notices has an answer in every
/// state.
///
/// No I/O happens here. An answer is an ``Action`` that ``InputCore`` carries out, or the error to throw.
struct InputStateMachine: Equatable {
    enum State: Equatable, CaseIterable {
        /// Nothing is captured. Buffers may be enqueued, and wait.
        case stopped
        /// Started: the device captures or is about to.
        case running
        case paused
        /// Fills what is enqueued, then stops.
        case stopping
        /// Disposed of by the client; the device may still touch buffers.
        case disposing
        case disposed
    }

    enum Call: Equatable, CaseIterable {
        case start, pause, stopAtOnce, stopAfterEnqueued, flush, reset, enqueue
        /// Allocating and freeing buffers, properties, listeners.
        case use
        /// Changing what is captured from, and what it passes through.
        case configure
        case dispose
    }

    enum Notice: Equatable, CaseIterable {
        case started
        /// Every enqueued buffer is full.
        case filled
        case failed, closed
    }

    enum Action: Equatable {
        /// The call has its effect already, or needs none.
        case nothing
        /// The call may go on.
        case proceed
        case fail(QueueError.Code)
        /// Hands the enqueued buffers to the device and starts it, its timeline at 0.
        case startDevice
        case resumeDevice
        case pauseDevice
        /// Stops the device and returns every buffer.
        case stopDevice
        /// Waits until the enqueued buffers are full.
        case awaitFilled
        /// Has the device hand over the buffer that it is filling.
        case flushDevice
        /// Has the device hand over every buffer, and returns those that it had not got.
        case resetDevice
        /// Returns every buffer; the device has none.
        case returnBuffers
        /// Closes the device.
        case closeDevice
        /// Frames are captured from now on.
        case announceRunning
        /// The device gave up: returns every buffer, then says why.
        case announceFailure
        /// The device is closed: frees everything.
        case release
    }

    private(set) var state = State.stopped

    /// Whether enqueued buffers go on to the device.
    var isActive: Bool {
        switch state {
        case .running, .paused, .stopping: true
        case .stopped, .disposing, .disposed: false
        }
    }

    /// Whether the client gave the queue up.
    var isDisposed: Bool { state == .disposing || state == .disposed }

    mutating func apply(_ call: Call) -> Action {
        switch (call, state) {
        case (_, .disposing), (_, .disposed): return .fail(.disposalPending)

        case (.start, .stopped):
            state = .running
            return .startDevice
        case (.start, .running): return .nothing
        case (.start, .paused):
            state = .running
            return .resumeDevice
        // An accepted start would be undone when the last buffer is full.
        case (.start, .stopping): return .fail(.cannotStartYet)

        case (.pause, .stopped), (.pause, .paused): return .nothing
        case (.pause, .running):
            state = .paused
            return .pauseDevice

        // COMPAT: stopping a queue that never started succeeds and leaves enqueued buffers enqueued.
        case (.stopAtOnce, .stopped), (.stopAfterEnqueued, .stopped): return .nothing
        case (.stopAfterEnqueued, .running):
            state = .stopping
            return .awaitFilled
        case (.stopAfterEnqueued, .stopping): return .nothing
        // A microphone that was paused is not opened again to fill buffers, so pausing and stopping, in
        // either order, is to stop with what there is.
        case (.stopAfterEnqueued, .paused), (.pause, .stopping), (.stopAtOnce, .running),
            (.stopAtOnce, .paused), (.stopAtOnce, .stopping):
            state = .stopped
            return .stopDevice

        case (.flush, .stopped): return .nothing
        case (.flush, .running), (.flush, .paused), (.flush, .stopping): return .flushDevice

        case (.reset, .stopped): return .returnBuffers
        case (.reset, .running), (.reset, .paused): return .resetDevice
        // With nothing left to fill, a stopping queue has stopped.
        case (.reset, .stopping):
            state = .stopped
            return .stopDevice

        case (.enqueue, .stopped), (.enqueue, .running), (.enqueue, .paused): return .proceed
        case (.enqueue, .stopping): return .fail(.enqueueDuringReset)

        case (.use, .stopped), (.use, .running), (.use, .paused), (.use, .stopping): return .proceed

        case (.configure, .stopped): return .proceed
        case (.configure, .running), (.configure, .paused), (.configure, .stopping):
            return .fail(.invalidRunState)

        case (.dispose, .stopped), (.dispose, .running), (.dispose, .paused), (.dispose, .stopping):
            state = .disposing
            return .closeDevice
        }
    }

    mutating func apply(_ notice: Notice) -> Action {
        switch (notice, state) {
        case (.started, .running), (.started, .paused), (.started, .stopping): return .announceRunning
        case (.filled, .stopping):
            state = .stopped
            return .stopDevice
        case (.failed, .running), (.failed, .paused), (.failed, .stopping):
            state = .stopped
            return .announceFailure
        case (.closed, .disposing):
            state = .disposed
            return .release
        // Answers to calls that another call has overtaken, and a stream that is closed by its queue only.
        case (.started, .stopped), (.started, .disposing), (.started, .disposed),
            (.filled, .stopped), (.filled, .running), (.filled, .paused), (.filled, .disposing),
            (.filled, .disposed),
            (.failed, .stopped), (.failed, .disposing), (.failed, .disposed),
            (.closed, .stopped), (.closed, .running), (.closed, .paused), (.closed, .stopping),
            (.closed, .disposed):
            return .nothing
        }
    }
}
