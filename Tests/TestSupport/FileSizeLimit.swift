import Glibc

/// A limit on the size of files, past which writes fail; for a process of its own.
public enum FileSizeLimit {
    /// Has each file of this process end at a size.
    ///
    /// - Parameter ignoringSignal: Whether the signal that the system sends as well is ignored, or what is tested sees
    ///   to it.
    public static func set(bytes: Int, ignoringSignal: Bool = true) {
        if ignoringSignal { signal(SIGXFSZ, SIG_IGN) }
        var limits = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        let status = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
        precondition(status == 0, "cannot limit files to \(bytes) bytes: \(SystemFile.lastError)")
    }
}
