// SPDX-License-Identifier: MIT

import Glibc

/// A file-size limit, past which writes fail; for its own process.
public enum FileSizeLimit {
    /// Sets a size limit for each file of this process.
    ///
    /// - Parameter ignoringSignal: Whether the signal SIGXFSZ is ignored, or handled by the tested code.
    public static func set(bytes: Int, ignoringSignal: Bool = true) {
        if ignoringSignal { signal(SIGXFSZ, SIG_IGN) }
        var limits = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        let status = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
        precondition(status == 0, "cannot limit files to \(bytes) bytes: \(SystemFile.lastError)")
    }
}
