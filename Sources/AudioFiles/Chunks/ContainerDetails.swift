import CoreAudioTypes

/// What the containers that libsndfile reads hold beside the sound: parts, texts, places.
///
/// Read when it is asked for, since playing needs nothing of it. What cannot be read is left out: reading the
/// sound itself tells why.
struct ContainerDetails {
    private(set) var chunks: [AudioFileChunk] = []
    /// Where the sound is.
    private(set) var dataRange: Range<Int64>?
    /// In the container's own texts; where those are silent, in an ID3 tag that it holds.
    var metadata = FileMetadata()
    /// What an ID3 tag in or before the container says.
    var tagged = FileMetadata()
    /// In the order of their numbers in the file.
    var markers: [AudioFileMarker] = []
    var regions: [AudioFileRegion] = []
    /// What places are called, by number.
    var names: [UInt32: String] = [:]

    let file: OpenFile
    private let fileBytes: Int64
    private(set) var isBigEndian = false
    /// The sound, if it goes on behind its length.
    private let prolongedAudio: Range<Int64>?
    /// Bytes of the sound in files that need more than 32 bits for it.
    private var largeDataBytes: Int64?
    /// Where a large file ends, less the eight bytes that it begins with.
    private var largeEnd: Int64?

    /// Looks through the whole file; a pipe has no details.
    ///
    /// - Parameter prolongedAudio: Sound that goes on to the end of the file, whatever its length leads to.
    init(file: OpenFile, prolongedAudio: Range<Int64>? = nil) {
        self.file = file
        self.prolongedAudio = prolongedAudio
        fileBytes = file.bytes ?? 0
        guard file.bytes != nil, let head = bytes(at: 0, count: 24) else { return }
        var start: Int64 = 0
        if let tagBytes = StreamTag.id3Bytes(head) {
            add(Array("ID3 ".utf8)[...], at: 0, byteCount: tagBytes - 10, depth: 0)
            tagged = ID3Reader.metadata(in: TagBytes(file, 0..<tagBytes))
            start = tagBytes
        }
        guard let mark = bytes(at: start, count: 12) else { return }
        switch Self.text(mark[0..<4]) {
        case "RIFF", "RF64", "BW64": walk(from: start + 12, to: fileBytes, depth: 0)
        case "RIFX":
            isBigEndian = true
            walk(from: start + 12, to: fileBytes, depth: 0)
        case "FORM":
            isBigEndian = true
            walk(from: start + 12, to: fileBytes, depth: 0)
        case "riff": walkWave64(from: start + 40)
        case ".snd":
            isBigEndian = true
            readSunHeader(mark)
        case "dns.": readSunHeader(mark)
        case "fLaC": readFLACBlocks(from: start + 4)
        case "OggS": metadata = OggComments.metadata(in: TagBytes(file, start..<fileBytes))
        default: break
        }
        metadata.fill(from: tagged)
        finishMarkers()
    }

    /// Goes through chunks; inside a list, through those of the list.
    private mutating func walk(from first: Int64, to end: Int64, depth: Int) {
        var offset = first
        while chunks.count < FormatLimits.mostChunks, end - offset >= 8,
            let header = bytes(at: offset, count: 8)
        {
            let type = Self.text(header[0..<4])
            var byteCount = number(header[4..<8])
            let contents = offset + 8
            if type == "ds64", let sizes = bytes(at: contents, count: 16) {
                largeDataBytes = Self.clamped(Self.number(sizes[8..<16], isBigEndian: false))
                largeEnd = Self.clamped(Self.number(sizes[0..<8], isBigEndian: false))
            }
            let isSound = depth == 0 && (type == "data" || type == "SSND")
            if isSound { byteCount = soundBytes(byteCount, at: contents) }
            add(header[0..<4], at: offset, byteCount: byteCount, depth: depth)
            let contentsEnd = contents + min(byteCount, end - contents)
            switch type {
            case "data" where isSound: dataRange = contents..<contentsEnd
            case "SSND" where isSound:
                // Two numbers come first: how far from here the sound is, and a block size nobody uses.
                let gap = bytes(at: contents, count: 4).map { number($0[...]) } ?? 0
                let begin = min(contents + 8 + min(gap, fileBytes), contentsEnd)
                dataRange = begin..<contentsEnd
            case "LIST" where depth == 0 && contentsEnd - contents >= 4:
                walk(from: contents + 4, to: contentsEnd, depth: 1)
            default: read(type, contents..<contentsEnd)
            }
            guard byteCount < end - contents else { return }
            // Chunks begin at even places.
            offset = contentsEnd + byteCount & 1
        }
    }

    /// What the length of a sound chunk means: recorders that were killed or wrote to a pipe leave it open.
    private func soundBytes(_ declared: Int64, at contents: Int64) -> Int64 {
        if let prolongedAudio, prolongedAudio.lowerBound == contents { return Int64(prolongedAudio.count) }
        let isOpen = declared == 0xFFFF_FFFF && largeDataBytes == nil
        let promised = declared == 0xFFFF_FFFF ? largeDataBytes ?? declared : declared
        let fileEnd = largeEnd ?? bytes(at: 4, count: 4).map { number($0[...]) }
        let isUnfinished = promised == 0 && fileEnd.map { $0 <= contents - 8 } ?? false
        return isOpen || isUnfinished ? fileBytes - contents : promised
    }

    /// Chunks whose type is an identifier of 16 bytes, and whose length counts their header.
    private mutating func walkWave64(from first: Int64) {
        var offset = first
        while chunks.count < FormatLimits.mostChunks, let header = bytes(at: offset, count: 24) {
            let whole = Self.clamped(Self.number(header[16..<24], isBigEndian: false))
            guard whole >= 24 else { return }
            let type = Self.text(header[0..<4])
            add(header[0..<4], at: offset, byteCount: whole - 24, depth: 0)
            let end = offset + min(whole, fileBytes - offset)
            if type == "data" { dataRange = (offset + 24)..<max(end, offset + 24) }
            guard whole < fileBytes - offset else { return }
            offset += (whole + 7) & ~7
        }
    }

    private mutating func readSunHeader(_ mark: [UInt8]) {
        let (begin, count) = (number(mark[4..<8]), number(mark[8..<12]))
        guard begin <= fileBytes else { return }
        let held = fileBytes - begin
        dataRange = begin..<begin + (count == 0 ? held : min(count, held))
    }

    /// The sound comes behind blocks of a type, whose high bit marks the last, and 24 bits of length.
    private mutating func readFLACBlocks(from first: Int64) {
        var offset = first
        for _ in 0..<FormatLimits.mostChunks {
            guard let header = bytes(at: offset, count: 4) else { return }
            let (type, byteCount) = (header[0] & 0x7F, Int(Self.number(header[1..<4], isBigEndian: true)))
            if [FLACBlocks.comments, FLACBlocks.picture].contains(type),
                let block = bytes(at: offset + 4, count: byteCount)
            {
                FLACBlocks.read(type: type, block[...], into: &metadata)
            }
            offset += 4 + Int64(byteCount)
            guard header[0] & 0x80 == 0 else { break }
        }
        if offset <= fileBytes { dataRange = offset..<fileBytes }
    }

    private mutating func add(_ type: ArraySlice<UInt8>, at offset: Int64, byteCount: Int64, depth: Int) {
        let code = FourCharacterCode(rawValue: UInt32(Self.number(type, isBigEndian: true)))
        chunks.append(
            AudioFileChunk(type: code, offset: offset, byteCount: max(byteCount, 0), depth: depth))
    }
}

/// Fields.
extension ContainerDetails {
    /// Bytes at a place, all of them or nil.
    func bytes(at offset: Int64, count: Int) -> [UInt8]? {
        guard offset >= 0, let bytes = try? file.read(at: offset, count: count), bytes.count == count else {
            return nil
        }
        return bytes
    }

    /// A number of up to four bytes in the file's byte order.
    func number(_ digits: ArraySlice<UInt8>) -> Int64 {
        Self.clamped(Self.number(digits, isBigEndian: isBigEndian))
    }

    static func number(_ digits: ArraySlice<UInt8>, isBigEndian: Bool) -> UInt64 {
        isBigEndian
            ? digits.reduce(0) { $0 << 8 | UInt64($1) } : digits.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Far beyond any file, and far from the end of Int64.
    static func clamped(_ number: UInt64) -> Int64 { Int64(min(number, 1 << 60)) }

    /// A chunk's type as text, to be compared.
    static func text(_ code: ArraySlice<UInt8>) -> String {
        String(decoding: code.map { 0x20..<0x7F ~= $0 ? $0 : 0x3F }, as: UTF8.self)
    }
}
