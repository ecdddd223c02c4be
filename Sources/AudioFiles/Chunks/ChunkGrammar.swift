import CoreAudioTypes

/// How a container writes its chunks: what stands in front of their contents, where they begin, what fills gaps.
enum ChunkGrammar: Equatable {
    /// WAVE, RF64 and BW64; big-endian as RIFX.
    case riff(isBigEndian: Bool)
    /// AIFF and AIFF-C.
    case aiff
    case caf
    case wave64

    /// Recognises a container by its first 12 bytes; nil if it is none that is made of chunks.
    init?(head: [UInt8]) {
        guard let grammar = AudioFileType(head: head)?.chunkGrammar else { return nil }
        self = head.starts(with: "RIFX".utf8) ? .riff(isBigEndian: true) : grammar
    }

    /// Where the first chunk begins.
    var firstChunkOffset: Int64 {
        switch self {
        case .riff, .aiff: 12
        case .caf: 8
        case .wave64: 40
        }
    }

    /// Bytes in front of a chunk's contents.
    var headerBytes: Int64 { typeBytes + lengthBytes }

    /// Bytes of a chunk's type.
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

    /// The length of audio that goes on to the end, or, in RF64, has its length elsewhere.
    var openBytes: Int64 {
        switch self {
        case .riff, .aiff: Int64(UInt32.max)
        case .caf: -1
        case .wave64: PlaceholderLength.large - headerBytes
        }
    }

    /// What the places where chunks begin are multiples of.
    var alignment: Int64 {
        switch self {
        case .riff, .aiff: 2
        case .caf: 1
        case .wave64: 8
        }
    }

    /// Whether chunks may stand behind the sound.
    ///
    /// QUIRK: libsndfile 1.2 takes them for samples in Wave64.
    var canFollowSound: Bool { self != .wave64 }

    /// Whether a chunk may stand ahead of the sound.
    ///
    /// QUIRK: behind a chunk of an odd size that they do not know, libsndfile 1.2 finds no sound in RF64, nor SoX 14.4
    /// in AIFF: they do not count the byte of padding.
    func canLead(contentsBytes: Int, isRF64: Bool) -> Bool {
        switch self {
        case .riff: !isRF64 || contentsBytes % 2 == 0
        case .aiff: contentsBytes % 2 == 0
        case .caf, .wave64: true
        }
    }

    /// Whether the file's own header tells how long all of it is.
    var hasOuterLength: Bool { self != .caf }

    /// Where a file's own header says that it ends; 0 if it does not.
    ///
    /// - Parameter head: The first bytes of the file, 24 if there are as many.
    func declaredEnd(head: [UInt8]) -> Int64 {
        let fields = FieldReader(bytes: head, isBigEndian: isBigEndian)
        switch self {
        case .riff, .aiff: return fields.uint32(at: 4).map { 8 + Int64($0) } ?? 0
        case .caf: return 0
        case .wave64: return fields.uint64(at: 16).map { min(Int64(clamping: $0), ChunkWalk.furthest) } ?? 0
        }
    }

    /// The most bytes of a chunk's contents. The highest number of 32 bits stands for a length that is elsewhere.
    var mostContentsBytes: Int64 {
        switch self {
        case .riff, .aiff: Int64(UInt32.max) - 1
        case .caf, .wave64: .max >> 2
        }
    }

    /// The type of chunks that readers pass over.
    var filler: UInt32 {
        switch self {
        case .riff: Self.code("JUNK")
        case .aiff: Self.code("FLLR")
        case .caf: Self.code("free")
        case .wave64: Self.code("junk")
        }
    }

    /// Whether a chunk only fills a gap.
    func isFiller(_ type: UInt32) -> Bool {
        switch self {
        case .riff: ["JUNK", "junk", "FLLR", "PAD "].contains { Self.code($0) == type }
        case .aiff, .caf, .wave64: type == filler
        }
    }

    /// The chunk that has the sound.
    var sound: UInt32 { Self.code(self == .aiff ? "SSND" : "data") }

    /// Whether a chunk is this project's to write: it tells how the sound is stored, or fills a gap.
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

    /// A chunk's type as it stands in the file.
    func typeField(_ type: UInt32) -> [UInt8] {
        guard self == .wave64 else { return Self.letters(type) }
        let tail = type == Self.code("list") ? Wave64Container.riffTail : Wave64Container.chunkTail
        return Self.letters(type) + tail
    }

    /// A chunk's length as it stands in the file.
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

    /// What stands in front of a chunk's contents.
    func header(_ type: UInt32, contentsBytes: Int64) -> [UInt8] {
        typeField(type) + lengthField(contentsBytes: contentsBytes)
    }

    /// The type of a chunk and the bytes of its contents, of its whole header.
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

    /// Chunks one after another, from a place where one may begin.
    func bytes(of chunks: [AudioFileChunkContents]) -> [UInt8] {
        chunks.reduce(into: []) { bytes, chunk in
            bytes += header(chunk.type.rawValue, contentsBytes: Int64(chunk.contents.count))
            bytes += chunk.contents
            bytes += [UInt8](repeating: 0, count: Int(aligned(Int64(bytes.count))) - bytes.count)
        }
    }

    /// The next place where a chunk may begin.
    func aligned(_ offset: Int64) -> Int64 { (offset + alignment - 1) / alignment * alignment }

    static func letters(_ type: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: type >> (24 - 8 * $0)) }
    }

    static func code(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
}
