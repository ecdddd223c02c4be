// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The processing by which a unit makes its output from its inputs.
///
/// Used by the rendering thread only.
protocol PullStage: AnyObject {
    /// Renders a slice into a list that has memory. Returns 0 or a status.
    @unsafe func render(_ slice: PulledSlice) -> Int32
    /// Drops the audio that the stage holds.
    func reset()
}

/// A slice of the output of a unit, and the inputs that it is made from.
@unsafe struct PulledSlice {
    /// The inputs by their numbers; nil for those that have never had a source.
    let inputs: [InputBus?]
    let list: UnsafeMutableAudioBufferListPointer
    let frames: Int
    let actions: UnsafeMutablePointer<RenderActions>
    let time: UnsafePointer<AudioTimeStamp>
    /// Whether the first input has got its slice, so that its source is not called.
    let isGiven: Bool
}
