#if HAVE_MPEG_AUDIO
import CoreAudioTypes
import MPEGAudio

/// What a file of MPEG audio holds beside its packets.
extension MPEGFileReader {
    /// From the first packet to the end of the last that was found; to the end of the file until all were.
    var dataRange: Range<Int64>? {
        guard let fileBytes = file.bytes else { return nil }
        let start = framer.streamByteOffset + (framer.infoTag == nil ? 0 : Int64(framer.firstFrameBytes))
        guard framer.isAtEnd else { return start..<max(start, fileBytes) }
        guard index.count > 0 else { return start..<start }
        let last = index.count - 1
        return index.byteOffset(of: 0)..<(index.byteOffset(of: last) + Int64(index.bytes(of: last)))
    }

    func byteOffset(ofPacket packet: Int64) throws(AudioFileError) -> Int64? {
        isSeekable ? try place(of: packet)?.byteOffset : nil
    }

    /// The tags in front and behind, and the frame that an encoder wrote its tag into.
    var chunks: [AudioFileChunk] {
        if let container { return container.chunks }
        var chunks: [AudioFileChunk] = []
        func add(_ type: String, at offset: Int64, byteCount: Int64) {
            guard let type = FourCharacterCode(type) else { return }
            chunks.append(AudioFileChunk(type: type, offset: offset, byteCount: byteCount))
        }
        if framer.leadingTagBytes > 0 { add("ID3 ", at: 0, byteCount: max(framer.leadingTagBytes - 10, 0)) }
        if let kind = framer.infoTag?.kind {
            let type =
                switch kind {
                case .xing: "Xing"
                case .info: "Info"
                case .vbri: "VBRI"
                }
            // The frame's header is no part of what it holds.
            add(type, at: framer.streamByteOffset, byteCount: Int64(max(framer.firstFrameBytes - 4, 0)))
        }
        if let fileBytes = file.bytes, fileBytes >= 128, hasTrailingTag(at: fileBytes - 128) {
            add("TAG ", at: fileBytes - 128, byteCount: 125)
        }
        return chunks
    }

    /// What the tags say, the newer version first; then the encoder that the first frame names.
    var information: [AudioFileInformation] {
        var metadata = leadingMetadata
        metadata.fill(from: container?.metadata ?? trailingMetadata)
        let encoder = FileMetadata(
            information: [TagText.clean(framer.infoTag?.encoder)].compactMap { name in
                name.map { AudioFileInformation("source encoder", $0) }
            })
        metadata.fill(from: encoder)
        return metadata.information
    }

    var artwork: AudioFileArtwork? { leadingMetadata.artwork ?? container?.metadata.artwork }

    var markers: [AudioFileMarker] { container?.markers ?? [] }

    var regions: [AudioFileRegion] { container?.regions ?? [] }

    /// What ID3's first version says at the end of the file. What cannot be read is no tag; reading packets will
    /// say why.
    private var trailingMetadata: FileMetadata {
        let byteCount = Int64(ID3TrailingTag.byteCount)
        guard let fileBytes = file.bytes, fileBytes >= byteCount,
            let bytes = try? file.read(at: fileBytes - byteCount, count: ID3TrailingTag.byteCount)
        else { return FileMetadata() }
        return ID3TrailingTag.metadata(in: bytes)
    }

    /// Whether ID3's first version ends the file. What cannot be read is no tag; reading packets will say why.
    private func hasTrailingTag(at offset: Int64) -> Bool {
        (try? file.read(at: offset, count: 3))?.elementsEqual("TAG".utf8) == true
    }
}
#endif
