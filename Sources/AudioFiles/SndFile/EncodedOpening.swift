/// The start of a file with additions to, or replacements of, the encoder's own: text metadata and a picture.
///
/// The encoder does not know about it, so its offsets differ from those in the file.
struct EncodedOpening {
    /// The first bytes of the file.
    let bytes: [UInt8]
    /// The first offset that differs in the file, and the number of bytes added there.
    private let firstShifted: Int64
    let addedBytes: Int64

    /// The start as written by the encoder.
    init(_ encoded: [UInt8]) {
        (bytes, firstShifted, addedBytes) = (encoded, 0, 0)
    }

    /// The start with metadata.
    ///
    /// - Parameter encoded: The encoder's own start: all metadata blocks of FLAC, or nothing so far.
    /// - Throws: `unsupported` if the metadata does not fit.
    init(_ encoded: [UInt8], of type: AudioFileType, _ metadata: FileMetadata) throws(AudioFileError) {
        if metadata == FileMetadata() {
            (bytes, firstShifted) = (encoded, 0)
        } else if type == .flac {
            bytes = try Self.replacingBlocks(of: encoded, metadata)
            firstShifted = Self.streamInfoEnd
        } else {
            bytes = try ID3Writer.bytes(of: metadata) + encoded
            firstShifted = 0
        }
        addedBytes = Int64(bytes.count - encoded.count)
    }

    /// The file offset of a byte that the encoder wrote.
    func fileOffset(of offset: Int64) -> Int64 {
        offset < firstShifted ? offset : offset + addedBytes
    }

    /// FLAC's blocks (RFC 9639, 8), with the encoder's comments replaced.
    private static func replacingBlocks(
        of encoded: [UInt8], _ metadata: FileMetadata
    ) throws(AudioFileError) -> [UInt8] {
        var vendor: [UInt8] = []
        var kept: [(type: UInt8, contents: [UInt8])] = []
        var place = 4
        var isLast = false
        while !isLast {
            guard encoded.count >= place + 4 else { throw notUnderstood }
            let length = encoded[place + 1..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            let type = encoded[place] & 0x7F
            isLast = encoded[place] & 0x80 != 0
            guard encoded.count >= place + 4 + length else { throw notUnderstood }
            let contents = encoded[place + 4..<place + 4 + length]
            if type == FLACBlocks.comments {
                var cursor = LittleEndianCursor(contents)
                vendor = cursor.readLengthAndBytes().map { Array($0) } ?? []
            } else {
                kept.append((type, Array(contents)))
            }
            place += 4 + length
        }
        guard encoded.starts(with: "fLaC".utf8), kept.first?.type == 0,
            kept.first?.contents.count == Int(streamInfoEnd) - 8
        else { throw notUnderstood }
        kept.insert(
            (FLACBlocks.comments, VorbisComments.bytes(of: metadata.information, vendor: vendor)), at: 1)
        if let artwork = metadata.artwork {
            kept.insert((FLACBlocks.picture, FLACPicture.bytes(of: artwork)), at: 2)
        }
        var bytes = HeaderBytes()
        bytes.append("fLaC")
        for (number, block) in kept.enumerated() {
            guard block.contents.count < 1 << 24 else {
                throw AudioFileError(
                    .unsupported, "\(block.contents.count) bytes do not fit a block of FLAC's, of 16 MB")
            }
            let mark: UInt32 = number == kept.count - 1 ? 0x80 : 0
            bytes.append(big: (mark | UInt32(block.type)) << 24 | UInt32(block.contents.count))
            bytes.append(raw: block.contents)
        }
        return bytes.bytes + encoded[place...]
    }

    private static var notUnderstood: AudioFileError {
        AudioFileError(.unsupported, "libsndfile begins the file in a way that leaves no place for texts")
    }

    /// The end of the first block, which the encoder completes at the end.
    private static let streamInfoEnd: Int64 = 42
}
