// SPDX-License-Identifier: MIT

/// The exit statuses of all tools of the package; `--help` lists those of a tool.
///
/// ``usage`` is for failures that follow from the command line alone. ``inputOutput`` is for every failure of an
/// output, such as a file that exists or a missing folder; ``failure`` is for every failure of an input. If several
/// files fail, ``inputOutput`` takes precedence, because the failure probably affects the next output too.
public struct ExitStatus: RawRepresentable, Sendable, Equatable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Success.
    public static let success = ExitStatus(rawValue: 0)
    /// The status if an input could not be read, or not be processed as requested.
    public static let failure = ExitStatus(rawValue: 1)
    /// The status if a check found all audio intact, but other problems in a file.
    public static let warnings = ExitStatus(rawValue: 2)
    /// The status if a check could not decode a file, because there is no decoder for it, and found no fault.
    public static let unchecked = ExitStatus(rawValue: 3)
    /// The status for an invalid command line (`EX_USAGE` of sysexits.h).
    public static let usage = ExitStatus(rawValue: 64)
    /// The status if no sound server or device answers (`EX_UNAVAILABLE` of sysexits.h).
    public static let noSoundServer = ExitStatus(rawValue: 69)
    /// The status if an output exists, or cannot be created or written (`EX_IOERR` of sysexits.h).
    public static let inputOutput = ExitStatus(rawValue: 74)

    /// The status after a signal, as in shells: 130 for SIGINT, 143 for SIGTERM.
    public static func interrupted(bySignal signal: Int32) -> ExitStatus {
        ExitStatus(rawValue: 128 + signal)
    }
}
