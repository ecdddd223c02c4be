/// A fade-out that was written and is to be heard to its end.
struct FadeOut {
    /// Its end, in device frames.
    private(set) var endFrame: Int64 = 0
    /// When it is heard by all that is known.
    private(set) var hostTime: UInt64 = 0
    /// Whether the audio ended without a fade or silence behind it, so that the server may hold back its last frames.
    var endsDry = false

    mutating func written(to endFrame: Int64, heardAt hostTime: UInt64) {
        self.endFrame = endFrame
        self.hostTime = hostTime
    }
}
