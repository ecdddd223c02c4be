import Glibc
import Testing

/// Writing past a limit on the size of files; for a process of its own.
enum WriteLimit {
    /// Has each file of this process end at a size.
    static func set(bytes: Int) {
        signal(SIGXFSZ, SIG_IGN)
        var limits = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0)
    }
}
