/// The exit statuses that every tool of the package shares; `--help` lists them.
public struct ExitStatus: RawRepresentable, Sendable, Equatable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// All went well.
    public static let success = ExitStatus(rawValue: 0)
    /// Something that was asked for could not be done, for one file at least.
    public static let failure = ExitStatus(rawValue: 1)
    /// The command line was wrong (`EX_USAGE` of sysexits.h).
    public static let usage = ExitStatus(rawValue: 64)
    /// No sound server or device answers (`EX_UNAVAILABLE` of sysexits.h).
    public static let noSoundServer = ExitStatus(rawValue: 69)
    /// Data could not be written: disk full, a limit, a reader that went away (`EX_IOERR` of sysexits.h).
    public static let inputOutput = ExitStatus(rawValue: 74)

    /// Ended by a signal, as shells count it: 130 for SIGINT, 143 for SIGTERM.
    public static func interrupted(bySignal signal: Int32) -> ExitStatus {
        ExitStatus(rawValue: 128 + signal)
    }
}
