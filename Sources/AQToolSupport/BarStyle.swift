// SPDX-License-Identifier: MIT

import Glibc

/// The characters of bars.
public enum BarStyle: Sendable {
    case ascii
    /// Block elements and box drawing.
    ///
    /// Their width is ambiguous in Unicode. Terminals show them one column wide, unless they are configured for old
    /// East Asian programs. On such a terminal a line becomes too long, and its end is cut off.
    case blocks

    /// The style for the process's terminal: the Linux console's fonts lack most blocks.
    public static var ofTerminal: BarStyle {
        guard CharacterEncoding.isUTF8 else { return .ascii }
        // SAFETY: the tools change their environment only before they start threads.
        guard let kind = unsafe getenv("TERM") else { return .blocks }
        return unsafe strcmp(kind, "linux") == 0 ? .ascii : .blocks
    }
}
