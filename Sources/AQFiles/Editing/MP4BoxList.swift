// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The boxes in a box, with their bytes, so that those that are not changed are kept.
struct MP4BoxList {
    private struct Box {
        let type: FourCharacterCode
        var bytes: ArraySlice<UInt8>
        let headerBytes: Int
    }

    /// The bytes before the first box: the version of a metadata box.
    var lead: [UInt8] = []
    private var boxes: [Box] = []
    /// The bytes after the last box: QuickTime ends user data with four zeros.
    private var rest: ArraySlice<UInt8> = []

    /// - Throws: `damaged` if a box is larger than the rest.
    init(_ bytes: ArraySlice<UInt8>) throws(AudioFileError) {
        rest = bytes
        while rest.count >= 8 {
            guard let header = MP4BoxHeader(MP4Bytes(Array(rest.prefix(MP4BoxHeader.mostBytes)))),
                let length = header.boxBytes, length >= header.headerBytes, length <= rest.count,
                boxes.count < Self.mostBoxes
            else { throw Self.damaged }
            boxes.append(
                Box(type: header.type, bytes: rest.prefix(Int(length)), headerBytes: header.headerBytes))
            rest = rest.dropFirst(Int(length))
        }
        guard rest.allSatisfy({ $0 == 0 }) else { throw Self.damaged }
    }

    /// Makes the boxes of a metadata box, which begins with a version in ISO files but not in QuickTime files.
    private init(metadata bytes: ArraySlice<UInt8>) throws(AudioFileError) {
        // Not the size of a box.
        let hasVersion = bytes.starts(with: [0, 0, 0, 0])
        try self.init(hasVersion ? bytes.dropFirst(4) : bytes)
        if hasVersion { lead = Array(bytes.prefix(4)) }
    }

    var isEmpty: Bool { boxes.isEmpty }
    var byteCount: Int { lead.count + boxes.reduce(0) { $0 + $1.bytes.count } + rest.count }
    var bytes: [UInt8] { lead + boxes.flatMap(\.bytes) + rest }

    /// The contents of the first box of a type; nil if there is none.
    func contents(_ type: StaticString) -> ArraySlice<UInt8>? {
        let type = FourCharacterCode(mp4: type)
        return boxes.first { $0.type == type }.map { $0.bytes.dropFirst($0.headerBytes) }
    }

    mutating func append(_ box: [UInt8]) throws(AudioFileError) {
        boxes += try MP4BoxList(box[...]).boxes
    }

    mutating func remove(_ type: StaticString, where isRemoved: (ArraySlice<UInt8>) -> Bool) {
        let type = FourCharacterCode(mp4: type)
        boxes.removeAll { $0.type == type && isRemoved($0.bytes.dropFirst($0.headerBytes)) }
    }

    /// Changes the boxes in the first box of a type, which is added if there is none.
    mutating func change(
        _ type: StaticString, _ body: (inout MP4BoxList) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        if contents(type) == nil { try append(Self.box(type, [])) }
        let type = FourCharacterCode(mp4: type)
        guard let index = boxes.firstIndex(where: { $0.type == type }) else { return }
        try change(at: index, body)
    }

    /// Changes the boxes in each box of a type.
    mutating func changeAll(
        _ type: StaticString, _ body: (inout MP4BoxList) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        let type = FourCharacterCode(mp4: type)
        for index in boxes.indices where boxes[index].type == type { try change(at: index, body) }
    }

    private mutating func change(
        at index: Int, _ body: (inout MP4BoxList) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        let box = boxes[index]
        let contents = box.bytes.dropFirst(box.headerBytes)
        var inner =
            try box.type == FourCharacterCode(mp4: "meta")
            ? MP4BoxList(metadata: contents) : MP4BoxList(contents)
        try body(&inner)
        boxes[index] = Box(
            type: box.type, bytes: try Self.box(box.type, inner.bytes)[...], headerBytes: 8)
    }

    /// Changes the contents of each box of a type, and keeps its size.
    mutating func changeContents(
        _ type: StaticString, _ body: (inout [UInt8]) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        let type = FourCharacterCode(mp4: type)
        for index in boxes.indices where boxes[index].type == type {
            var contents = Array(boxes[index].bytes.dropFirst(boxes[index].headerBytes))
            try body(&contents)
            boxes[index].bytes = (boxes[index].bytes.prefix(boxes[index].headerBytes) + contents)[...]
        }
    }

    /// Makes a box.
    ///
    /// - Throws: `containerFull` for more than 4 GB.
    static func box(_ type: StaticString, _ contents: [UInt8]) throws(AudioFileError) -> [UInt8] {
        try box(FourCharacterCode(mp4: type), contents)
    }

    private static func box(
        _ type: FourCharacterCode, _ contents: [UInt8]
    ) throws(AudioFileError) -> [UInt8] {
        guard let length = UInt32(exactly: contents.count + 8) else {
            throw AudioFileError(.containerFull, "its box \(type) would be larger than 4 GB")
        }
        var bytes = HeaderBytes()
        bytes.append(big: length)
        bytes.append(big: type.rawValue)
        return bytes.bytes + contents
    }

    static let damaged = AudioFileError(.damaged, "its boxes are not nested correctly")
    private static let mostBoxes = 1 << 16
}
