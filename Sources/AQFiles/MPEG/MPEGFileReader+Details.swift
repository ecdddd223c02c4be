// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import CoreAudioTypes
import AQMPEGAudio

extension MPEGFileReader {
    /// The range from the first packet to the last, or to the end of the file before all packets are found.
    var dataRange: Range<Int64>? {
        guard let fileBytes = file.bytes else { return nil }
        let start = framer.streamByteOffset + (framer.infoTag == nil ? 0 : Int64(framer.firstFrameBytes))
        guard framer.isAtEnd else { return start..<max(start, fileBytes) }
        return index.byteRange ?? start..<start
    }

    /// The tags before and after the audio, and the frame with the encoder's tag.
    var chunks: [AudioFileChunk] {
        if let container { return container.chunks }
        var chunks: [AudioFileChunk] = []
        func add(_ type: String, at offset: Int64, byteCount: Int64) {
            guard let type = FourCharacterCode(type) else { return }
            chunks.append(AudioFileChunk(type: type, offset: offset, byteCount: byteCount))
        }
        if framer.leadingTagBytes > 0 { add("ID3 ", at: 0, byteCount: max(framer.leadingTagBytes - 10, 0)) }
        if let kind = framer.infoTag?.kind {
            // The size does not include the frame's header.
            add(kind.name, at: framer.streamByteOffset, byteCount: Int64(max(framer.firstFrameBytes - 4, 0)))
        }
        if trailingTag != nil { add("TAG ", at: file.byteCount - 128, byteCount: 125) }
        return chunks
    }

    /// The metadata of the tags, newer versions first; then the encoder named in the first frame.
    var information: [AudioFileInformation] {
        var metadata = leadingMetadata
        metadata.fill(
            from: container?.metadata ?? trailingTag.map(ID3TrailingTag.metadata) ?? FileMetadata())
        if metadata.information.allSatisfy({ !$0.key.lowercased().hasPrefix("replaygain_") }) {
            metadata.information += appendedLoudness
        }
        if let encoder = TagText.clean(framer.infoTag?.encoder) {
            metadata.fill(
                from: FileMetadata(information: [AudioFileInformation("source encoder", encoder)]))
        }
        return metadata.information
    }

    /// The loudness in the tags; else that which LAME wrote into the first packet.
    var replayGain: ReplayGain {
        var gain = ReplayGain(information: information)
        guard let tag = framer.infoTag else { return gain }
        gain.fill(
            from: ReplayGain(
                track: .init(gainDecibels: tag.trackGain, peak: tag.peak),
                album: .init(gainDecibels: tag.albumGain)))
        return gain
    }

    /// The loudness in an APE tag at the end, which other tags may follow.
    private var appendedLoudness: [AudioFileInformation] {
        container == nil ? APETag.replayGain(in: file) : []
    }

    var artwork: AudioFileArtwork? { leadingMetadata.artwork ?? container?.metadata.artwork }

    var markers: [AudioFileMarker] { container?.markers ?? [] }

    var regions: [AudioFileRegion] { container?.regions ?? [] }

    /// The ID3v1 tag at the end of the file. Unreadable bytes count as no tag; reading packets reports the error.
    private var trailingTag: [UInt8]? {
        let tag = file.whole(
            at: max(file.byteCount - Int64(ID3TrailingTag.byteCount), 0), count: ID3TrailingTag.byteCount)
        return tag.flatMap { $0.starts(with: "TAG".utf8) ? $0 : nil }
    }
}
#endif
