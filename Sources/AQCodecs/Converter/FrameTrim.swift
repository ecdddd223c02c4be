// SPDX-License-Identifier: MIT

/// The valid frames of a stream, according to a packet table.
public struct FrameTrim: Sendable, Equatable {
    /// The number of frames to drop at the beginning.
    public var priming: Int64
    /// The number of frames to keep after the priming; nil for all.
    public var valid: Int64?

    /// Makes a trim; negative numbers count as 0.
    public init(priming: Int64, valid: Int64? = nil) {
        self.priming = max(priming, 0)
        self.valid = valid.map { max($0, 0) }
    }
}
