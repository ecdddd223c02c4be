import CoreAudioTypes

/// The header of Wave64, as far as libsndfile is shown it.
///
/// QUIRK: libsndfile 1.2 goes back in the file for a chunk that is shorter than its own header, and for some that are
/// longer than 2 GiB, and never ends. So it gets the format and the audio, and none of the other chunks.
struct Wave64Header {
    /// The chunk of the format, with its header and padding.
    private(set) var format: Range<Int64>?
    /// The chunk of the audio with its header, as long as it says.
    private(set) var audio: Range<Int64>?
    /// Whether a chunk has a length that none can have.
    private(set) var isDamaged = false

    private let start: Int64

    /// Walks the chunks up to the audio; nil if the bytes are not Wave64.
    ///
    /// - Parameter read: Bytes at an offset; nil if they are not all there.
    init?(from start: Int64, read: (_ offset: Int64, _ count: Int) -> [UInt8]?) {
        guard let mark = read(start, 4), mark.elementsEqual("riff".utf8) else { return nil }
        self.start = start
        var offset = start + Self.firstChunk
        for _ in 0..<FormatLimits.mostChunks {
            guard let header = read(offset, Self.headerBytes) else { return }
            let length = header[16...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard length >= Self.headerBytes, length < UInt64(Int64.max / 2) else {
                isDamaged = true
                return
            }
            let end = offset + (Int64(length) + 7) & ~7
            if header[..<16].elementsEqual(Self.identifier("data")) {
                audio = offset..<offset + Int64(length)
                return
            }
            if format == nil, header[..<16].elementsEqual(Self.identifier("fmt ")) { format = offset..<end }
            offset = end
        }
    }

    /// Walks the first bytes of a pipe.
    init?(head: [UInt8]) {
        self.init(from: 0) { offset, count in
            guard offset <= head.count - count else { return nil }
            return Array(head[Int(offset)..<Int(offset) + count])
        }
    }

    /// The parts of a file that libsndfile is shown; nil if the file is not Wave64.
    ///
    /// - Parameter start: Where the header begins: behind tags.
    /// - Throws: `damaged` without a format or audio.
    static func shown(_ file: OpenFile, from start: Int64) throws(AudioFileError) -> SplicedBytes? {
        guard let fileBytes = file.bytes, let header = Self(from: start, read: file.whole) else { return nil }
        guard let format = header.format, let audio = header.audio, format.upperBound <= fileBytes else {
            let fault =
                header.isDamaged
                ? "a chunk of its header has no possible length"
                : "its \(header.format == nil ? "format" : "audio") is missing"
            throw AudioFileError(.damaged, fault)
        }
        let pieces: [Range<Int64>] = [start..<start + firstChunk, format, audio.clamped(to: 0..<fileBytes)]
        return SplicedBytes(pieces.map { .file($0) }, of: file)
    }

    /// The audio that the header counts and a file does not hold; nil if all of it is there.
    static func fault(_ file: OpenFile) -> String? {
        let tagBytes = file.whole(at: 0, count: 10).flatMap { StreamTag.id3Bytes($0) } ?? 0
        guard let fileBytes = file.bytes, let audio = Self(from: tagBytes, read: file.whole)?.audio,
            audio.upperBound > fileBytes
        else { return nil }
        let contents = audio.lowerBound + Int64(headerBytes)
        return DamageWords.missingAudio(
            promised: UInt64(audio.upperBound - contents), available: UInt64(fileBytes - contents))
    }

    private static func identifier(_ type: String) -> [UInt8] {
        Array(type.utf8) + [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    }

    private static let headerBytes = 24
    /// Behind the identifier, the length and the form.
    private static let firstChunk: Int64 = 40
}

extension OpenFile {
    /// Bytes at an offset; nil if they are not all there.
    func whole(at offset: Int64, count: Int) -> [UInt8]? {
        guard let bytes = try? read(at: offset, count: count), bytes.count == count else { return nil }
        return bytes
    }
}
