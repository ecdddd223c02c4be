// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The header of a box (ISO/IEC 14496-12, 4.2).
struct MP4BoxHeader {
    var type: FourCharacterCode
    var headerBytes: Int
    /// The size of the box with its header; nil if the box extends to the end of its parent.
    var boxBytes: Int64?

    static let mostBytes = 16

    /// Reads a header; nil if it is incomplete or invalid.
    init?(_ bytes: MP4Bytes, at offset: Int = 0) {
        guard let length = bytes.uint32(at: offset), let type = bytes.uint32(at: offset + 4) else {
            return nil
        }
        self.type = FourCharacterCode(rawValue: type)
        headerBytes = 8
        switch length {
        case 0: boxBytes = nil
        case 1:
            guard let long = bytes.uint64(at: offset + 8), long >= 16, long <= UInt64(Int64.max) else {
                return nil
            }
            headerBytes = 16
            boxBytes = Int64(long)
        case 2..<8: return nil
        default: boxBytes = Int64(length)
        }
    }
}

/// A box in memory.
struct MP4Box {
    let type: FourCharacterCode
    /// The offset of the box's header in the file.
    let fileOffset: Int64
    let contents: MP4Bytes
    /// Whether the box claims to be larger than its parent.
    let isCut: Bool
}

/// A sequence of consecutive boxes in memory, read one at a time.
struct MP4Boxes: Sequence, IteratorProtocol {
    private let bytes: MP4Bytes
    private var offset: Int

    init(_ bytes: MP4Bytes, from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    mutating func next() -> MP4Box? {
        guard let header = MP4BoxHeader(bytes, at: offset) else { return nil }
        let available = Int64(bytes.count - offset)
        let length = header.boxBytes ?? available
        let present = Int(Swift.min(length, available))
        let box = MP4Box(
            type: header.type, fileOffset: bytes.fileOffset + Int64(offset),
            contents: bytes.part(from: offset + header.headerBytes, count: present - header.headerBytes),
            isCut: length > available)
        offset += present
        return box
    }
}

extension MP4Bytes {
    func boxes(from offset: Int = 0) -> MP4Boxes { MP4Boxes(self, from: offset) }

    /// The contents of the first box of a type; nil if there is none.
    func box(_ type: StaticString, from offset: Int = 0) -> MP4Bytes? {
        let type = FourCharacterCode(mp4: type)
        return boxes(from: offset).first { $0.type == type }?.contents
    }

    /// The contents of the first box at the end of a path of types; nil if there is none.
    func box(path: StaticString...) -> MP4Bytes? {
        path.reduce(self as MP4Bytes?) { $0?.box($1) }
    }
}

extension FourCharacterCode {
    /// Makes a code from a literal of four ASCII characters.
    init(mp4 text: StaticString) {
        var value: UInt32 = 0
        for position in 0..<text.utf8CodeUnitCount {
            // SAFETY: a static ASCII string is UTF-8 of that length as long as the program runs.
            value = value << 8 | UInt32(unsafe text.utf8Start[position])
        }
        self.init(rawValue: value)
    }
}
