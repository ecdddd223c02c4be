// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import CoreAudioTypes
import AQMPEGAudio

/// A reader of MPEG audio, layers I to III.
///
/// The index has the packets read or requested so far.
final class MPEGFileReader: IndexedPacketReader {
    let format: AudioStreamBasicDescription
    let channelLabels: [AudioChannelLabel]
    /// The metadata of the ID3v2 tag at the start.
    let leadingMetadata: FileMetadata
    var warnings = WarningList()

    let file: OpenFile
    private let range: Range<Int64>
    let container: ContainerDetails?
    let framer: MPEGFramer
    private(set) var index = PacketIndex()
    /// The difference in frames due to packets with another rate or length than the format's.
    private var extraFrames: Int64 = 0
    private var damage = MPEGDamageReport()

    /// - Parameters:
    ///   - file: A regular file.
    ///   - range: The stream's range in the file, including leading tags.
    ///   - container: The WAVE file around the stream; nil if there is none.
    init(
        file: OpenFile, range: Range<Int64>, container: ContainerDetails? = nil
    ) throws(AudioFileError) {
        self.file = file
        self.range = range
        self.container = container
        let window = file.window(end: min(range.upperBound, file.byteCount))
        guard let framer = MPEGFramer(window: window, from: range.lowerBound) else {
            try window.checkFailure()
            throw AudioFileError(.unrecognised, "it is not an audio file of a known type")
        }
        self.framer = framer
        let header = framer.firstHeader
        format = header.format
        channelLabels = ChannelLabels.defaults(channels: header.channels)
        leadingMetadata = ID3Reader.metadata(
            in: TagBytes(file, range.lowerBound..<range.lowerBound + framer.leadingTagBytes))
        damage.begin(framer, from: range.lowerBound, warnings: &warnings)
    }

    var containerName: String { container == nil ? "MPEG audio" : "WAVE" }

    var packetSizeUpperBound: Int {
        framer.firstHeader.mostPacketBytes(firstFrameBytes: framer.firstFrameBytes)
    }

    var averageBitRate: Double {
        let samples = Double(format.mFramesPerPacket)
        if index.count > 0, framer.isAtEnd {
            return Double(index.audioBytes) * 8 * format.mSampleRate / (Double(index.count) * samples)
        }
        if let tag = framer.infoTag, let packets = tag.packets, let bytes = tag.bytes, packets > 0 {
            return Double(bytes) * 8 * format.mSampleRate / (Double(packets) * samples)
        }
        return Double(framer.firstHeader.bitRate)
    }

    func contents(at byteOffset: Int64, bytes: Int) throws(AudioFileError) -> UnsafeRawBufferPointer? {
        let shown = unsafe framer.window.bytes(at: byteOffset, leastBytes: bytes)
        if shown.count >= bytes { return unsafe UnsafeRawBufferPointer(rebasing: shown[..<bytes]) }
        try framer.window.checkFailure()
        return nil
    }

    func indexNext() throws(AudioFileError) -> Bool {
        guard let packet = try frameNext(number: index.count) else { return false }
        let frames = MPEGDecoder.frames(
            of: packet.header, number: Int(index.count), sampleRate: framer.firstHeader.sampleRate)
        extraFrames += Int64(frames) - Int64(format.mFramesPerPacket)
        index.append(byteOffset: packet.byteOffset, bytes: UInt32(clamping: packet.bytes))
        return true
    }

    private func frameNext(number: Int64) throws(AudioFileError) -> MPEGPacket? {
        guard !framer.isAtEnd else { return nil }
        while let packet = framer.next() {
            damage.note(packet, number: number, framer: framer, warnings: &warnings)
            if packet.bytes <= packetSizeUpperBound { return packet }
            // Only a change of layer produces such a packet, for which buffers are too small.
            warnings.append("\(packet.bytes) bytes at byte \(packet.byteOffset) are too long for a packet")
        }
        try framer.window.checkFailure()
        damage.end(framer, end: range.upperBound, warnings: &warnings)
        noteCount(packets: number)
        return nil
    }

    /// Warns of packets that the tag counts but the file does not contain.
    private func noteCount(packets: Int64) {
        guard let tag = framer.infoTag, let fileBytes = file.bytes,
            let fault = MPEGCountFault.words(
                tag, packets: packets, packetBytes: framer.byteOffset - framer.streamByteOffset,
                streamBytes: (container == nil ? fileBytes : range.upperBound) - framer.streamByteOffset)
        else { return }
        warnings.append(fault)
    }
}

extension MPEGFileReader {
    var packetTable: PacketTable? {
        let samples = Int64(format.mFramesPerPacket)
        let packets: Int64
        if !framer.isAtEnd || index.count == 0, let counted = trustworthyPacketCount {
            packets = counted
        } else {
            guard file.mayScan || framer.isAtEnd else { return nil }
            // A file that cannot be read completely has no known length; reading its packets reports the reason.
            guard let counted = try? countPackets() else { return nil }
            packets = counted
        }
        return PacketTable(
            tag: framer.infoTag, packets: packets,
            totalFrames: packets * samples + extraFrames, framesPerPacket: samples)
    }

    /// The tag's packet count; nil unless the tag's length matches the file's.
    private var trustworthyPacketCount: Int64? {
        guard let tag = framer.infoTag, let packets = tag.packets, packets > 0,
            let tagBytes = tag.bytes, let fileBytes = file.bytes
        else { return nil }
        // Encoders count from the first frame; some also count the tags before and after it.
        let streamBytes = range.upperBound - framer.streamByteOffset
        let taggedBytes = fileBytes - framer.streamByteOffset
        return [streamBytes, taggedBytes, fileBytes].contains(tagBytes) ? packets : nil
    }

    func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint {
        let samples = Int64(format.mFramesPerPacket)
        let target = try decodedFrame(frame, in: packetTable)
        let packet = target / samples
        guard try find(packet) || packet <= index.count else {
            throw AudioFileError(.endOfFile, "frame \(frame) is past the end")
        }
        let start = Preroll.firstPacket(for: packet, of: format) { index.bytes(of: $0) }
        return SeekPoint(packet: start, framesToDiscard: target - start * samples)
    }
}
#endif
