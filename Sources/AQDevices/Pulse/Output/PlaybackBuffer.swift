// SPDX-License-Identifier: MIT

/// The buffer requested from the server, the granted one, and the reserve of the client's buffers.
struct PlaybackBuffer {
    /// The longest buffer of the sink, in seconds. It is limited, because frames in the sink cannot be faded or
    /// rewritten.
    private static let longestSinkSeconds = 0.04

    private let sampleRate: Double
    /// The smallest size of the server's buffer. With less than 1 ms, a client would make the whole sink wake up as
    /// often.
    private let leastTargetFrames: Int
    /// Whether a buffer is returned when the server has used it up, not when the server has taken it.
    let returnsWhenUsedUp: Bool
    /// The times of the client's slices; nil if it enqueues segments.
    let slices: SlicePacing?

    /// The length of the first write: long enough that the rest arrives in time on a busy machine.
    let firstWriteFrames: Int

    /// The requested size of the server's buffer.
    private(set) var targetFrames: Int
    /// The requested size of the server's data requests.
    private(set) var requestFrames = 1
    /// The granted size of the server's buffer, and of its data requests.
    private(set) var grantedFrames = 0
    private var grantedRequestFrames = 0
    /// The length of the client's buffers.
    private var bufferFrames = 0
    /// The reserve of the client's buffers, if there is no other buffer.
    private var reserve = BufferReserve()

    init(_ configuration: OutputStreamConfiguration) {
        sampleRate = configuration.format.sampleRate
        leastTargetFrames = PlaybackBuffer.leastTargetFrames(configuration)
        firstWriteFrames = max(1, Int(0.05 * sampleRate))
        targetFrames = leastTargetFrames
        let rate = sampleRate
        slices = configuration.slices.map { SlicePacing(sliceFrames: $0.frames, sampleRate: rate) }
        returnsWhenUsedUp = configuration.latency == .buffers || slices != nil
    }

    static func leastTargetFrames(_ configuration: OutputStreamConfiguration) -> Int {
        let seconds =
            switch configuration.latency {
            // With this order of the arguments, NaN becomes the minimum.
            case .seconds(let seconds): max(0.001, min(seconds, 10))
            case .buffers: 0.001
            }
        return max(16, Int(seconds * configuration.format.sampleRate))
    }

    /// Chooses the requested sizes for the waiting audio.
    ///
    /// - Parameters:
    ///   - frames: The waiting frames.
    ///   - segments: The number of client buffers that hold them.
    mutating func choose(frames: Int, segments: Int) {
        if let slices {
            (targetFrames, requestFrames) = (slices.targetFrames, slices.requestFrames)
            return
        }
        guard returnsWhenUsedUp else {
            // The server gives the sink half of the buffer that two requests leave. With this size of requests, the
            // sink gets a quarter of the buffer but at most 40 ms, and a large buffer has large, rare requests.
            let sink = min(targetFrames / 4, Int(PlaybackBuffer.longestSinkSeconds * sampleRate))
            requestFrames = max(1, targetFrames / 2 - sink)
            return
        }
        // If a stream is made again while the client fills its buffers, the next buffers will be like the previous
        // ones.
        if segments == 0, grantedFrames > 0 { return }
        targetFrames = max(min(frames, Int(10 * sampleRate)), leastTargetFrames)
        // There are two requests, and two of the sink's periods, per client buffer. So a used buffer is reported and
        // returned in time, wherever in a period it ends. With requests of whole buffers, reports are late when buffers
        // and periods drift apart. Shorter requests only cause more wake-ups. Long requests are limited, so that the
        // sink holds few frames, which cannot be faded.
        bufferFrames = targetFrames / max(1, segments)
        requestFrames = max(1, min(bufferFrames / 2, Int(PlaybackBuffer.longestSinkSeconds * sampleRate)))
        reserve = BufferReserve(
            totalFrames: targetFrames, buffers: segments, requestFrames: requestFrames, sampleRate: sampleRate
        )
    }

    mutating func grant(_ frames: Int, requestFrames: Int) {
        (grantedFrames, grantedRequestFrames) = (frames, requestFrames)
    }

    /// Drops the reserve.
    mutating func giveReserve() { reserve = BufferReserve() }

    // MARK: REAL-TIME from here on

    /// The longest block that a server with this buffer takes at once: there is room for two requests besides.
    var mostBlockFrames: Int { @_noLocks get { max(0, grantedFrames &- 2 &* grantedRequestFrames) } }

    /// The number of frames that the server has not played, if it requests `asked` frames.
    @_noLocks func heldFrames(asked: Int) -> Int { max(0, grantedFrames &- asked) }

    /// The number of written frames whose buffers are not returned: those that the server holds, and the reserve.
    ///
    /// The latency of a frame is the duration of the audio before it when it is written. If there are three or more
    /// buffers, one is a reserve: it is returned when another buffer is used up, so that the client writes as late as
    /// is safe. If the server's buffer still nearly runs out, the reserve is reduced, so that used buffers are returned
    /// at once. This prevents a gap if the client's next audio is in time. The reserve is not audible: it moves
    /// callbacks, not audio.
    ///
    /// - Parameters:
    ///   - asked: The frames that the server requests.
    ///   - periodFrames: The block that the server takes at once, or not at all; 0 if it takes any number of frames.
    @_noLocks mutating func keptFrames(
        asked: Int, hasPlayed: Bool, periodFrames: Int, at now: UInt64
    ) -> Int {
        let held = heldFrames(asked: asked)
        let carried = carriedFrames(periodFrames)
        if carried > 0 { return max(0, held &- carried) }
        // The sink's next request would find too little data.
        if held < requestFrames, hasPlayed { reserve.runsShort(at: now) }
        if reserve.isGiven { reserve.recover(at: now) }
        return held &+ reserve.frames
    }

    /// The number of frames that the server must hold in addition to the client's buffers, so that there is always a
    /// block for it to take: buffers that are shorter in total are returned so much earlier. A buffer of which a part is
    /// used is not returned.
    @_noLocks private func carriedFrames(_ periodFrames: Int) -> Int {
        if periodFrames == 0 { return 0 }
        if slices != nil { return 0 }
        return max(0, periodFrames &+ bufferFrames &- targetFrames)
    }

    @_noLocks mutating func underran(at now: UInt64) { reserve.runsShort(at: now) }
}
