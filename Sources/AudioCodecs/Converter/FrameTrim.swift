/// Which frames of a stream are sound: what a packet table says of its beginning and end.
public struct FrameTrim: Sendable, Equatable {
    /// Frames at the beginning that are dropped.
    public var priming: Int64
    /// Frames after them that are kept; nil for all.
    public var valid: Int64?

    /// Makes a trim; negative numbers are taken for 0.
    public init(priming: Int64, valid: Int64? = nil) {
        self.priming = max(priming, 0)
        self.valid = valid.map { max($0, 0) }
    }
}
