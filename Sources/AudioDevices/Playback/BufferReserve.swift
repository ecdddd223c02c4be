/// How much of a client's buffers is kept back, to be filled as late as is safe.
///
/// Belongs to the device's thread. Times are host times, in nanoseconds.
struct BufferReserve {
    /// What has to be left to play at least when a buffer returns: time for a client that is not late.
    private static let leastHeldSeconds = 0.001
    /// How long nothing is kept back after a first shortage, and after many that follow each other.
    private static let shortestWait: UInt64 = 50_000_000
    private static let longestWait: UInt64 = 16_000_000_000

    /// How many frames more have to be used up before a buffer returns.
    private(set) var frames = 0
    private var wanted = 0
    private var leastWait = BufferReserve.shortestWait
    private var wait = BufferReserve.shortestWait
    private var shortAt: UInt64 = 0

    init() {}

    /// One buffer of three or more, as far as enough is left without it.
    ///
    /// - Parameter requestFrames: The steps in which the device tells what it has used up.
    init(totalFrames: Int, buffers: Int, requestFrames: Int, sampleRate: Double) {
        guard buffers >= 3, requestFrames > 0 else { return }
        let bufferFrames = totalFrames / buffers
        let leastHeld = max(requestFrames, Int(BufferReserve.leastHeldSeconds * sampleRate))
        let spared = max(0, min(bufferFrames, totalFrames - bufferFrames - leastHeld))
        wanted = spared / requestFrames * requestFrames
        frames = wanted
        // Some rounds of buffers, however long they are.
        leastWait = max(leastWait, UInt64(Double(4 * totalFrames) / sampleRate * 1e9))
        wait = leastWait
    }

    /// Keeps nothing back for a time: the device nearly ran out. REAL-TIME.
    ///
    /// The time doubles when that comes again soon, and halves when it does not.
    @_noLocks mutating func runsShort(at now: UInt64) {
        guard frames > 0 || shortAt != 0 else { return }
        if frames > 0, shortAt != 0 {
            wait =
                now &- shortAt < 8 &* wait
                ? min(2 &* wait, max(leastWait, BufferReserve.longestWait)) : max(wait / 2, leastWait)
        }
        frames = 0
        shortAt = now
    }

    /// Keeps back what it did before, once there was no shortage for long enough. REAL-TIME.
    @_noLocks mutating func recover(at now: UInt64) {
        if frames < wanted, now &- shortAt >= wait { frames = wanted }
    }

    /// Whether ``recover(at:)`` has something to wait for.
    var isGiven: Bool { @_noLocks get { frames < wanted } }
}
