import CRealTime
import Glibc

/// Threads of devices and queues: detached, with a name that debuggers show, and a stack of a chosen size.
package enum DetachedThread {
    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void
        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Starts a thread that ends when `body` returns.
    ///
    /// - Returns: 0, or the system's error number when it has no thread to give; `body` is let go then.
    package static func start(
        named name: String, stackBytes: Int = 256 * 1024, _ body: @escaping @Sendable () -> Void
    ) -> Int32 {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        unsafe pthread_attr_setstacksize(&attributes, stackBytes)
        // SAFETY: retained here, and released once: by the thread, or below when there is none.
        let box = unsafe Unmanaged.passRetained(Body(name: name, run: body))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, &attributes,
            { context in
                guard let context = unsafe context else { return nil }
                let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                unsafe body.name.withCString { unsafe aq_name_thread($0) }
                body.run()
                return nil
            }, box.toOpaque())
        if status != 0 { unsafe box.release() }
        return status
    }
}
