// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// A reader of AAC in an ADTS stream, which returns packets without their headers.
///
/// The index has the packets read or requested so far. An ADTS header never announces HE-AAC, so the first packets are
/// examined.
final class ADTSFileReader: IndexedPacketReader {
    let format: AudioStreamBasicDescription
    let channelLabels: [AudioChannelLabel]
    let magicCookie: [UInt8]
    let information: [AudioFileInformation]
    let artwork: AudioFileArtwork?
    var warnings = WarningList()

    private let file: OpenFile
    private let end: Int64
    private let framer: ADTSFramer
    private let config: AudioSpecificConfig
    /// The encoder's delay in frames; 0 unless the encoder is known, because ADTS headers do not state the delay.
    let primingFrames: Int64
    private var damage: ADTSDamageReport
    /// The positions of the frames found so far, headers included.
    private(set) var index = PacketIndex()
    /// The total size of the packets found, without their headers.
    private var packetBytes: Int64 = 0

    /// - Parameters:
    ///   - file: A regular file.
    ///   - tagBytes: The size of the tags at the start.
    ///   - end: The offset of the tags at the end.
    init(file: OpenFile, behindTagsOf tagBytes: Int64, end: Int64) throws(AudioFileError) {
        self.file = file
        self.end = end
        let metadata = ID3Reader.metadata(in: TagBytes(file, 0..<tagBytes))
        (information, artwork) = (metadata.information, metadata.artwork)
        framer = try ADTSFramer(window: file.window(end: end), from: tagBytes)
        let header = framer.firstHeader
        guard header.rawDataBlocks == 1 else {
            throw AudioFileError(
                .unsupported, "its packets hold \(header.rawDataBlocks) audio blocks each, not one")
        }
        let shown = unsafe framer.window.bytes(at: framer.streamByteOffset, leastBytes: header.frameBytes)
        let packet = unsafe Array(shown.prefix(header.frameBytes).dropFirst(header.headerBytes))
        let announced: AudioSpecificConfig
        do {
            announced = try header.audioSpecificConfig(packet: packet)
        } catch { throw AudioFileError(.damaged, error.message) }
        config = try Self.detectExtensions(announced, file, from: framer.streamByteOffset, to: end)
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
        let framer = try ADTSFramer(window: file.window(end: end), from: start)
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

    var packetSizeUpperBound: Int { ADTSHeader.maximumFrameBytes - ADTSHeader.leastBytes }

    var averageBitRate: Double {
        let header = framer.firstHeader
        let bytes = index.count > 0 ? Double(packetBytes) : Double(header.frameBytes - header.headerBytes)
        return bytes * 8 * format.mSampleRate
            / (Double(max(index.count, 1)) * Double(format.mFramesPerPacket))
    }

    var dataRange: Range<Int64>? {
        guard let bytes = file.bytes, bytes >= framer.streamByteOffset else { return nil }
        return framer.streamByteOffset..<(framer.isAtEnd ? framer.byteOffset : bytes)
    }

    func contents(at byteOffset: Int64, bytes: Int) throws(AudioFileError) -> UnsafeRawBufferPointer? {
        let shown = unsafe framer.window.bytes(at: byteOffset, leastBytes: bytes)
        if shown.count >= bytes, let header = unsafe ADTSHeader(bytes: shown), header.frameBytes == bytes {
            return unsafe UnsafeRawBufferPointer(rebasing: shown[header.headerBytes..<bytes])
        }
        try framer.window.checkFailure()
        return nil
    }

    func indexNext() throws(AudioFileError) -> Bool {
        guard !framer.isAtEnd else { return false }
        while let frame = try framer.next() {
            damage.note(frame, number: index.count, framer, warnings: &warnings)
            // Decoders take an empty packet for the end, and decode another format to noise.
            guard frame.header.isSameStream(as: framer.firstHeader), frame.header.rawDataBlocks == 1,
                frame.packetBytes > 0
            else { continue }
            packetBytes += Int64(frame.packetBytes)
            index.append(byteOffset: frame.byteOffset, bytes: UInt32(frame.header.frameBytes))
            return true
        }
        damage.end(framer, end: end, warnings: &warnings)
        return false
    }

    private static let mostChannels = 32
}

extension ADTSFileReader {
    var packetTable: PacketTable? {
        guard file.mayScan || framer.isAtEnd else { return nil }
        // A file that cannot be read completely has no known length; reading its packets reports the reason.
        guard let packets = try? countPackets() else { return nil }
        let total = packets * Int64(format.mFramesPerPacket)
        let priming = min(primingFrames, total)
        return PacketTable(primingFrames: priming, validFrames: total - priming, remainderFrames: 0)
    }

    func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint {
        let samples = Int64(format.mFramesPerPacket)
        let target = try decodedFrame(frame, in: nil)
        let packet = target / samples
        guard try find(packet) || target <= index.count * samples else {
            throw AudioFileError(
                .endOfFile,
                "frame \(frame) is past the end at \(index.count * samples - primingFrames)")
        }
        // In Main and LTP a packet may be predicted from any number of earlier packets.
        let isPredictive = config.objectType == 1 || config.objectType == 4
        let first = isPredictive ? 0 : Preroll.firstPacket(for: packet, of: format) { index.bytes(of: $0) }
        return SeekPoint(packet: first, framesToDiscard: target - first * samples)
    }
}
