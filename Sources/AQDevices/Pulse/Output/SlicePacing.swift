// SPDX-License-Identifier: MIT

/// The times at which a client's slices are rendered: late, so that they are soon audible, but in time for the sink.
///
/// The server's buffer has room for three slices. It requests data when the sink has taken some, at times that depend on
/// the periods of all clients. If slices were rendered at these times, their latency would vary by a slice, and be larger
/// than necessary. Therefore a slice is rendered when the server holds only what the sink takes next.
///
/// Belongs to the device's thread. Times are host times, in nanoseconds.
struct SlicePacing {
    /// The shortest buffer of the sink, in seconds. With less, a client would make the sink wake up too often.
    private static let leastSinkSeconds = 0.0005
    /// A time that is not worth a wake-up, in seconds.
    private static let leastWaitSeconds = 0.00015

    let sliceFrames: Int
    /// The frames that the sink is asked to take at once: half a slice.
    let sinkFrames: Int
    private let sampleRate: Double

    init(sliceFrames: Int, sampleRate: Double) {
        self.sliceFrames = sliceFrames
        self.sampleRate = sampleRate
        sinkFrames = max((sliceFrames + 1) / 2, Int(SlicePacing.leastSinkSeconds * sampleRate))
    }

    /// The requested size of the server's buffer, which slices do not fill.
    var targetFrames: Int { max(3 * sliceFrames, 3 * requestFrames) }
    /// The requested size of the server's data requests.
    ///
    /// The server rounds down to microseconds, and then to frames. With one more frame, the sink takes exactly half a
    /// slice, and all slices are rendered at the same position of its period.
    var requestFrames: Int { sinkFrames + 1 }

    // MARK: REAL-TIME from here on

    /// Returns the number of frames to write now: 0 if the server holds enough.
    ///
    /// - Parameters:
    ///   - held: The frames that the server holds, less those that were played since it took a block.
    ///   - blockFrames: The largest block that the sink takes.
    ///   - isPeriodic: Whether the server takes one block at the start of each period, and nothing of a shorter rest.
    @_noLocks func dueFrames(held: Double, blockFrames: Int, isPeriodic: Bool) -> Int {
        let missing = neededFrames(blockFrames, isPeriodic) - held
        if missing < -SlicePacing.leastWaitSeconds * sampleRate { return 0 }
        return max(sliceFrames, Int(missing) &+ sliceFrames)
    }

    /// Returns the time until the next slice is due.
    @_noLocks func waitNanoseconds(held: Double, blockFrames: Int, isPeriodic: Bool) -> UInt64 {
        UInt64(max(0, held - neededFrames(blockFrames, isPeriodic)) / sampleRate * 1e9)
    }

    /// Returns the number of frames to write while the server does not play: two slices, or the block that it takes at
    /// once.
    @_noLocks func firstFrames(blockFrames: Int) -> Int {
        max(2 &* sliceFrames, (blockFrames &+ sliceFrames &- 1) / sliceFrames &* sliceFrames)
    }

    /// The frames that the server must hold, less those that were played since it took a block.
    ///
    /// If the next block is taken at a known time, the server holds a whole block by then if this number is 0. Half of
    /// the period is kept for threads that are late.
    @_noLocks private func neededFrames(_ blockFrames: Int, _ isPeriodic: Bool) -> Double {
        Double(max(sinkFrames, isPeriodic ? blockFrames / 2 : blockFrames))
    }
}
