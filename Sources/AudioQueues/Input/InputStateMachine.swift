// SPDX-License-Identifier: MIT

/// The lifecycle of an input queue as a value, with an answer for each call and each device event in every state.
///
/// Performs no I/O. An answer is an ``Action`` for ``InputCore``, or the error to throw.
struct InputStateMachine: Equatable {
    enum State: Equatable, CaseIterable {
        /// No audio is captured. Enqueued buffers wait.
        case stopped
        /// The device captures or is about to.
        case running
        case paused
        /// The enqueued buffers are filled, then the queue stops.
        case stopping
        /// The client has disposed of the queue; the device may still access buffers.
        case disposing
        case disposed
    }

    enum Call: Equatable, CaseIterable {
        case start, pause, stopAtOnce, stopAfterEnqueued, flush, reset, enqueue
        /// Any call for buffers, properties or listeners.
        case use
        /// A change of the device or of the processing stages.
        case configure
        case dispose
    }

    enum Event: Equatable, CaseIterable {
        case started
        /// The return of the last enqueued buffer.
        case filled
        case failed, closed
    }

    enum Action: Equatable {
        /// Does nothing: the call is already in effect, or needs no action.
        case nothing
        /// Allows the call.
        case proceed
        case fail(QueueError.Code)
        /// Passes the enqueued buffers to the device and starts it, with the timeline at 0.
        case startDevice
        case resumeDevice
        case pauseDevice
        case stopDevice
        /// Waits until the enqueued buffers are full.
        case awaitFilled
        /// Makes the device return the buffer that it is filling.
        case flushDevice
        /// Makes the device return every buffer, and returns the buffers that it does not have.
        case resetDevice
        /// Returns every buffer of a device that has none.
        case returnBuffers
        case closeDevice
        /// Announces that frames are captured from now on.
        case announceRunning
        /// Returns every buffer after the device has failed, then reports the error.
        case announceFailure
        /// Frees everything after the device is closed.
        case release
    }

    private(set) var state = State.stopped

    /// Whether enqueued buffers are passed to the device.
    var isActive: Bool {
        switch state {
        case .running, .paused, .stopping: true
        case .stopped, .disposing, .disposed: false
        }
    }

    var isDisposed: Bool { state == .disposing || state == .disposed }

    mutating func apply(_ call: Call) -> Action {
        switch (call, state) {
        case (_, .disposing), (_, .disposed): return .fail(.disposalPending)

        case (.start, .stopped): return enter(.running, .startDevice)
        case (.start, .running): return .nothing
        case (.start, .paused): return enter(.running, .resumeDevice)
        // A start now would be undone once the last buffer is full.
        case (.start, .stopping): return .fail(.cannotStartYet)

        case (.pause, .stopped), (.pause, .paused): return .nothing
        case (.pause, .running): return enter(.paused, .pauseDevice)

        // COMPAT: stopping a queue that never started succeeds and leaves enqueued buffers enqueued.
        case (.stopAtOnce, .stopped), (.stopAfterEnqueued, .stopped): return .nothing
        case (.stopAfterEnqueued, .running): return enter(.stopping, .awaitFilled)
        case (.stopAfterEnqueued, .stopping): return .nothing
        // A paused microphone is not opened again to fill buffers. Therefore a pause and a stop, in either order,
        // stop the queue with the available audio.
        case (.stopAfterEnqueued, .paused), (.pause, .stopping), (.stopAtOnce, .running),
            (.stopAtOnce, .paused), (.stopAtOnce, .stopping):
            return enter(.stopped, .stopDevice)

        case (.flush, .stopped): return .nothing
        case (.flush, .running), (.flush, .paused), (.flush, .stopping): return .flushDevice

        case (.reset, .stopped): return .returnBuffers
        case (.reset, .running), (.reset, .paused): return .resetDevice
        // With nothing left to fill, a stopping queue stops.
        case (.reset, .stopping): return enter(.stopped, .stopDevice)

        case (.enqueue, .stopped), (.enqueue, .running), (.enqueue, .paused): return .proceed
        case (.enqueue, .stopping): return .fail(.enqueueDuringReset)

        case (.use, .stopped), (.use, .running), (.use, .paused), (.use, .stopping): return .proceed

        case (.configure, .stopped): return .proceed
        case (.configure, .running), (.configure, .paused), (.configure, .stopping):
            return .fail(.invalidRunState)

        case (.dispose, .stopped), (.dispose, .running), (.dispose, .paused), (.dispose, .stopping):
            return enter(.disposing, .closeDevice)
        }
    }

    mutating func apply(_ event: Event) -> Action {
        switch (event, state) {
        case (.started, .running), (.started, .paused), (.started, .stopping): return .announceRunning
        case (.filled, .stopping): return enter(.stopped, .stopDevice)
        case (.failed, .running), (.failed, .paused), (.failed, .stopping):
            return enter(.stopped, .announceFailure)
        case (.closed, .disposing): return enter(.disposed, .release)
        // Events that a later call has made obsolete, and the close of a stream, which only its queue can request.
        case (.started, .stopped), (.started, .disposing), (.started, .disposed),
            (.filled, .stopped), (.filled, .running), (.filled, .paused), (.filled, .disposing),
            (.filled, .disposed),
            (.failed, .stopped), (.failed, .disposing), (.failed, .disposed),
            (.closed, .stopped), (.closed, .running), (.closed, .paused), (.closed, .stopping),
            (.closed, .disposed):
            return .nothing
        }
    }

    private mutating func enter(_ next: State, _ action: Action) -> Action {
        state = next
        return action
    }
}
