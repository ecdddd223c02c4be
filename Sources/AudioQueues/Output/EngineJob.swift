// SPDX-License-Identifier: MIT

/// A job that the engine's thread does without the queue's lock.
enum EngineJob {
    /// Decoding packets of an item, or making the silence before the item.
    case decode(DecodeJob)
    /// Processing frames with the effects, including a client's tap.
    case process(ProcessJob)
}

/// The audio to decode, and the room for the result.
@safe struct DecodeJob {
    // SAFETY: the room belongs to the engine's thread until the job is finished.
    let item: OutputItem
    let output: UnsafeMutableRawPointer
    let roomFrames: Int
    /// The number of frames of silence to write instead of decoding; 0 to decode.
    var silentFrames = 0
}

/// The room for processed frames.
@safe struct ProcessJob {
    // SAFETY: the room belongs to the engine's thread until the job is finished.
    let output: UnsafeMutablePointer<Float>
    let roomFrames: Int
    /// Whether the device needs the frames, however few there are.
    let isUrgent: Bool
}
