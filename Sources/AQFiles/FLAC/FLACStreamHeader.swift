// SPDX-License-Identifier: MIT

/// The metadata before the frames of FLAC in a pipe.
struct FLACStreamHeader {
    let info: FLACStreamInfo
    private(set) var metadata = FileMetadata()
    /// The size of the blocks that were read, which an endless header must not exceed.
    private var readBytes = 0

    /// Reads all blocks up to the first frame, and waits for them.
    ///
    /// - Throws: `damaged` if the first block is not a valid STREAMINFO, or the pipe ends inside the metadata; the
    ///   error of the pipe.
    init(_ bytes: ArrivingBytes) throws(AudioFileError) {
        _ = bytes.hold(FLACStreamInfo.headBytes)
        let head = bytes.queue.prefix(FLACStreamInfo.headBytes)
        guard let info = FLACStreamInfo(head: head) else {
            throw bytes.failure
                ?? AudioFileError(.damaged, "its FLAC header does not begin with a valid STREAMINFO")
        }
        self.info = info
        bytes.queue.skip(Int64(head.count))
        var isLast = head[4] & 0x80 != 0
        var blocks = 1
        while !isLast {
            blocks += 1
            guard blocks <= FLACStreamInfo.mostBlocks else {
                throw AudioFileError(.damaged, "its FLAC header has more than \(blocks - 1) blocks")
            }
            guard bytes.hold(4) else { throw Self.end(bytes) }
            let header = bytes.queue.prefix(4)
            isLast = header[0] & 0x80 != 0
            let byteCount = header[1...].reduce(0) { $0 << 8 | Int($1) }
            try read(type: header[0] & 0x7F, byteCount: byteCount, bytes)
            bytes.queue.skip(Int64(4 + byteCount))
        }
    }

    /// Reads a block if it contains text or a picture of a usual size.
    private mutating func read(
        type: UInt8, byteCount: Int, _ bytes: ArrivingBytes
    ) throws(AudioFileError) {
        guard [FLACBlocks.comments, FLACBlocks.picture].contains(type),
            byteCount <= StreamFacts.longestText, readBytes + byteCount <= Self.mostReadBytes
        else { return }
        readBytes += byteCount
        guard bytes.hold(4 + byteCount) else { throw Self.end(bytes) }
        FLACBlocks.read(type: type, bytes.queue.prefix(4 + byteCount)[4...], into: &metadata)
    }

    /// The largest size of all blocks that are read: text, and a picture.
    private static let mostReadBytes = 2 * Int(StreamFacts.longestText)

    private static func end(_ bytes: ArrivingBytes) -> AudioFileError {
        bytes.failure ?? AudioFileError(.damaged, "it ends inside its header")
    }
}
