// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The chunk format of a container: headers, alignment and fillers.
enum ChunkGrammar: Equatable {
    /// WAVE, RF64 and BW64; big-endian as RIFX.
    case riff(isBigEndian: Bool)
    /// AIFF and AIFF-C.
    case aiff
    case caf
    case wave64

    /// Detects the chunk format by the first 12 bytes of a container; nil if there are no chunks.
    init?(head: [UInt8]) {
        guard let grammar = AudioFileType(head: head)?.chunkGrammar else { return nil }
        self = head.starts(with: "RIFX".utf8) ? .riff(isBigEndian: true) : grammar
    }

    var firstChunkOffset: Int64 {
        switch self {
        case .riff, .aiff: 12
        case .caf: 8
        case .wave64: 40
        }
    }

    var headerBytes: Int64 { typeBytes + lengthBytes }

    var typeBytes: Int64 { self == .wave64 ? 16 : 4 }

    private var lengthBytes: Int64 {
        switch self {
        case .riff, .aiff: 4
        case .caf, .wave64: 8
        }
    }

    var isBigEndian: Bool {
        switch self {
        case .riff(let isBigEndian): isBigEndian
        case .aiff, .caf: true
        case .wave64: false
        }
    }

    /// The length value of audio that extends to the end or, in RF64, has its length in 'ds64'.
    var openBytes: Int64 {
        switch self {
        case .riff, .aiff: Int64(UInt32.max)
        case .caf: -1
        case .wave64: PlaceholderLength.large - headerBytes
        }
    }

    /// The alignment of chunk offsets, in bytes.
    var alignment: Int64 {
        switch self {
        case .riff, .aiff: 2
        case .caf: 1
        case .wave64: 8
        }
    }

    /// Whether chunks may follow the audio.
    ///
    /// QUIRK: in Wave64, libsndfile 1.2 takes such chunks for samples.
    var canFollowSound: Bool { self != .wave64 }

    /// Returns whether a chunk may precede the audio.
    ///
    /// QUIRK: after an unknown chunk of odd size, libsndfile 1.2 finds no audio in RF64, and SoX 14.4 finds none in
    /// AIFF. Both ignore the padding byte.
    func canLead(contentsBytes: Int, isRF64: Bool) -> Bool {
        switch self {
        case .riff: !isRF64 || contentsBytes % 2 == 0
        case .aiff: contentsBytes % 2 == 0
        case .caf, .wave64: true
        }
    }

    /// Whether the file's own header contains the length of the file.
    var hasOuterLength: Bool { self != .caf }

    /// The end of the file according to its own header; 0 if the header does not state it.
    ///
    /// - Parameter head: The first bytes of the file, 24 if available.
    func declaredEnd(head: [UInt8]) -> Int64 {
        let fields = FieldReader(bytes: head, isBigEndian: isBigEndian)
        switch self {
        case .riff, .aiff: return fields.uint32(at: 4).map { 8 + Int64($0) } ?? 0
        case .caf: return 0
        case .wave64: return fields.uint64(at: 16).map { min(Int64(clamping: $0), ChunkWalk.furthest) } ?? 0
        }
    }

    /// The largest size of a chunk's contents. The highest 32-bit number means that the length is elsewhere.
    var mostContentsBytes: Int64 {
        switch self {
        case .riff, .aiff: Int64(UInt32.max) - 1
        case .caf, .wave64: .max >> 2
        }
    }

    /// The type of chunks that readers skip.
    var filler: UInt32 {
        switch self {
        case .riff: Self.code("JUNK")
        case .aiff: Self.code("FLLR")
        case .caf: Self.code("free")
        case .wave64: Self.code("junk")
        }
    }

    func isFiller(_ type: UInt32) -> Bool {
        switch self {
        case .riff: ["JUNK", "junk", "FLLR", "PAD "].contains { Self.code($0) == type }
        case .aiff, .caf, .wave64: type == filler
        }
    }

    /// The type of the chunk with the audio.
    var sound: UInt32 { Self.code(self == .aiff ? "SSND" : "data") }

    /// Returns whether only this project writes chunks of a type: those that describe how the audio is stored, and
    /// fillers.
    func isOwned(_ type: UInt32) -> Bool {
        let types =
            switch self {
            case .riff: ["RIFF", "RIFX", "RF64", "BW64", "ds64", "fmt ", "fact", "data", "wavl", "slnt"]
            case .aiff: ["FORM", "FVER", "COMM", "CHAN", "SSND"]
            case .caf: ["caff", "desc", "chan", "kuki", "pakt", "data"]
            case .wave64: ["riff", "wave", "fmt ", "fact", "data"]
            }
        return isFiller(type) || types.contains { Self.code($0) == type }
    }

    /// Returns a chunk's type as stored in the file.
    func typeField(_ type: UInt32) -> [UInt8] {
        guard self == .wave64 else { return Self.letters(type) }
        let tail = type == Self.code("list") ? Wave64Container.riffTail : Wave64Container.chunkTail
        return Self.letters(type) + tail
    }

    /// Returns a chunk's length as stored in the file.
    func lengthField(contentsBytes: Int64) -> [UInt8] {
        var field = HeaderBytes()
        switch self {
        case .riff(isBigEndian: false): field.append(little: UInt32(clamping: contentsBytes))
        case .riff, .aiff: field.append(big: UInt32(clamping: contentsBytes))
        case .caf: field.append(big: contentsBytes)
        case .wave64: field.append(little: contentsBytes + headerBytes)
        }
        return field.bytes
    }

    func header(_ type: UInt32, contentsBytes: Int64) -> [UInt8] {
        typeField(type) + lengthField(contentsBytes: contentsBytes)
    }

    /// Reads a chunk's type and the size of its contents from its whole header.
    func fields(ofHeader header: [UInt8]) -> (type: UInt32, contentsBytes: Int64) {
        let type = header[..<4].reduce(0) { $0 << 8 | UInt32($1) }
        let fields = FieldReader(bytes: header, isBigEndian: isBigEndian)
        let length = fields.number(at: Int(typeBytes), byteCount: Int(lengthBytes)) ?? 0
        switch self {
        case .riff, .aiff: return (type, Int64(length))
        case .caf: return (type, Int64(bitPattern: length))
        case .wave64: return (type, Int64(clamping: length) - headerBytes)
        }
    }

    /// Makes consecutive chunks, starting at an aligned offset.
    func bytes(of chunks: [AudioFileChunkContents]) -> [UInt8] {
        chunks.reduce(into: []) { bytes, chunk in
            bytes += header(chunk.type.rawValue, contentsBytes: Int64(chunk.contents.count))
            bytes += chunk.contents
            bytes += [UInt8](repeating: 0, count: Int(aligned(Int64(bytes.count))) - bytes.count)
        }
    }

    func aligned(_ offset: Int64) -> Int64 { (offset + alignment - 1) / alignment * alignment }

    static func letters(_ type: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: type >> (24 - 8 * $0)) }
    }

    static func code(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
}

extension AudioFileChunkContents {
    /// Makes a chunk with a type of four letters.
    init(_ code: String, _ contents: [UInt8]) {
        self.init(type: FourCharacterCode(rawValue: ChunkGrammar.code(code)), contents: contents)
    }
}
