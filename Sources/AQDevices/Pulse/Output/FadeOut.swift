// SPDX-License-Identifier: MIT

/// A written fade-out that must play to its end.
struct FadeOut {
    /// The end of the fade-out, in device frames.
    private(set) var endFrame: Int64 = 0
    /// The estimated host time at which the end is audible.
    private(set) var hostTime: UInt64 = 0
    /// The end of the audio that silence must replace after the fade-out, in device frames.
    private(set) var replacedEndFrame: Int64 = 0
    /// Whether the audio ended without a fade or silence after it. If so, the server may hold back its last frames.
    var endsInUnderrun = false

    mutating func written(
        to endFrame: Int64, playedAt hostTime: UInt64, replacingAudioTo replacedEndFrame: Int64
    ) {
        self.endFrame = endFrame
        self.hostTime = hostTime
        self.replacedEndFrame = replacedEndFrame
    }
}
