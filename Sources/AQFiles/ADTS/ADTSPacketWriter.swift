// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// A writer of AAC packets as an ADTS stream: a seven-byte header before each packet, and an ID3 tag before the first
/// one if there is metadata.
///
/// The file is complete after every append, even if the program is killed. HE-AAC is written with the headers of its
/// core; decoders detect the extension in the packets.
final class ADTSPacketWriter: PacketWriter {
    private var config: AudioSpecificConfig
    private let format: AudioStreamBasicDescription
    private var stream: PacketStreamFile
    private var tag: [UInt8] = []

    static func make(_ order: FileOrder) throws(AudioFileError) -> any PacketWriter {
        let config = try AudioSpecificConfig(ofADTSPackets: order.format)
        return try order.createFile { (file) in ADTSPacketWriter(config, order.format, file) }
    }

    private init(_ config: AudioSpecificConfig, _ format: AudioStreamBasicDescription, _ file: OutputFile) {
        self.config = config
        self.format = format
        stream = PacketStreamFile(file)
    }

    var frameCount: Int64 { stream.packetCount * Int64(format.mFramesPerPacket) }

    var file: OutputFile { stream.file }

    var isEmpty: Bool { stream.packetCount == 0 }

    func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) throws(AudioFileError) {
        let packets = try unsafe DescribedPackets(packetDescriptions, in: bytes.count)
        var written: [UInt8] = []
        written.reserveCapacity(bytes.count + packets.ranges.count * ADTSHeader.leastBytes)
        var ends: [Int] = []
        for range in packets.ranges {
            let packet = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
            let prefix = unsafe ADTSHeader.programConfigBytes(for: config, packet: packet)
            do {
                written += try ADTSHeader.bytes(for: config, packetBytes: prefix.count + packet.count)
            } catch {
                throw AudioFileError(.unsupported, error.message)
            }
            written += prefix
            unsafe written.append(contentsOf: packet)
            ends.append(written.count)
        }
        guard !ends.isEmpty else { return }
        if stream.packetCount == 0, !tag.isEmpty {
            try stream.begin(with: tag)
            tag = []
        }
        try stream.append(written, packetEnds: ends)
    }

    func set(_ setting: FileSetting) throws(AudioFileError) {
        try checkIsEmpty(before: setting)
        switch setting {
        case .magicCookie(let cookie): try setMagicCookie(cookie)
        case .information(let information):
            tag = try ID3Writer.bytes(of: FileMetadata(information: information))
        default: throw setting.refusal
        }
    }

    private func setMagicCookie(_ cookie: [UInt8]) throws(AudioFileError) {
        let given: AudioSpecificConfig
        do {
            given = try AACCookie.audioSpecificConfig(inCookie: cookie)
            _ = try ADTSHeader.bytes(for: given, packetBytes: 0)
        } catch {
            throw AudioFileError(.unsupported, error.message)
        }
        // The format may be that of the core, or include the extension.
        guard [given.format.mSampleRate, Double(given.sampleRate)].contains(format.mSampleRate),
            [given.format.mChannelsPerFrame, UInt32(given.channels)].contains(format.mChannelsPerFrame)
        else {
            throw AudioFileError(
                .unsupported, "the magic cookie is of \(given.format.summary), not of \(format.summary)")
        }
        config = given
    }

    func complete(hasFailed: Bool) {}
}

extension AudioSpecificConfig {
    /// Makes the configuration for packets of a format, used unless a magic cookie is set.
    ///
    /// - Throws: `unsupported` if the format is not AAC, or ADTS headers cannot describe it.
    init(ofADTSPackets format: AudioStreamBasicDescription) throws(AudioFileError) {
        let isExtended = [kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2].contains(format.mFormatID)
        guard isExtended || format.mFormatID == kAudioFormatMPEG4AAC else {
            throw AudioFileError(.unsupported, "ADTS files hold AAC, not \(format.summary)")
        }
        // Band replication that doubles the rate also doubles the frames per packet.
        let factor = isExtended && format.mFramesPerPacket > 1024 ? 2 : 1
        let isParametric = format.mFormatID == kAudioFormatMPEG4AAC_HE_V2 && format.mChannelsPerFrame == 2
        guard let rate = Int(exactly: format.mSampleRate / Double(factor)) else {
            throw AudioFileError(.unsupported, "ADTS files have whole rates, not \(format.mSampleRate) Hz")
        }
        let isCore = !isExtended && 1...4 ~= format.mFormatFlags
        do {
            try self.init(
                objectType: isCore ? UInt8(format.mFormatFlags) : 2, sampleRate: rate,
                channels: isParametric ? 1 : Int(format.mChannelsPerFrame))
            framesPerPacket = Int(format.mFramesPerPacket) / factor
            _ = try ADTSHeader.bytes(for: self, packetBytes: 0)
        } catch {
            throw AudioFileError(.unsupported, error.message)
        }
    }
}
