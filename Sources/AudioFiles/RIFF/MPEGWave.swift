#if HAVE_MPEG_AUDIO
import CoreAudioTypes

/// MPEG audio in a WAVE file.
///
/// libsndfile decodes it, too, but announces the frames of a chunk that encoders fill in as they like.
enum MPEGWave {
    /// Opens the packets; nil if the file holds something else, or none are found.
    ///
    /// - Parameter head: The first bytes of the file, with the format.
    static func reader(file: OpenFile, head: [UInt8]) throws(AudioFileError) -> MPEGFileReader? {
        guard isAnnounced(in: head) else { return nil }
        let details = ContainerDetails(file: file)
        guard let data = details.dataRange, let fileBytes = file.bytes else { return nil }
        // A header that was never finished gives no length.
        let end = data.isEmpty ? fileBytes : min(data.upperBound, fileBytes)
        guard data.lowerBound < end,
            try StreamProbe.search(file, from: data.lowerBound, to: end)?.kind == .mpegAudio
        else { return nil }
        return try MPEGFileReader(file: file, range: data.lowerBound..<end, container: details)
    }

    /// True if the format in the first bytes of a file is that of MPEG audio.
    static func isAnnounced(in head: [UInt8]) -> Bool {
        guard head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WAVE".utf8) else {
            return false
        }
        return [layer3, otherLayers].contains(formatTag(head))
    }

    /// The number of the coding; of an extensible format, the one that its identifier begins with.
    private static func formatTag(_ head: [UInt8]) -> UInt16? {
        let fields = FieldReader(bytes: head, isBigEndian: false)
        var offset = 12
        while let length = fields.uint32(at: offset + 4) {
            if fields.mark(at: offset) == "fmt " {
                let tag = fields.uint16(at: offset + 8)
                return tag == extensible ? fields.uint16(at: offset + 8 + 24) : tag
            }
            offset += 8 + Int(length) + Int(length & 1)
        }
        return nil
    }

    private static let layer3: UInt16 = 0x55
    private static let otherLayers: UInt16 = 0x50
    private static let extensible: UInt16 = 0xFFFE
}
#endif
