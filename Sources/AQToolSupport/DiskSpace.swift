// SPDX-License-Identifier: MIT

public import AQFiles
import Glibc

/// The free space of a file system.
public enum DiskSpace {
    /// The number of bytes that this user may still write to the file system of `path`; nil if the system does not
    /// report this number.
    public static func availableBytes(forFile path: FilePath) -> Int64? {
        let directory = path.directory
        var facts = statvfs()
        // SAFETY: statvfs fills a local.
        guard unsafe statvfs((directory == "" ? "." : directory).cString, &facts) == 0 else { return nil }
        let (bytes, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }
}
