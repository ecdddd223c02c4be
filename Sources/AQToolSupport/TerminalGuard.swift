// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Keeps the original settings of a terminal, and restores them at the end of the process: at `exit`, and before a
/// signal such as SIGSEGV ends the process.
enum TerminalGuard {
    /// Keeps `settings` and installs the handlers that restore them.
    static func arm(descriptor: Int32, settings: termios) {
        guardedDescriptor.store(-1, ordering: .relaxed)
        unsafe guardedSettings = settings
        guardedDescriptor.store(descriptor, ordering: .releasing)
        if isInstalled.exchange(true, ordering: .relaxed) { return }
        atexit { TerminalGuard.restore() }
        for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGQUIT] {
            var action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = { signal in
                // SAFETY: tcsetattr and raise are async-signal-safe. SA_RESETHAND has restored the default
                // action, so that the signal then ends the process normally.
                TerminalGuard.restore()
                raise(signal)
            }
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            // SAFETY: the action is a local; the handler captures nothing.
            unsafe _ = sigaction(signal, &action, nil)
        }
    }

    /// Restores the settings, once. Calls only functions that are async-signal-safe.
    static func restore() {
        let descriptor = guardedDescriptor.exchange(-1, ordering: .acquiring)
        guard descriptor >= 0 else { return }
        // SAFETY: the settings were written before the descriptor was stored.
        unsafe _ = tcsetattr(descriptor, TCSANOW, &guardedSettings)
    }
}

/// The terminal to restore; -1 if there is none.
private let guardedDescriptor = Atomic<Int32>(-1)
private let isInstalled = Atomic(false)
// SAFETY: written only while the descriptor is -1, and read after the descriptor was taken from it.
nonisolated(unsafe) private var guardedSettings = termios()
