// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// Sony Wave64: WAVE with 16-byte identifiers, 64-bit lengths, and chunks aligned to 8 bytes.
struct Wave64Container: ChunkContainer {
    var layout: ChunkLayout

    init(_ samples: PCMSamples) throws(AudioFileError) {
        let format = try WaveFormatChunk.contents(for: samples, in: .wave64)
        var header = HeaderBytes()
        header.append("riff")
        header.append(raw: Self.riffTail)
        header.append(little: Int64(0))
        header.append("wave")
        header.append(raw: Self.chunkTail)
        let grammar = ChunkGrammar.wave64
        header.append(raw: grammar.bytes(of: [AudioFileChunkContents("fmt ", format.bytes)]))
        layout = ChunkLayout(
            grammar, lead: header, soundHeader: grammar.header(grammar.sound, contentsBytes: 0))
    }

    var renewedBytes: Range<Int> { Self.fileBytesOffset..<header.count }

    func renew(_ header: inout HeaderBytes, dataBytes: Int64, trailerBytes: Int) {
        header.set(little: Int64(header.count) + dataBytes + Int64(trailerBytes), at: Self.fileBytesOffset)
        header.set(little: Int64(Self.chunkHeaderBytes) + dataBytes, at: header.count - 8)
    }

    func leaveOpen(_ header: inout HeaderBytes) {
        header.set(little: PlaceholderLength.large, at: Self.fileBytesOffset)
        header.set(little: PlaceholderLength.large, at: header.count - 8)
    }

    /// Returns no bytes: nothing follows the samples, so no alignment is needed.
    ///
    /// QUIRK: libsndfile 1.2 takes padding at the end of the file for samples.
    func trailer(dataBytes: Int64) -> [UInt8] { [] }

    func textChunks(_ metadata: FileMetadata) -> [AudioFileChunkContents]? { nil }

    private static let fileBytesOffset = 16
    private static let chunkHeaderBytes = 24
    /// The bytes after the four letters in the identifiers.
    static let riffTail: [UInt8] = [
        0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0,
    ]
    static let chunkTail: [UInt8] = [
        0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A,
    ]
}
