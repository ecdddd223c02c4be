import CoreAudioTypes
import MagicCookies

/// Reads AAC in an ADTS stream, packet by packet, without the headers.
///
/// The index covers what was read or requested so far. An ADTS header never announces HE-AAC, so the first packets are
/// examined.
final class ADTSFileReader: PacketReader {
    let format: AudioStreamBasicDescription
    let channelLabels: [AudioChannelLabel]
    let magicCookie: [UInt8]
    let information: [AudioFileInformation]
    let artwork: AudioFileArtwork?
    private(set) var warnings = WarningList()

    private let file: OpenFile
    private let end: Int64
    private let framer: ADTSFramer
    private let config: AudioSpecificConfig
    /// An ADTS header does not contain the encoder's delay, so this is 0 unless the encoder is known.
    let primingFrames: Int64
    private var damage: ADTSDamageReport
    /// The frames with their headers.
    private var index = PacketIndex()
    /// The number of packets found, and their bytes.
    private var packetBytes: Int64 = 0
    private var packetCount: Int64 = 0

    /// - Parameters:
    ///   - file: A regular file.
    ///   - tagBytes: The size of the tags at the start.
    ///   - end: The offset of the tags at the end.
    init(file: OpenFile, behindTagsOf tagBytes: Int64, end: Int64) throws(AudioFileError) {
        self.file = file
        self.end = end
        let metadata = ID3Reader.metadata(in: TagBytes(file, 0..<tagBytes))
        (information, artwork) = (metadata.information, metadata.artwork)
        framer = try ADTSFramer(window: ByteWindow(file: file, end: end), from: tagBytes)
        let header = framer.firstHeader
        guard header.rawDataBlocks == 1 else {
            throw AudioFileError(
                .unsupported, "its packets hold \(header.rawDataBlocks) audio blocks each, not one")
        }
        let shown = unsafe framer.window.bytes(at: framer.streamByteOffset, leastBytes: header.frameBytes)
        let packet = unsafe Array(shown.prefix(header.frameBytes).dropFirst(header.headerBytes))
        do {
            config = try Self.detectExtensions(
                header.audioSpecificConfig(packet: packet), file, from: framer.streamByteOffset, to: end)
        } catch let error as AudioFileError {
            throw error
        } catch let error as MagicCookieError {
            throw AudioFileError(.damaged, error.message)
        } catch {
            throw AudioFileError(.damaged, "its first packet cannot be read")
        }
        primingFrames = FAACMark.isFound(in: packet) ? FAACMark.primingFrames : 0
        format = config.format
        guard 1...Self.mostChannels ~= config.channels else {
            throw AudioFileError(.unsupported, "\(config.channels) channels, not 1 to \(Self.mostChannels)")
        }
        channelLabels = MP4Coding.mpegLabels(
            channels: Int(format.mChannelsPerFrame), of: kAudioFormatMPEG4AAC)
        magicCookie = AACCookie.cookie(for: config)
        damage = ADTSDamageReport(framer, behindTagOf: tagBytes, warnings: &warnings)
    }

    private static func detectExtensions(
        _ config: AudioSpecificConfig, _ file: OpenFile, from start: Int64, to end: Int64
    ) throws(AudioFileError) -> AudioSpecificConfig {
        var detector = ExtensionDetector(config)
        guard !detector.isDecided else { return config }
        let framer = try ADTSFramer(window: ByteWindow(file: file, end: end), from: start)
        while !detector.isDecided, let frame = try framer.next() {
            let header = frame.header
            guard header.isSameStream(as: framer.firstHeader), header.rawDataBlocks == 1 else { continue }
            let shown = unsafe framer.window.bytes(at: frame.byteOffset, leastBytes: header.frameBytes)
            guard shown.count >= header.frameBytes else { break }
            unsafe detector.examine(
                UnsafeRawBufferPointer(rebasing: shown[header.headerBytes..<header.frameBytes]))
        }
        return detector.config
    }

    var containerName: String { "AAC in an ADTS stream" }

    var isSeekable: Bool { true }

    var packetSizeUpperBound: Int { ADTSHeader.maximumFrameBytes - ADTSHeader.leastBytes }

    var averageBitRate: Double {
        let header = framer.firstHeader
        let bytes = packetCount > 0 ? Double(packetBytes) : Double(header.frameBytes - header.headerBytes)
        return bytes * 8 * format.mSampleRate
            / (Double(max(packetCount, 1)) * Double(format.mFramesPerPacket))
    }

    var dataRange: Range<Int64>? {
        guard let bytes = file.bytes, bytes >= framer.streamByteOffset else { return nil }
        return framer.streamByteOffset..<(framer.isAtEnd ? framer.byteOffset : bytes)
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
            let shown = unsafe framer.window.bytes(at: position.byteOffset, leastBytes: position.bytes)
            guard shown.count >= position.bytes, let header = unsafe ADTSHeader(bytes: shown),
                header.frameBytes == position.bytes
            else {
                if let failure = framer.window.failure { throw failure }
                warnings.append("the file changed while it was read, at byte \(position.byteOffset)")
                break
            }
            let payload = unsafe UnsafeRawBufferPointer(
                rebasing: shown[header.headerBytes..<header.frameBytes])
            guard payload.count <= bytes.count - read.bytes else {
                if read.packets > 0 { break }
                throw AudioFileError(
                    .bufferTooSmall,
                    "packet \(packet) has \(payload.count) bytes, and there is room for \(bytes.count)")
            }
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[read.bytes...]).copyMemory(from: payload)
            unsafe descriptions[read.packets] = AudioStreamPacketDescription(
                mStartOffset: Int64(read.bytes), mVariableFramesInPacket: 0,
                mDataByteSize: UInt32(payload.count))
            read.packets += 1
            read.bytes += payload.count
        }
        return read
    }

    /// The offset of a packet's header.
    func byteOffset(ofPacket packet: Int64) throws(AudioFileError) -> Int64? {
        try position(of: packet)?.byteOffset
    }

    /// The offset and size of a packet with its header; nil at the end.
    private func position(of packet: Int64) throws(AudioFileError) -> (byteOffset: Int64, bytes: Int)? {
        while Int64(index.count) <= packet {
            guard try indexNext() else { return nil }
        }
        return (index.byteOffset(of: Int(packet)), index.bytes(of: Int(packet)))
    }

    /// Adds one packet to the index; false at the end.
    private func indexNext() throws(AudioFileError) -> Bool {
        guard let frame = try frameNext() else { return false }
        index.append(byteOffset: frame.byteOffset, bytes: UInt16(frame.header.frameBytes))
        return true
    }

    /// The next packet that the decoder for the earlier ones can decode; nil at the end.
    private func frameNext() throws(AudioFileError) -> ADTSFrame? {
        guard !framer.isAtEnd else { return nil }
        while let frame = try framer.next() {
            damage.note(frame, number: packetCount, framer, warnings: &warnings)
            // Decoders take an empty packet for the end, and decode another format to noise.
            guard frame.header.isSameStream(as: framer.firstHeader), frame.header.rawDataBlocks == 1,
                frame.packetBytes > 0
            else { continue }
            packetBytes += Int64(frame.packetBytes)
            packetCount += 1
            return frame
        }
        damage.end(framer, end: end, warnings: &warnings)
        return nil
    }

    /// The largest supported number of channels.
    private static let mostChannels = 32
}

/// Times and offsets.
extension ADTSFileReader {
    var packetTable: PacketTable? {
        // A file that cannot be read completely has no known length; reading it reports why.
        guard let packets = try? countPackets() else { return nil }
        let total = packets * Int64(format.mFramesPerPacket)
        let priming = min(primingFrames, total)
        return PacketTable(primingFrames: priming, validFrames: total - priming, remainderFrames: 0)
    }

    func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint {
        let samples = Int64(format.mFramesPerPacket)
        let (target, overflow) = frame.addingReportingOverflow(primingFrames)
        guard !overflow else { throw AudioFileError(.endOfFile, "frame \(frame) is past any end") }
        let packet = target / samples
        while Int64(index.count) <= packet, try indexNext() {}
        let end = Int64(index.count) * samples
        guard target <= end else {
            throw AudioFileError(.endOfFile, "frame \(frame) is past the end at \(end - primingFrames)")
        }
        let first = isPredictive ? 0 : max(packet - leadPackets, 0)
        return SeekPoint(packet: first, framesToDiscard: target - first * samples)
    }

    /// Whether a packet may be predicted from any number of earlier ones.
    private var isPredictive: Bool { config.objectType == 1 || config.objectType == 4 }

    /// Each packet overlaps the one before, whose window shape depends on the one before that. Only noise that the
    /// decoder generates (PNS) differs. Parameters of band replication come a few times per second, not with every
    /// packet.
    private var leadPackets: Int64 { config.extensionObjectType == nil ? 2 : 16 }
}
