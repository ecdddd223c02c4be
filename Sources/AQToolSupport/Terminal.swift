// SPDX-License-Identifier: MIT

import Glibc

/// A terminal from which keys are read. It is restored however the process ends.
///
/// Used by one thread, and by the handlers that restore it.
public final class Terminal {
    public let readDescriptor: Int32
    private let ownsDescriptor: Bool
    /// Whether keys arrive one by one and are not shown.
    public private(set) var isReadingKeys = false

    /// The terminal at standard input, or the controlling one if standard input is data; nil without one.
    public static func forKeys(standardInputIsData: Bool) -> Terminal? {
        if !standardInputIsData && isTerminal(0) { return Terminal(0, ownsDescriptor: false) }
        guard standardInputIsData else { return nil }
        let descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        return descriptor >= 0 ? Terminal(descriptor, ownsDescriptor: true) : nil
    }

    private init(_ descriptor: Int32, ownsDescriptor: Bool) {
        readDescriptor = descriptor
        self.ownsDescriptor = ownsDescriptor
    }

    deinit {
        stopReadingKeys()
        if ownsDescriptor { close(readDescriptor) }
    }

    public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Returns whether `descriptor` is a terminal that supports escape sequences.
    public static func takesEscapeSequences(_ descriptor: Int32) -> Bool {
        guard isTerminal(descriptor), let kind = unsafe getenv("TERM") else { return isTerminal(descriptor) }
        return unsafe String(cString: kind) != "dumb"
    }

    /// The width of the window of `descriptor`, or 80 if it has none.
    public static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        // SAFETY: TIOCGWINSZ fills a local `winsize`.
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Makes keys arrive one by one without being shown; Ctrl-C and Ctrl-Z still send signals.
    ///
    /// Does nothing in a job in the background, because the system stops a job that changes the terminal there. Call it
    /// again when the process continues.
    public func startReadingKeys() {
        guard !isReadingKeys, tcgetpgrp(readDescriptor) == getpgrp() else { return }
        var settings = termios()
        // SAFETY: tcgetattr fills a local.
        guard unsafe tcgetattr(readDescriptor, &settings) == 0 else { return }
        TerminalGuard.arm(descriptor: readDescriptor, settings: settings)
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        unsafe withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            // A read waits for only one byte; the descriptor is polled first.
            unsafe characters[Int(VMIN)] = 1
            unsafe characters[Int(VTIME)] = 0
        }
        isReadingKeys = unsafe tcsetattr(readDescriptor, TCSADRAIN, &settings) == 0
        if !isReadingKeys { TerminalGuard.restore() }
    }

    /// Whether this is the process's controlling terminal, in whose foreground the process can be.
    var canBeOurs: Bool { tcgetpgrp(readDescriptor) >= 0 }

    /// Restores the terminal.
    public func stopReadingKeys() {
        guard isReadingKeys else { return }
        isReadingKeys = false
        TerminalGuard.restore()
    }

    /// The typed bytes, at most 64 at a time; nil after the terminal has been closed.
    public func readBytes() -> [UInt8]? {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
            let result = unsafe read(readDescriptor, buffer.baseAddress, buffer.count)
            count = max(result, 0)
        }
        return bytes.isEmpty && errno != EINTR && errno != EAGAIN ? nil : bytes
    }
}
