// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A reader of Ogg files that libsndfile reads only partly or not at all: consecutive streams, and FLAC.
///
/// Each stream is presented to the library as a separate file, and FLAC without its pages, because libsndfile 1.2
/// cannot open FLAC in Ogg.
final class OggFileReader: PacketReader {
    /// A stream that is played.
    private struct Part {
        let link: OggLinks.Link
        let number: Int
        let frames: Range<Int64>
        /// The warnings of the stream's reader so far.
        var warnings = WarningList()
    }

    let format: AudioStreamBasicDescription
    let isLossy: Bool
    let decodedCodec: String?
    let containerName = "Ogg"
    let channelLabels: [AudioChannelLabel]
    let isSeekable = true

    private let file: OpenFile
    private var parts: [Part] = []
    private var ownWarnings = WarningList()
    private var open: (part: Int, reader: SndFileReader)
    /// The frame from which the audio of a part is missing; nil if none was found missing.
    private var missing: (part: Int, from: Int64)?
    private lazy var details = ContainerDetails(file: file)

    /// - Throws: The error that prevents reading the first stream.
    init(file: OpenFile) throws(AudioFileError) {
        self.file = file
        let links = OggLinks(file: file)
        guard let link = links.links.first else {
            throw AudioFileError(.damaged, "its first page does not begin a stream")
        }
        let first = try Self.reader(of: link, in: file)
        open = (0, first)
        (format, isLossy, channelLabels) = (first.format, first.isLossy, first.channelLabels)
        decodedCodec = first.decodedCodec
        ownWarnings = links.warnings
        var end: Int64 = 0
        for (index, link) in links.links.enumerated() {
            guard let reader = index == 0 ? first : other(link, number: index + 1) else { continue }
            let frames = max(min(try Self.frames(of: reader, link), Self.mostFrames(of: link)), 0)
            parts.append(Part(link: link, number: index + 1, frames: end..<end + frames))
            end += frames
            keepWarnings(of: reader, part: parts.count - 1)
        }
    }

    private static func reader(
        of link: OggLinks.Link, in file: OpenFile
    ) throws(AudioFileError) -> SndFileReader {
        let ranges = link.isFLAC ? link.flac : [link.bytes]
        return try SndFileReader(
            file: file, isPipe: false, content: SplicedBytes(ranges.map { .file($0) }, of: file))
    }

    /// Opens a stream that can follow the first one; nil if it cannot.
    private func other(_ link: OggLinks.Link, number: Int) -> SndFileReader? {
        let label = "stream \(number), from byte \(link.bytes.lowerBound) on"
        do throws(AudioFileError) {
            let reader = try Self.reader(of: link, in: file)
            if reader.format.hasSameFrames(as: format) { return reader }
            ownWarnings.append("\(label), has another format, \(reader.format.summary), and is left out")
        } catch {
            ownWarnings.append("\(label), is left out: \(error.message)")
        }
        return nil
    }

    private static func frames(
        of reader: SndFileReader, _ link: OggLinks.Link
    ) throws(AudioFileError) -> Int64 {
        if let frames = reader.frameCount { return frames }
        // An encoder that wrote to a pipe could not seek back to write the count.
        if let end = link.endPosition { return end }
        return try reader.countPackets()
    }

    /// The largest number of frames that a stream can contain; frames missing from its count become silence.
    private static func mostFrames(of link: OggLinks.Link) -> Int64 {
        min(Int64(link.bytes.count), 1 << 35) * framesPerByte
    }

    private func keepWarnings(of reader: SndFileReader, part: Int) {
        guard reader.warnings.problems.count > parts[part].warnings.problems.count else { return }
        parts[part].warnings = reader.warnings
    }

    var warnings: WarningList {
        var warnings = ownWarnings
        for part in parts {
            for problem in part.warnings.problems {
                let words = parts.count > 1 ? "stream \(part.number): \(problem.message)" : problem.message
                warnings.append(AudioFileProblem(problem.grade, words))
            }
        }
        return warnings
    }

    private var frameCount: Int64 { parts.last?.frames.upperBound ?? 0 }

    var packetTable: PacketTable? {
        PacketTable(primingFrames: 0, validFrames: frameCount, remainderFrames: 0)
    }

    var sampleDigest: SampleDigest? { parts.count == 1 ? open.reader.sampleDigest : nil }

    var packetSizeUpperBound: Int { Int(format.mBytesPerPacket) }

    var averageBitRate: Double {
        frameCount > 0 ? Double(file.byteCount) * 8 * format.mSampleRate / Double(frameCount) : 0
    }

    var information: [AudioFileInformation] { details.metadata.information }

    var artwork: AudioFileArtwork? { details.metadata.artwork }

    func countPackets() throws(AudioFileError) -> Int64 { frameCount }

    func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint {
        guard frame <= frameCount else {
            throw AudioFileError(.endOfFile, "frame \(frame) is past the end at \(frameCount)")
        }
        return SeekPoint(packet: frame, framesToDiscard: 0)
    }

    func readPackets(
        from packet: Int64, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead {
        guard let index = parts.firstIndex(where: { $0.frames ~= packet }) else {
            return PacketRead(packets: 0, bytes: 0)
        }
        let frames = parts[index].frames
        if open.part != index {
            open = (index, try Self.reader(of: parts[index].link, in: file))
        }
        let frameBytes = Int64(format.mBytesPerFrame)
        // At least one frame fits, or the reader throws.
        let room = Int(min(Int64(bytes.count), max(frames.upperBound - packet, 1) * frameBytes))
        let memory = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<room])
        // libsndfile cannot seek past the end of FLAC.
        if let missing, missing.part == index, packet >= missing.from { return unsafe fill(memory) }
        let read = try unsafe open.reader.readPackets(
            from: packet - frames.lowerBound, into: memory, descriptions: descriptions)
        keepWarnings(of: open.reader, part: index)
        guard read.packets == 0, index < parts.count - 1 else { return read }
        missing = (index, packet)
        return unsafe fill(memory)
    }

    /// Returns silence for the missing end of a stream, so that the next stream keeps its time.
    private func fill(_ memory: UnsafeMutableRawBufferPointer) -> PacketRead {
        let frameBytes = Int(format.mBytesPerFrame)
        let frames = memory.count / frameBytes
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
        return PacketRead(packets: frames, bytes: frames * frameBytes)
    }

    /// The largest number of frames per byte. The longest packet needs one byte, and one more for its length.
    private static let framesPerByte: Int64 = 8192
}

extension AudioStreamBasicDescription {
    /// Returns whether frames of another format can follow frames of this one.
    func hasSameFrames(as other: AudioStreamBasicDescription) -> Bool {
        mSampleRate == other.mSampleRate && mFormatFlags == other.mFormatFlags
            && mChannelsPerFrame == other.mChannelsPerFrame && mBitsPerChannel == other.mBitsPerChannel
    }
}
