import CAudioToolbox

/// A dispatch queue of a C program, on which closures are run.
///
/// Swift's own class of dispatch queues cannot be made from a queue of C, so that this calls libdispatch itself.
@safe final class DispatchSubmission {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    // SAFETY: retained from here on until the last closure was handed over and this is let go of.
    private let queue: OpaquePointer

    /// Retains a `dispatch_queue_t`.
    init(_ queue: OpaquePointer) {
        unsafe self.queue = queue
        unsafe dispatch_retain(DispatchSubmission.object(queue))
    }

    deinit { unsafe dispatch_release(DispatchSubmission.object(queue)) }

    /// Has the queue run `body`, after all that was submitted before if it is serial. From any thread.
    func submit(_ body: @escaping @Sendable () -> Void) {
        // SAFETY: retained here, and released by the one call that the queue makes.
        let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
        unsafe dispatch_async_f(queue, work) { work in
            guard let work = unsafe work else { return }
            let taken = unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue()
            taken.body()
        }
    }

    private static func object(_ queue: OpaquePointer) -> dispatch_object_t {
        // SAFETY: the type is a union of pointers to all kinds of objects.
        unsafe unsafeBitCast(queue, to: dispatch_object_t.self)
    }
}
