import Glibc

/// The keys that are pressed at a terminal, for a thread that waits in `poll`.
///
/// A job in the background takes no keys and leaves the screen alone. A shell does not tell a job that was not
/// stopped when it comes to the foreground, so that is looked for.
public final class Keyboard {
    /// How long keys may be typed in vain after a job came to the foreground.
    private static let foregroundCheckMilliseconds: Int32 = 500
    /// After this long without a byte, a lone Escape is the key of that name.
    private static let escapeMilliseconds: Int32 = 50

    private let terminal: Terminal?
    private var decoder = KeyDecoder()
    /// Whether the terminal sends no keys any more.
    private var isGone = false

    /// - Parameter terminal: Nil gives no keys, ever.
    public init(_ terminal: Terminal?) { self.terminal = terminal }

    /// Whether the process may draw on the terminal: there is none to take keys from, or it is ours now.
    public var mayDraw: Bool { terminal?.isReadingKeys ?? true }

    /// Begins to take keys, unless the process is in the background.
    public func start() { terminal?.startReadingKeys() }

    /// Puts the terminal back as it was.
    public func stop() { terminal?.stopReadingKeys() }

    /// What `poll` is to wait for; -1, which it ignores, while there is nothing.
    public var pollDescriptor: Int32 {
        guard let terminal, terminal.isReadingKeys, !isGone else { return -1 }
        return terminal.readDescriptor
    }

    /// How long `poll` may wait where it otherwise would `milliseconds`, of which -1 is for ever.
    public func timeout(orElse milliseconds: Int32) -> Int32 {
        let own =
            decoder.isPending
            ? Self.escapeMilliseconds : isInBackground ? Self.foregroundCheckMilliseconds : -1
        if own < 0 || milliseconds < 0 { return max(own, milliseconds) }
        return min(own, milliseconds)
    }

    /// The keys that were pressed, after `poll` returned.
    ///
    /// - Parameter isReadable: Whether it has something to say of ``pollDescriptor``.
    public func takeKeys(isReadable: Bool) -> [Key] {
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
