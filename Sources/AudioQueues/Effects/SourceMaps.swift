/// The frames that came out of each stage of effects, and the source frames that they belong to.
///
/// All are counted from the last restart.
struct SourceMaps {
    private var tapBefore = SourceTimeMap()
    private var effects = SourceTimeMap()
    private var tapBehind = SourceTimeMap()
    /// Frames that came out of the first tap, of the effects, and of the last tap.
    private(set) var framesTapped: Int64 = 0
    private var framesTreated: Int64 = 0
    private(set) var framesGiven: Int64 = 0

    mutating func didTap(frames: Int, from start: Int64, to end: Int64) {
        let rate = Double(end - start) / Double(frames)
        tapBefore.turn(atOutput: Double(framesTapped), source: Double(start), rate: rate)
        framesTapped += Int64(frames)
    }

    mutating func didTreat(frames: Int) { framesTreated += Int64(frames) }

    /// - Parameters:
    ///   - start: The frame of the effects' that the first of these belongs to, if a tap is behind the effects.
    ///   - end: The frame behind those that the tap took.
    mutating func didGive(frames: Int, from start: Int64, to end: Int64) {
        let rate = Double(end - start) / Double(frames)
        tapBehind.turn(atOutput: Double(framesGiven), source: Double(start), rate: rate)
        didGive(frames: frames)
    }

    mutating func didGive(frames: Int) { framesGiven += Int64(frames) }

    /// Has the effects go on at a rate.
    mutating func turn(rate: Double) { effects.turn(atOutput: Double(framesTreated), rate: rate) }

    /// Ends a sequence: whatever the effects have made of it, it is as long as it should be.
    mutating func endSequence(rate: Double) {
        effects.turn(atOutput: Double(framesTreated), source: Double(framesTapped), rate: rate)
    }

    mutating func restart(rate: Double) {
        tapBefore.restart(rate: 1)
        effects.restart(rate: rate)
        tapBehind.restart(rate: 1)
        (framesTapped, framesTreated, framesGiven) = (0, 0, 0)
    }

    /// The frame of the first tap's that the effects have reached.
    var frameReached: Double { effects.source(atOutput: Double(framesTreated)) }

    /// The source frame of a frame of the effects'.
    func source(atTreated frame: Double) -> Double {
        tapBefore.source(atOutput: effects.source(atOutput: frame))
    }

    /// The source frame of a frame that came out.
    func source(atOutput frame: Double) -> Double { source(atTreated: tapBehind.source(atOutput: frame)) }
}
