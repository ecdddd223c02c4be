// SPDX-License-Identifier: MIT

/// The number of frames by which the return of a client's used buffer is delayed, so that buffers are filled as late as
/// is safe.
///
/// Belongs to the device's thread. Times are host times, in nanoseconds.
struct BufferReserve {
    /// The shortest audio that must be left to play when a buffer is returned: enough time for a client that is not
    /// late.
    private static let leastHeldSeconds = 0.0005
    /// The time with a reduced reserve: after a first shortage, and after many shortages in succession.
    private static let shortestWait: UInt64 = 20_000_000
    private static let longestWait: UInt64 = 16_000_000_000
    /// The longest time between a recovery and a shortage that counts as soon. If a machine only stalls occasionally,
    /// most of these times are longer.
    private static let briefTime: UInt64 = 100_000_000

    /// The further frames that must be used up before a buffer is returned.
    private(set) var frames = 0
    private var wanted = 0
    /// The reserve between a shortage and the recovery: half of ``wanted``. After many shortages, 0 is used instead.
    private var rest = 0
    private var keptSince: UInt64 = 0
    private var leastWait = BufferReserve.shortestWait
    private var wait = BufferReserve.shortestWait
    private var shortAt: UInt64 = 0

    init() {}

    /// Reserves one buffer of three or more, if enough audio is left without it.
    ///
    /// - Parameter requestFrames: The step, in frames, in which the device reports the frames that it has used.
    init(totalFrames: Int, buffers: Int, requestFrames: Int, sampleRate: Double) {
        guard buffers >= 3, requestFrames > 0 else { return }
        let bufferFrames = totalFrames / buffers
        let leastHeld = max(requestFrames, Int(BufferReserve.leastHeldSeconds * sampleRate))
        let spared = max(0, min(bufferFrames, totalFrames - bufferFrames - leastHeld))
        wanted = spared / requestFrames * requestFrames
        frames = wanted
        rest = wanted / 2 / requestFrames * requestFrames
        // At least four rounds of all buffers, whatever their length.
        leastWait = max(leastWait, UInt64(Double(4 * totalFrames) / sampleRate * 1e9))
        wait = leastWait
    }

    /// Halves the reserve for a time, because the device has nearly run out of audio. REAL-TIME.
    ///
    /// The time doubles if the next shortage comes soon; otherwise it is halved. While the time is long, the reserve is
    /// 0 instead of half.
    @_noLocks mutating func runsShort(at now: UInt64) {
        guard wanted > 0 else { return }
        // A shortage before the recovery only restarts the time.
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
