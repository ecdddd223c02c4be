// SPDX-License-Identifier: MIT

/// A reader of a pipe that returns decoded frames in order.
protocol ForwardReader: PacketReader {
    /// The number of frames that were returned or skipped.
    var nextFrame: Int64 { get }
}
