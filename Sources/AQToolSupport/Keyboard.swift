// SPDX-License-Identifier: MIT

import Glibc

/// The keys of a terminal, for a thread that waits in `poll`.
///
/// A job in the background reads no keys and does not draw. A shell does not notify a job that comes to the foreground
/// without having been stopped, so the terminal is polled.
public final class Keyboard {
    /// The interval at which a job in the background checks whether it is in the foreground.
    private static let foregroundCheckMilliseconds: Int32 = 500
    /// The time without another byte after which a lone Escape is the key Escape.
    private static let escapeMilliseconds: Int32 = 50

    private let terminal: Terminal?
    private var decoder = KeyDecoder()
    /// Whether the terminal is closed.
    private var isGone = false

    /// - Parameter terminal: The terminal; nil for no keys.
    public init(_ terminal: Terminal?) { self.terminal = terminal }

    /// Whether the process may draw: no keys are read from a terminal, or the process is in its foreground.
    public var mayDraw: Bool { terminal?.isReadingKeys ?? true }

    /// Begins to take keys, unless the process is in the background.
    public func start() { terminal?.startReadingKeys() }

    /// Restores the terminal.
    public func stop() { terminal?.stopReadingKeys() }

    /// Waits for a signal, for data at the descriptor `events`, or for a key. If `milliseconds` is -1, there is no
    /// limit.
    ///
    /// - Returns: Whether there may be signals or events.
    public func wait(
        for signals: SignalWaiter, events: Int32, milliseconds: Int32, _ press: (Key) -> Void
    ) -> Bool {
        let descriptors = [signals.readDescriptor, events, pollDescriptor]
        var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let ready = unsafe poll(&requests, nfds_t(requests.count), timeout(orElse: milliseconds))
        for key in takeKeys(isReadable: ready > 0 && requests[2].revents != 0) { press(key) }
        return ready > 0
    }

    /// The descriptor for `poll`; -1, which `poll` ignores, if no keys are read.
    private var pollDescriptor: Int32 {
        guard let terminal, terminal.isReadingKeys, !isGone else { return -1 }
        return terminal.readDescriptor
    }

    /// The timeout for `poll`: `milliseconds`, or less if the keyboard itself needs it. -1 is no limit.
    private func timeout(orElse milliseconds: Int32) -> Int32 {
        let own =
            decoder.isPending
            ? Self.escapeMilliseconds : isInBackground ? Self.foregroundCheckMilliseconds : -1
        if own < 0 || milliseconds < 0 { return max(own, milliseconds) }
        return min(own, milliseconds)
    }

    /// Returns the pressed keys after a call of `poll`. `isReadable` is true if ``pollDescriptor`` had an event.
    private func takeKeys(isReadable: Bool) -> [Key] {
        guard isReadable else {
            if isInBackground { start() }
            return decoder.timeOut().map { [$0] } ?? []
        }
        guard let bytes = terminal?.readBytes() else {
            isGone = true
            return []
        }
        return bytes.compactMap { decoder.decode($0) }
    }

    private var isInBackground: Bool { terminal.map { !$0.isReadingKeys && $0.canBeOurs } ?? false }
}
