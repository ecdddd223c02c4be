/// Something for the engine's thread to do without the queue's lock.
enum EngineJob {
    /// Decodes packets of an item, or makes the silence before it.
    case decode(DecodeJob)
    /// Has the effects process frames, a client's tap among them.
    case process(ProcessJob)
}

/// Something to decode, and where to.
@safe struct DecodeJob {
    // SAFETY: the room is the engine's thread's until the job is finished.
    let item: OutputItem
    let output: UnsafeMutableRawPointer
    let roomFrames: Int
    /// Frames of silence to write in place of decoded ones; 0 decodes.
    var silentFrames = 0
}

/// Frames to be processed, and where to.
@safe struct ProcessJob {
    // SAFETY: as that of a `DecodeJob`.
    let output: UnsafeMutablePointer<Float>
    let roomFrames: Int
    /// Whether the device needs them, however few.
    let isUrgent: Bool
}
