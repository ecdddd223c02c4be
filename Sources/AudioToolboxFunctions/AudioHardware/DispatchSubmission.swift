import CQueueDispatch

/// A dispatch queue of a C program, on which closures are run.
@safe final class DispatchSubmission {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    // SAFETY: retained as long as this is; libdispatch retains it for as long as work waits there.
    private let queue: OpaquePointer

    /// - Parameter queue: A `dispatch_queue_t`, which is retained.
    init(_ queue: OpaquePointer) {
        unsafe self.queue = queue
        unsafe aq_dispatch_retain(queue)
    }

    deinit { unsafe aq_dispatch_release(queue) }

    /// Has the queue run `body`, after all that was submitted before if it is serial. From any thread.
    func submit(_ body: @escaping @Sendable () -> Void) {
        // SAFETY: the one call that the queue makes gets the reference that is retained here.
        unsafe aq_dispatch_async(queue, Unmanaged.passRetained(Work(body)).toOpaque()) { work in
            guard let work = unsafe work else { return }
            unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        }
    }
}
