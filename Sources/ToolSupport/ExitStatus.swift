/// The exit statuses that every tool of the package shares; `--help` lists those that it has.
///
/// What cannot be done for reasons in the command line alone is ``usage``. Whatever stands against an output, of which a
/// file that exists already and a folder that is missing are the commonest, is ``inputOutput``; whatever stands against
/// an input ``failure``. Where several files fail in different ways, ``inputOutput`` goes before ``failure``, since it
/// will befall the next file too.
public struct ExitStatus: RawRepresentable, Sendable, Equatable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// All went well.
    public static let success = ExitStatus(rawValue: 0)
    /// An input could not be read, or what was asked for could not be done with it, for one file at least.
    public static let failure = ExitStatus(rawValue: 1)
    /// A check found all audio whole, and something else in a file that is not as it should be.
    public static let warnings = ExitStatus(rawValue: 2)
    /// The command line was wrong (`EX_USAGE` of sysexits.h).
    public static let usage = ExitStatus(rawValue: 64)
    /// No sound server or device answers (`EX_UNAVAILABLE` of sysexits.h).
    public static let noSoundServer = ExitStatus(rawValue: 69)
    /// An output could not be created or written: it exists, disk full, a limit, a reader that went away (`EX_IOERR` of
    /// sysexits.h).
    public static let inputOutput = ExitStatus(rawValue: 74)

    /// Ended by a signal, as shells count it: 130 for SIGINT, 143 for SIGTERM.
    public static func interrupted(bySignal signal: Int32) -> ExitStatus {
        ExitStatus(rawValue: 128 + signal)
    }
}
