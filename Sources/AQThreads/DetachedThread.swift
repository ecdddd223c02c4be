// SPDX-License-Identifier: MIT

import CAQRealTime
import Glibc

/// Threads of devices and queues: detached, named for debuggers, with a chosen stack size.
///
/// They block every signal that another thread can take, so that a program's handlers run only on its own threads.
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
    /// - Returns: 0, or the system's error number if it cannot create a thread; `body` is then released.
    package static func start(
        named name: String, stackBytes: Int = 256 * 1024, _ body: @escaping @Sendable () -> Void
    ) -> Int32 {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        unsafe pthread_attr_setstacksize(&attributes, stackBytes)
        // SAFETY: retained here, and released once: by the thread, or below if there is none.
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

    /// Signals that the kernel sends to the thread that caused them, possibly in a client's callback. If they were
    /// blocked, they would end the process without calling the program's handler.
    private static let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS]

    /// Blocks signals on the calling thread, so that new threads inherit the mask. Returns the previous mask.
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
