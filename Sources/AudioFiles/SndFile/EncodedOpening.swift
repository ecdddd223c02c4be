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
    /// - Throws: `unsupported` if the metadata does not fit.
    init(_ encoded: [UInt8], _ metadata: FileMetadata) throws(AudioFileError) {
        bytes = try ID3Writer.bytes(of: metadata) + encoded
        firstShifted = 0
        addedBytes = Int64(bytes.count - encoded.count)
    }

    /// The file offset of a byte that the encoder wrote.
    func fileOffset(of offset: Int64) -> Int64 {
        offset < firstShifted ? offset : offset + addedBytes
    }
}
