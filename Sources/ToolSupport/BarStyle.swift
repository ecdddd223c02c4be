import Glibc

/// The characters that bars are drawn with.
public enum BarStyle: Sendable {
    case ascii
    /// Block elements and box drawing.
    ///
    /// Unicode calls their width ambiguous. Terminals show them one column wide, unless they are set up for
    /// old East Asian programs; there a line becomes too long, and its end is cut off.
    case blocks

    /// The style that the process's terminal can show: the Linux console's fonts lack most of the blocks.
    public static var ofTerminal: BarStyle {
        guard CharacterEncoding.isUTF8 else { return .ascii }
        // SAFETY: the tools change their environment only before they start threads.
        guard let kind = unsafe getenv("TERM") else { return .blocks }
        return unsafe strcmp(kind, "linux") == 0 ? .ascii : .blocks
    }
}
