import CRealTime
import Glibc

/// Threads of devices and queues: detached, with a name that debuggers show, and a stack of a chosen size.
///
/// They block every signal that another thread could take: a program's handlers run on its own threads alone.
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
        let previousSignals = blockSignals()
        let status = unsafe pthread_create(
            &thread, &attributes,
            { context in
                guard let context = unsafe context else { return nil }
                let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                unsafe body.name.withCString { unsafe aq_name_thread($0) }
                body.run()
                return nil
            }, box.toOpaque())
        restoreSignals(previousSignals)
        if status != 0 { unsafe box.release() }
        return status
    }

    /// Those that the kernel sends to the thread whose fault they are, which may be in a client's callback: blocked,
    /// they would end the process without the program's handler.
    private static let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS]

    /// Blocks signals on the calling thread, for threads that it creates to inherit that; returns the mask before.
    private static func blockSignals() -> sigset_t {
        var signals = sigset_t()
        var previous = sigset_t()
        unsafe sigfillset(&signals)
        for fault in faults { unsafe sigdelset(&signals, fault) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, &previous)
        return previous
    }

    private static func restoreSignals(_ previous: sigset_t) {
        var previous = previous
        unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
    }
}
