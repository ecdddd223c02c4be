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
    ///   - held: The frames that the server holds.
    ///   - blockFrames: The largest block that the sink takes.
    @_noLocks func dueFrames(held: Double, blockFrames: Int) -> Int {
        let missing = neededFrames(blockFrames) - held
        if missing < -SlicePacing.leastWaitSeconds * sampleRate { return 0 }
        return max(sliceFrames, Int(missing) &+ sliceFrames)
    }

    /// Returns the time until the next slice is due.
    @_noLocks func waitNanoseconds(held: Double, blockFrames: Int) -> UInt64 {
        UInt64(max(0, held - neededFrames(blockFrames)) / sampleRate * 1e9)
    }

    /// The frames that the server must hold when it takes the next block.
    @_noLocks private func neededFrames(_ blockFrames: Int) -> Double { Double(max(sinkFrames, blockFrames)) }
}
