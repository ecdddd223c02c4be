#if HAVE_MPEG_AUDIO
import CoreAudioTypes
import MPEGAudio

/// Reads MPEG audio, layers I to III, packet by packet.
///
/// The index covers what was read or requested so far.
final class MPEGFileReader: PacketReader {
    let format: AudioStreamBasicDescription
    let channelLabels: [AudioChannelLabel]
    /// The metadata of the ID3v2 tag at the start.
    let leadingMetadata: FileMetadata
    private(set) var warnings = WarningList()

    let file: OpenFile
    private let range: Range<Int64>
    let container: ContainerDetails?
    private let source: MPEGByteSource
    let framer: MPEGFramer
    private(set) var index = PacketIndex()
    /// The difference in frames of packets with another rate or length than the format's.
    private var extraFrames: Int64 = 0
    private var damage = MPEGDamageReport()

    /// - Parameters:
    ///   - file: A regular file.
    ///   - range: The stream's range in it, including leading tags.
    ///   - container: The WAVE file around the stream, if any.
    init(
        file: OpenFile, range: Range<Int64>, container: ContainerDetails? = nil
    ) throws(AudioFileError) {
        self.file = file
        self.range = range
        self.container = container
        source = MPEGByteSource(fileDescriptor: file.descriptor, fileBytes: file.bytes)
        do {
            framer = try MPEGFramer(source: source, range: range)
        } catch  where error.code == .notMPEGAudio {
            throw AudioFileError(.unrecognised, "it is not an audio file of a known type")
        } catch {
            throw AudioFileError(error)
        }
        let header = framer.firstHeader
        format = AudioStreamBasicDescription(
            mSampleRate: Double(header.sampleRate), mFormatID: Self.formatID(layer: header.layer),
            mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: UInt32(header.samplesPerFrame),
            mBytesPerFrame: 0, mChannelsPerFrame: UInt32(header.channels), mBitsPerChannel: 0, mReserved: 0)
        channelLabels = ChannelLabels.defaults(channels: header.channels)
        leadingMetadata = ID3Reader.metadata(
            in: TagBytes(file, range.lowerBound..<range.lowerBound + framer.leadingTagBytes))
        damage.begin(framer, from: range.lowerBound, warnings: &warnings)
    }

    var containerName: String { container == nil ? "MPEG audio" : "WAVE" }

    var isSeekable: Bool { true }

    var packetSizeUpperBound: Int {
        // The rate may change within the stream, so this is the longest packet of the layer.
        switch framer.firstHeader.layer {
        case 1: 1540
        case 2: 2881
        default: max(1441, framer.firstFrameBytes + 1)
        }
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

    func countPackets() throws(AudioFileError) -> Int64 {
        while try indexNext() {}
        return Int64(index.count)
    }

    func readPackets(
        from packet: Int64, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead {
        guard descriptions.count > 0 else {
            throw AudioFileError(.bufferTooSmall, "there is no room for packet descriptions")
        }
        var read = PacketRead(packets: 0, bytes: 0)
        while read.packets < descriptions.count {
            guard let position = try position(of: packet + Int64(read.packets)) else { break }
            guard position.bytes <= bytes.count - read.bytes else {
                if read.packets > 0 { break }
                throw AudioFileError(
                    .bufferTooSmall, "a packet of \(position.bytes) bytes does not fit \(bytes.count)")
            }
            let shown = unsafe source.bytes(at: position.byteOffset, leastBytes: position.bytes)
            guard shown.count >= position.bytes else {
                if let failure = source.failure { throw AudioFileError(failure) }
                warnings.append("the file became shorter while it was read, at byte \(position.byteOffset)")
                break
            }
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[read.bytes...]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: shown[..<position.bytes]))
            unsafe descriptions[read.packets] = AudioStreamPacketDescription(
                mStartOffset: Int64(read.bytes), mVariableFramesInPacket: 0,
                mDataByteSize: UInt32(position.bytes))
            read.packets += 1
            read.bytes += position.bytes
        }
        return read
    }

    /// The offset and size of a packet; nil at the end.
    func position(of packet: Int64) throws(AudioFileError) -> (byteOffset: Int64, bytes: Int)? {
        while Int64(index.count) <= packet {
            guard try indexNext() else { return nil }
        }
        return (index.byteOffset(of: Int(packet)), index.bytes(of: Int(packet)))
    }

    /// Adds one packet to the index; false at the end.
    private func indexNext() throws(AudioFileError) -> Bool {
        guard let packet = try frameNext(number: Int64(index.count)) else { return false }
        let frames = MPEGDecoder.frames(
            of: packet.header, number: index.count, sampleRate: framer.firstHeader.sampleRate)
        extraFrames += Int64(frames) - Int64(format.mFramesPerPacket)
        index.append(byteOffset: packet.byteOffset, bytes: UInt16(clamping: packet.bytes))
        return true
    }

    private func frameNext(number: Int64) throws(AudioFileError) -> MPEGPacket? {
        guard !framer.isAtEnd else { return nil }
        do {
            while let packet = try framer.next() {
                damage.note(packet, number: number, framer: framer, warnings: &warnings)
                if packet.bytes <= packetSizeUpperBound { return packet }
                // Only a change of layer can produce such a packet, and buffers are sized without it.
                warnings.append("\(packet.bytes) bytes at byte \(packet.byteOffset) are too long a packet")
            }
            damage.end(framer, end: range.upperBound, warnings: &warnings)
            noteCount(packets: number)
            return nil
        } catch { throw AudioFileError(error) }
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

    private static func formatID(layer: Int) -> AudioFormatID {
        switch layer {
        case 1: kAudioFormatMPEGLayer1
        case 2: kAudioFormatMPEGLayer2
        default: kAudioFormatMPEGLayer3
        }
    }
}

/// Times and offsets.
extension MPEGFileReader {
    var packetTable: PacketTable? {
        let samples = Int64(format.mFramesPerPacket)
        let packets: Int64
        if !framer.isAtEnd || index.count == 0, let counted = trustworthyPacketCount {
            packets = counted
        } else {
            // A file that cannot be read completely has no known length; reading it reports why.
            guard let counted = try? countPackets() else { return nil }
            packets = counted
        }
        return PacketTable(
            tag: framer.infoTag, packets: packets,
            totalFrames: packets * samples + extraFrames, framesPerPacket: samples)
    }

    /// The tag's count, if its length matches the file's, so that no verification is required.
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
        let table = packetTable
        if let table, frame > table.validFrames {
            throw AudioFileError(.endOfFile, "frame \(frame) is past the end at \(table.validFrames)")
        }
        let (target, overflow) = frame.addingReportingOverflow(table?.primingFrames ?? 0)
        guard !overflow else { throw AudioFileError(.endOfFile, "frame \(frame) is past any end") }
        let packet = target / samples
        while Int64(index.count) <= packet, try indexNext() {}
        guard packet <= Int64(index.count) else {
            throw AudioFileError(.endOfFile, "frame \(frame) is past the end")
        }
        let start = firstPacketNeeded(for: Int(packet))
        return SeekPoint(packet: Int64(start), framesToDiscard: target - Int64(start) * samples)
    }

    /// The packet where decoding must begin so that `packet` is the same as after decoding from the start.
    ///
    /// The synthesis window spans the packet and, in the shortest packets, two before it; the oldest of these needs the
    /// main data before it. The synthesis rotates through 16 steps of 32 frames, so only every eighth packet has the
    /// same phase as the first.
    private func firstPacketNeeded(for packet: Int) -> Int {
        var first = max(packet - 2, 0)
        let header = framer.firstHeader
        // Stereo has the longer side information; the smaller value is safe if the mode changes.
        let overhead = header.layer == 3 ? 4 + 2 + (header.version == .mpeg1 ? 32 : 17) : 0
        var missing = header.maximumReservoirBytes
        while missing > 0, first > 0 {
            first -= 1
            missing -= max(index.bytes(of: first) - overhead, 0)
        }
        return first / 8 * 8
    }
}

extension AudioFileError {
    init(_ error: MPEGAudioError) {
        self.init(error.code == .readFailed ? .unreadable : .damaged, error.message)
    }
}
#endif
