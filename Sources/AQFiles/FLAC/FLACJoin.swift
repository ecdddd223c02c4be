// SPDX-License-Identifier: MIT

/// The search for FLAC without a header in the first bytes of a pipe, as a listener of a broadcast receives it.
///
/// A frame is accepted if the header of the next frame is also found, so that bytes of other formats are not.
struct FLACJoin {
    /// The first accepted frame: its offset, and the description in its header.
    private(set) var start: (offset: Int, info: FLACStreamInfo)?

    private var offset = 0
    private var frames: [(offset: Int, info: FLACStreamInfo, end: Int64)] = []

    /// Continues the search.
    ///
    /// - Parameter head: All bytes of the pipe so far.
    /// - Returns: Whether a frame was found.
    mutating func search(_ head: [UInt8]) -> Bool {
        unsafe head.withUnsafeBytes { bytes in
            while start == nil, offset <= bytes.count - FLACFrameHeader.mostBytes {
                if unsafe bytes[offset] == 0xFF {
                    unsafe note(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
                }
                offset += 1
            }
        }
        return start != nil
    }

    /// Keeps a frame that may begin with the bytes, or accepts an earlier frame that it follows.
    private mutating func note(_ bytes: UnsafeRawBufferPointer) {
        guard let info = unsafe FLACStreamInfo(frame: bytes),
            let header = unsafe FLACFrameHeader(bytes, in: info)
        else { return }
        let number = header.firstSample
        if let first = frames.first(where: { $0.end == number && $0.info.hasSameFrames(as: info) }) {
            start = (first.offset, first.info)
            return
        }
        if frames.count >= Self.mostFrames { frames.removeFirst() }
        frames.append((offset, info, number + header.frames))
    }

    private static let mostFrames = 8
}
