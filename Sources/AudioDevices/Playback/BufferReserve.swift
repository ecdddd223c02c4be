/// How much of a client's buffers is kept back, to be filled as late as is safe.
///
/// Belongs to the device's thread. Times are host times, in nanoseconds.
struct BufferReserve {
    /// What has to be left to play at least when a buffer returns: time for a client that is not late.
    private static let leastHeldSeconds = 0.0005
    /// How long less is kept back after a first shortage, and after many that follow each other.
    private static let shortestWait: UInt64 = 20_000_000
    private static let longestWait: UInt64 = 16_000_000_000
    /// A reserve that lasted no longer was not worth while. Of machines that stall now and then most last longer.
    private static let briefTime: UInt64 = 100_000_000

    /// How many frames more have to be used up before a buffer returns.
    private(set) var frames = 0
    private var wanted = 0
    /// What is kept back between a shortage and the recovery, but after many: half.
    private var rest = 0
    private var keptSince: UInt64 = 0
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
        rest = wanted / 2 / requestFrames * requestFrames
        // Some rounds of buffers, however long they are.
        leastWait = max(leastWait, UInt64(Double(4 * totalFrames) / sampleRate * 1e9))
        wait = leastWait
    }

    /// Keeps half back for a time: the device nearly ran out. REAL-TIME.
    ///
    /// The time doubles when that comes again soon, and halves when it does not; where it has become long, nothing is
    /// kept back.
    @_noLocks mutating func runsShort(at now: UInt64) {
        guard wanted > 0 else { return }
        // Shortages before the recovery begin the time anew.
        if frames == wanted, shortAt != 0 {
            let isSoon = now &- keptSince < max(BufferReserve.briefTime, 2 &* leastWait)
            let longest = max(leastWait, BufferReserve.longestWait)
            wait = isSoon ? min(2 &* wait, longest) : max(wait / 2, leastWait)
        }
        frames = wait > 16 &* leastWait ? 0 : rest
        shortAt = now
    }

    /// Keeps back what it did before, once there was no shortage for long enough. REAL-TIME.
    @_noLocks mutating func recover(at now: UInt64) {
        guard frames < wanted, now &- shortAt >= wait else { return }
        frames = wanted
        keptSince = now
    }

    /// Whether ``recover(at:)`` has something to wait for.
    var isGiven: Bool { @_noLocks get { frames < wanted } }
}
