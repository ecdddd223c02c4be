// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import CoreAudioTypes

/// MPEG audio in a WAVE file.
///
/// libsndfile decodes such files too, but reports a frame count from a chunk that encoders fill unreliably.
enum MPEGWave {
    /// Opens the packets; nil if the file contains another format, or no packets are found.
    ///
    /// - Parameter head: The first bytes of the file, with the format.
    static func reader(file: OpenFile, head: [UInt8]) throws(AudioFileError) -> MPEGFileReader? {
        guard isAnnounced(in: head), let container = ContainerChunks(file: file), let data = container.audio,
            !data.isEmpty,
            try StreamProbe.search(file, from: data.lowerBound, to: data.upperBound)?.kind == .mpegAudio
        else { return nil }
        return try MPEGFileReader(
            file: file, range: data,
            container: ContainerDetails(file: file, prolongedAudio: container.prolongedAudio))
    }

    /// Returns whether the format in the first bytes of a file is MPEG audio.
    static func isAnnounced(in head: [UInt8]) -> Bool {
        guard let header = WaveHeader(head: head), header.fileType == .wave, let format = header.format else {
            return false
        }
        let fields = FieldReader(bytes: format, isBigEndian: header.grammar.isBigEndian)
        let tag = fields.uint16(at: 0)
        // An extensible format has an identifier that begins with the number of the coding.
        return [layer3, otherLayers].contains(tag == extensible ? fields.uint16(at: 24) : tag)
    }

    private static let layer3: UInt16 = 0x55
    private static let otherLayers: UInt16 = 0x50
    private static let extensible: UInt16 = 0xFFFE
}
#endif
