/// The frames of a client's buffers that are held back, so that a buffer is filled as late as is safe.
///
/// Belongs to the device's thread. Times are host times, in nanoseconds.
struct BufferReserve {
    /// The least audio left to play when a buffer is returned: time for a client that is on time.
    private static let leastHeldSeconds = 0.0005
    /// The time with a smaller reserve after a first shortage, and after many in succession.
    private static let shortestWait: UInt64 = 20_000_000
    private static let longestWait: UInt64 = 16_000_000_000
    /// A reserve that lasted no longer than this was useless. On machines with occasional stalls most last longer.
    private static let briefTime: UInt64 = 100_000_000

    /// The further frames that must be used up before a buffer is returned.
    private(set) var frames = 0
    private var wanted = 0
    /// The reserve between a shortage and the recovery: half. After many shortages there is none.
    private var rest = 0
    private var keptSince: UInt64 = 0
    private var leastWait = BufferReserve.shortestWait
    private var wait = BufferReserve.shortestWait
    private var shortAt: UInt64 = 0

    init() {}

    /// Reserves one buffer of three or more, if enough audio is left without it.
    ///
    /// - Parameter requestFrames: The steps in which the device reports the frames it has used.
    init(totalFrames: Int, buffers: Int, requestFrames: Int, sampleRate: Double) {
        guard buffers >= 3, requestFrames > 0 else { return }
        let bufferFrames = totalFrames / buffers
        let leastHeld = max(requestFrames, Int(BufferReserve.leastHeldSeconds * sampleRate))
        let spared = max(0, min(bufferFrames, totalFrames - bufferFrames - leastHeld))
        wanted = spared / requestFrames * requestFrames
        frames = wanted
        rest = wanted / 2 / requestFrames * requestFrames
        // Several rounds of buffers, whatever their length.
        leastWait = max(leastWait, UInt64(Double(4 * totalFrames) / sampleRate * 1e9))
        wait = leastWait
    }

    /// Halves the reserve for a time, because the device nearly ran out. REAL-TIME.
    ///
    /// The time doubles if the next shortage comes soon, and is halved if not. If it has become long, there is no
    /// reserve.
    @_noLocks mutating func runsShort(at now: UInt64) {
        guard wanted > 0 else { return }
        // Shortages before the recovery restart the time.
        if frames == wanted, shortAt != 0 {
            let isSoon = now &- keptSince < max(BufferReserve.briefTime, 2 &* leastWait)
            let longest = max(leastWait, BufferReserve.longestWait)
            wait = isSoon ? min(2 &* wait, longest) : max(wait / 2, leastWait)
        }
        frames = wait > 16 &* leastWait ? 0 : rest
        shortAt = now
    }

    /// Restores the reserve after a long enough time without a shortage. REAL-TIME.
    @_noLocks mutating func recover(at now: UInt64) {
        guard frames < wanted, now &- shortAt >= wait else { return }
        frames = wanted
        keptSince = now
    }

    /// Whether the reserve is reduced and ``recover(at:)`` will restore it.
    var isGiven: Bool { @_noLocks get { frames < wanted } }
}
