// SPDX-License-Identifier: MIT

/// The loudness in the comments of a FLAC file (RFC 9639, 8.6). All other metadata is kept byte for byte.
enum FLACLoudnessTag {
    private struct Block {
        let type: UInt8
        var contents: [UInt8]
    }

    /// - Parameter start: The offset of the marker.
    static func parts(
        of file: EditableFile, from start: Int64, _ gain: ReplayGain
    ) throws(AudioFileError) -> FileParts {
        var offset = start + 4
        let first = offset
        var blocks: [Block] = []
        var paddingBytes = 0
        var isLast = false
        while !isLast {
            guard blocks.count < mostBlocks, offset - first < mostBytes else {
                throw AudioFileError(.damaged, "its metadata has too many blocks")
            }
            let header = try file.read(at: offset, count: 4)
            let length = header[1...].reduce(0) { $0 << 8 | Int($1) }
            isLast = header[0] & 0x80 != 0
            let type = header[0] & 0x7F
            guard type != 0x7F else { throw AudioFileError(.damaged, "its metadata has an invalid block") }
            if type == padding {
                paddingBytes += 4 + length
            } else {
                blocks.append(Block(type: type, contents: try file.read(at: offset + 4, count: length)))
            }
            offset += 4 + Int64(length)
        }
        try set(gain, in: &blocks)
        // With padding of the right size, the audio keeps its offset.
        let oldBytes = Int(offset - first)
        let newBytes = blocks.reduce(0) { $0 + 4 + $1.contents.count }
        if newBytes > oldBytes { paddingBytes = usualPadding } else { paddingBytes = oldBytes - newBytes }
        if 1..<4 ~= paddingBytes { paddingBytes = usualPadding }
        if paddingBytes > 0 {
            let contents = [UInt8](repeating: 0, count: min(paddingBytes - 4, mostBlockBytes))
            blocks.append(Block(type: padding, contents: contents))
        }
        return FileParts(parts: [
            .stored(0..<first), .new(try bytes(of: blocks)), .stored(offset..<file.byteCount),
        ])
    }

    private static func set(_ gain: ReplayGain, in blocks: inout [Block]) throws(AudioFileError) {
        if let index = blocks.firstIndex(where: { $0.type == FLACBlocks.comments }) {
            var list = try VorbisCommentList(blocks[index].contents[...])
            list.set(gain.tagTexts)
            blocks[index].contents = list.bytes
        } else {
            var list = VorbisCommentList()
            list.set(gain.tagTexts)
            // After STREAMINFO, which is the first block.
            let block = Block(type: FLACBlocks.comments, contents: list.bytes)
            blocks.insert(block, at: min(1, blocks.count))
        }
    }

    private static func bytes(of blocks: [Block]) throws(AudioFileError) -> [UInt8] {
        var bytes = HeaderBytes()
        for (index, block) in blocks.enumerated() {
            guard block.contents.count <= mostBlockBytes else {
                throw AudioFileError(.unsupported, "its comments would be larger than 16 MB")
            }
            let mark: UInt8 = index == blocks.count - 1 ? 0x80 : 0
            bytes.append(big: UInt32(mark | block.type) << 24 | UInt32(block.contents.count))
            bytes.append(raw: block.contents)
        }
        return bytes.bytes
    }

    private static let padding: UInt8 = 1
    private static let usualPadding = 4096
    private static let mostBlocks = 4096
    private static let mostBlockBytes = 1 << 24 - 1
    private static let mostBytes: Int64 = 256 << 20
}
