// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// A report of skipped bytes and format changes in an ADTS stream, as warnings.
struct ADTSDamageReport {
    /// The header of the last frame, used or skipped.
    private var last: ADTSHeader

    init(_ framer: ADTSFramer, behindTagOf tagBytes: Int64, warnings: inout WarningList) {
        last = framer.firstHeader
        let skipped = framer.streamByteOffset - tagBytes
        if skipped > 0 {
            warnings.append(DamageWords.foreign(skipped, at: tagBytes, "before the first packet", no: "AAC"))
        }
    }

    /// Reports faults of a frame; `number` is its packet, or the next packet if the frame is skipped.
    mutating func note(_ frame: ADTSFrame, number: Int64, _ framer: ADTSFramer, warnings: inout WarningList) {
        let position = "packet \(number), byte \(frame.byteOffset)"
        if number > 0, frame.skippedBytes > 0, !Self.isTag(before: frame, framer) {
            warnings.append(
                DamageWords.foreign(
                    frame.skippedBytes, at: frame.byteOffset - frame.skippedBytes, "before packet \(number)",
                    no: "AAC"))
        }
        let header = frame.header
        defer { last = header }
        if header.rawDataBlocks != 1, last.rawDataBlocks == 1 {
            warnings.append("\(header.rawDataBlocks) blocks in one frame at \(position) are left out")
        }
        if frame.packetBytes == 0 {
            warnings.append("an empty packet before \(position) is left out")
        }
        guard !header.isSameStream(as: last) else { return }
        let isBack = header.isSameStream(as: framer.firstHeader)
        let back = isBack ? "back " : ""
        let outcome = isBack ? "" : "; the audio is left out until the format changes back"
        if header.sampleRate != last.sampleRate {
            warnings.append("the rate changes \(back)to \(header.sampleRate) Hz at \(position)\(outcome)")
        } else if header.channelConfiguration != last.channelConfiguration {
            let configuration = header.channelConfiguration
            warnings.append(
                "the channels change \(back)to configuration \(configuration) at \(position)\(outcome)")
        } else {
            warnings.append(
                "the coding changes \(back)to object type \(header.objectType) at \(position)\(outcome)")
        }
    }

    /// Returns whether all bytes skipped before a frame are ID3 tags, which broadcasts use for titles.
    private static func isTag(before frame: ADTSFrame, _ framer: ADTSFramer) -> Bool {
        var offset = frame.byteOffset - frame.skippedBytes
        while offset < frame.byteOffset {
            let head = unsafe Array(framer.window.bytes(at: offset, leastBytes: 10).prefix(10))
            guard let tagBytes = StreamTag.id3Bytes(head) else { return false }
            offset += tagBytes
        }
        return offset == frame.byteOffset
    }

    /// Reports bytes after the last frame that are no tag.
    func end(_ framer: ADTSFramer, end: Int64, warnings: inout WarningList) {
        let start = framer.byteOffset
        let shown = unsafe framer.window.bytes(at: start, leastBytes: ADTSHeader.maximumFrameBytes)
        let bytes = max(end - start, 0)
        guard shown.count > 0, unsafe !StreamTag.begins(shown), unsafe !shown.allSatisfy({ $0 == 0 }) else {
            return
        }
        if let header = unsafe ADTSHeader(bytes: shown), header.isSameStream(as: framer.firstHeader),
            Int64(header.frameBytes) > bytes
        {
            warnings.append(
                DamageWords.cutShort(at: start, bytes: bytes, of: header.frameBytes))
        } else {
            warnings.append(DamageWords.foreign(bytes, at: start, "after the last packet", no: "AAC"))
        }
    }
}
