// SPDX-License-Identifier: MIT

/// The position in a file that is played repeatedly, from the frames that were read and played.
///
/// The first pass begins at a frame of the file, and the others at frame 0.
struct PlayedPasses {
    let startFrame: Int64
    /// The number of frames that were read.
    private var read: Int64 = 0
    /// The number of frames that were played.
    private var played: Int64 = 0
    /// The number of frames that were read in the latest pass.
    private var latestRead: Int64 = 0
    /// The number of frames of the whole file, once its end was read.
    private var fileFrames: Int64?
    /// The number of passes that were read to their end.
    private(set) var ended = 0
    /// The number of passes after the first that have begun to be read.
    private(set) var begunRepetitions = 0

    init(startFrame: Int64) { self.startFrame = startFrame }

    /// Whether nothing was read.
    var isEmpty: Bool { read == 0 }

    /// Whether the latest pass had no frames, although it began at the first one. It would be repeated for ever.
    var isLatestEmpty: Bool { latestRead == 0 && (begunRepetitions > 0 || startFrame == 0) }

    mutating func add(frames: Int64) {
        read += frames
        latestRead += frames
    }

    /// Records the end of the file.
    mutating func end() {
        if fileFrames == nil { fileFrames = startFrame + read }
        ended += 1
    }

    mutating func beginRepetition() {
        begunRepetitions += 1
        latestRead = 0
    }

    mutating func notePlayed(_ frames: Int64) { played = max(played, min(frames, read)) }

    /// The number of repetitions that have begun to be played.
    var repetitions: Int {
        guard let fileFrames, fileFrames > 0 else { return 0 }
        return min(begunRepetitions, Int((startFrame + played) / fileFrames))
    }

    /// The frame of the file that is played next.
    var frame: Int64 { startFrame + played - Int64(repetitions) * (fileFrames ?? 0) }
}
