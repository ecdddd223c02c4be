public import AudioFiles
import Glibc

/// What is left of a file system.
public enum DiskSpace {
    /// The bytes that this user may still write where the file `path` lies or is to lie; nil if the system
    /// does not say.
    public static func availableBytes(forFile path: FilePath) -> Int64? {
        let directory = path.directory
        var facts = statvfs()
        // SAFETY: statvfs fills a local.
        guard unsafe statvfs((directory == "" ? "." : directory).cString, &facts) == 0 else { return nil }
        let (bytes, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }
}
