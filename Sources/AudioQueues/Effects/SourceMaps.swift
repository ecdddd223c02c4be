// SPDX-License-Identifier: MIT

/// The relation of output frames to input frames, stage by stage.
///
/// Frames are counted from the last restart.
struct SourceMaps {
    private var tapBefore = SourceTimeMap()
    private var effects = SourceTimeMap()
    private var tapBehind = SourceTimeMap()
    /// The number of frames that the first tap has output.
    private(set) var framesTapped: Int64 = 0
    private var framesTreated: Int64 = 0
    private(set) var framesGiven: Int64 = 0

    mutating func didTap(frames: Int, from start: Int64, to end: Int64) {
        let rate = Double(end - start) / Double(frames)
        tapBefore.turn(atOutput: Double(framesTapped), source: Double(start), rate: rate)
        framesTapped += Int64(frames)
    }

    mutating func didTreat(frames: Int) { framesTreated += Int64(frames) }

    /// Records the output of the tap after the effects.
    ///
    /// - Parameters:
    ///   - start: The first frame that the tap read.
    ///   - end: The frame after the last one that the tap read.
    mutating func didGive(frames: Int, from start: Int64, to end: Int64) {
        let rate = Double(end - start) / Double(frames)
        tapBehind.turn(atOutput: Double(framesGiven), source: Double(start), rate: rate)
        didGive(frames: frames)
    }

    mutating func didGive(frames: Int) { framesGiven += Int64(frames) }

    /// Sets the rate of the effects from their next output frame on.
    mutating func turn(rate: Double) { effects.turn(atOutput: Double(framesTreated), rate: rate) }

    /// Ends a sequence: the next output frame of the effects belongs to the next frame of the first tap.
    mutating func endSequence(rate: Double) {
        effects.turn(atOutput: Double(framesTreated), source: Double(framesTapped), rate: rate)
    }

    mutating func restart(rate: Double) {
        tapBefore.restart(rate: 1)
        effects.restart(rate: rate)
        tapBehind.restart(rate: 1)
        (framesTapped, framesTreated, framesGiven) = (0, 0, 0)
    }

    /// The frame of the first tap's output that the effects have reached.
    var frameReached: Double { effects.source(atOutput: Double(framesTreated)) }

    /// The input frame for an output frame of the effects.
    func source(atTreated frame: Double) -> Double {
        tapBefore.source(atOutput: effects.source(atOutput: frame))
    }

    func source(atOutput frame: Double) -> Double { source(atTreated: tapBehind.source(atOutput: frame)) }
}
