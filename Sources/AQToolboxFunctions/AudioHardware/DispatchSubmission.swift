// SPDX-License-Identifier: MIT

import CAQQueueDispatch

/// A dispatch queue of a C program, which runs closures.
@safe final class DispatchSubmission {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    // SAFETY: this object retains the queue, and so does libdispatch while work waits in the queue.
    private let queue: OpaquePointer

    /// - Parameter queue: A `dispatch_queue_t`, which is retained.
    init(_ queue: OpaquePointer) {
        unsafe self.queue = queue
        unsafe aq_dispatch_retain(queue)
    }

    /// Makes a serial queue whose work runs on another queue.
    ///
    /// - Parameter target: A `dispatch_queue_t`, which is retained.
    init(serialOver target: OpaquePointer) { unsafe queue = aq_dispatch_queue_over(target) }

    deinit { unsafe aq_dispatch_release(queue) }

    /// Runs `body` on the queue, after all earlier submissions if the queue is serial.
    ///
    /// May be called from any thread.
    func submit(_ body: @escaping @Sendable () -> Void) {
        // SAFETY: the queue's single call releases the reference that is retained here.
        unsafe aq_dispatch_async(queue, Unmanaged.passRetained(Work(body)).toOpaque()) { work in
            guard let work = unsafe work else { return }
            unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        }
    }
}
