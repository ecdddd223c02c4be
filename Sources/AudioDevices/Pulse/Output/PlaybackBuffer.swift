/// The buffer that is asked of the server, what it granted, and what of the client's buffers is kept back.
struct PlaybackBuffer {
    /// What the sink holds can no longer be faded or rewritten.
    private static let longestSinkSeconds = 0.04

    private let sampleRate: Double
    /// The least that is asked for. Below 1 ms a client would drag the whole sink to its wake-up rate.
    private let leastTargetFrames: Int
    /// Whether a buffer is returned when the server has used it up, rather than when it has taken it.
    let returnsWhenUsedUp: Bool

    /// How much is written at first: so much that the rest is not late, however busy the machine.
    let firstWriteFrames: Int

    /// How much the server is asked to hold.
    private(set) var targetFrames: Int
    /// How much the server is asked to ask for at a time.
    private(set) var requestFrames = 1
    /// How much it has granted to hold.
    private(set) var grantedFrames = 0
    /// Of the client's buffers, if they are all that there is.
    private var reserve = BufferReserve()

    init(_ configuration: OutputStreamConfiguration) {
        sampleRate = configuration.format.sampleRate
        leastTargetFrames = PlaybackBuffer.leastTargetFrames(configuration)
        firstWriteFrames = max(1, Int(0.05 * sampleRate))
        targetFrames = leastTargetFrames
        returnsWhenUsedUp = configuration.latency == .buffers
    }

    static func leastTargetFrames(_ configuration: OutputStreamConfiguration) -> Int {
        let seconds =
            switch configuration.latency {
            // In this order what is no number becomes the least.
            case .seconds(let seconds): max(0.001, min(seconds, 10))
            case .buffers: 0.001
            }
        return max(16, Int(seconds * configuration.format.sampleRate))
    }

    /// Chooses what to ask of the server for what is there to be played.
    ///
    /// - Parameters:
    ///   - frames: How much that is.
    ///   - segments: In how many of the client's buffers.
    mutating func choose(frames: Int, segments: Int) {
        guard returnsWhenUsedUp else {
            // The server gives its sink half of what two requests leave of the buffer. So a large buffer means large,
            // rare requests, while the sink gets a quarter of the buffer but at most 40 ms.
            let sink = min(targetFrames / 4, Int(PlaybackBuffer.longestSinkSeconds * sampleRate))
            requestFrames = max(1, targetFrames / 2 - sink)
            return
        }
        // Of a stream that is made anew while the client fills its buffers the next ones are like those before.
        if segments == 0, grantedFrames > 0 { return }
        targetFrames = max(min(frames, Int(10 * sampleRate)), leastTargetFrames)
        // Two requests, and two of the sink's periods, for each of the client's buffers: a buffer is known to be used
        // up, and comes back, when it is, wherever in a period it ends. Whole buffers are told too late where they
        // and the periods once fell apart; shorter requests wake everybody more often for little.
        // Long ones are cut so that the sink, whose frames can no longer be faded, holds little.
        let bufferFrames = targetFrames / max(1, segments)
        requestFrames = max(1, min(bufferFrames / 2, Int(PlaybackBuffer.longestSinkSeconds * sampleRate)))
        reserve = BufferReserve(
            totalFrames: targetFrames, buffers: segments, requestFrames: requestFrames, sampleRate: sampleRate
        )
    }

    mutating func grant(_ frames: Int) { grantedFrames = frames }

    /// Keeps nothing back any more.
    mutating func giveReserve() { reserve = BufferReserve() }

    // MARK: REAL-TIME from here on

    /// How much the server has still to play, when it asks for `asked` frames.
    @_noLocks func heldFrames(asked: Int) -> Int { max(0, grantedFrames &- asked) }

    /// How many of the frames that were written are not to be returned yet: those that the server holds, and the reserve.
    ///
    /// A frame's latency is what lies before it when it is written. Of three or more buffers one is kept back: it
    /// returns when another is used up, so that the client writes as late as it safely can. Should the server's
    /// buffer nearly run out all the same, everything that is used up returns at once, before there is a gap if
    /// what comes then is in time. Nothing of this is audible: it moves callbacks, not audio.
    @_noLocks mutating func keptFrames(asked: Int, hasPlayed: Bool, at now: UInt64) -> Int {
        let held = heldFrames(asked: asked)
        // The sink's next request would find too little.
        if held < requestFrames, hasPlayed { reserve.runsShort(at: now) }
        if reserve.isGiven { reserve.recover(at: now) }
        return held &+ reserve.frames
    }

    @_noLocks mutating func ranDry(at now: UInt64) { reserve.runsShort(at: now) }
}
