/// Work of the engine's thread without the queue's lock.
enum EngineJob {
    /// Decodes packets of an item, or makes the silence before it.
    case decode(DecodeJob)
    /// Processes frames with the effects, including a client's tap.
    case process(ProcessJob)
}

/// The audio to decode, and the room for the result.
@safe struct DecodeJob {
    // SAFETY: the room belongs to the engine's thread until the job is finished.
    let item: OutputItem
    let output: UnsafeMutableRawPointer
    let roomFrames: Int
    /// Frames of silence to write instead of decoding; 0 decodes.
    var silentFrames = 0
}

/// The room for processed frames.
@safe struct ProcessJob {
    // SAFETY: as for a `DecodeJob`.
    let output: UnsafeMutablePointer<Float>
    let roomFrames: Int
    /// Whether the device needs them, however few.
    let isUrgent: Bool
}
