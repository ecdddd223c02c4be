import Glibc

/// What is left of a file system.
public enum DiskSpace {
    /// The bytes that this user may still write where the file `path` lies or is to lie; nil if the system
    /// does not say.
    public static func availableBytes(forFile path: String) -> Int64? {
        let directory = FilePath.directory(of: path)
        var facts = statvfs()
        // SAFETY: statvfs fills a local.
        guard unsafe statvfs(directory.isEmpty ? "." : directory, &facts) == 0 else { return nil }
        let (bytes, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }
}
