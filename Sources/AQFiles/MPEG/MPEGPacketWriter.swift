// SPDX-License-Identifier: MIT

import CoreAudioTypes

#if HAVE_MPEG_AUDIO
import AQMPEGAudio

/// A writer of MPEG audio layer III packets after a first packet with LAME's tag: counts, a table of contents, and
/// trims.
///
/// Each append writes its packets first, then the tag that counts them, so a file whose writer was killed is complete
/// up to the last append. The tag of a stream counts the packets of the packet table, or leaves the length open.
final class MPEGPacketWriter: PacketWriter {
    private let format: AudioStreamBasicDescription
    private let encoderName: String
    private var stream: PacketStreamFile
    private var packetTable: PacketTable?
    /// The packet that receives the tag.
    private var tagPacket: [UInt8]
    private var isBegun = false
    /// The metadata for an ID3 tag before the first packet.
    private var metadata = FileMetadata()
    private var contents = MPEGContentsTable()
    private var musicChecksum = MPEGChecksum()
    /// The bit rate bits of the last packet's header.
    private var bitRateBits: UInt32?
    private var isVariable = false

    static func make(_ order: FileOrder) throws(AudioFileError) -> any PacketWriter {
        guard order.format.mFormatID == kAudioFormatMPEGLayer3 else {
            throw AudioFileError(.unsupported, "MP3 files cannot contain \(order.format.summary)")
        }
        guard let packet = MPEGTagPacket.make(for: order.format) else {
            throw AudioFileError(.unsupported, "MPEG audio layer III has no \(order.format.summary)")
        }
        return try order.createFile { (file) in MPEGPacketWriter(packet, order.format, to: file) }
    }

    /// - Parameter encoderName: The name for the tag, of at most 9 bytes.
    init(
        _ tagPacket: [UInt8], _ format: AudioStreamBasicDescription, encoderName: String = "LAME",
        to file: OutputFile
    ) {
        self.tagPacket = tagPacket
        self.format = format
        self.encoderName = encoderName
        stream = PacketStreamFile(file)
    }

    var frameCount: Int64 {
        max(totalFrames - (packetTable?.primingFrames ?? 0) - remainderFrames, 0)
    }

    var file: OutputFile { stream.file }

    var isEmpty: Bool { isSeekable ? stream.packetCount == 0 : !isBegun }

    /// Whether the tag can be changed once the packets are known.
    var isSeekable: Bool { stream.file.isSeekable }

    func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) throws(AudioFileError) {
        var batch = try unsafe MPEGPacketBatch(
            DescribedPackets(packetDescriptions, in: bytes.count), of: format, in: bytes)
        guard let first = batch.headers.first else { return }
        if !isBegun {
            // A tag from another writer is not audio, and its counts do not apply to this file.
            if let tag = batch.takeTag() { adopt(tag) }
            try begin(like: first)
        }
        let start = stream.endOffset
        do throws(AudioFileError) {
            try stream.append(batch.bytes, packetEnds: batch.ends) { note(batch, packets: $0, from: start) }
        } catch {
            // The tag already has space, even on a full disk. If renewing fails, the tag keeps its old count, and all
            // packets that it counts are present.
            try? renewTag()
            throw error
        }
        try renewTag()
    }

    func set(_ setting: FileSetting) throws(AudioFileError) {
        // Encoders of MPEG audio have no cookie, and programs pass on an empty one.
        if case .magicCookie([]) = setting { return }
        try checkIsEmpty(before: setting)
        var changed = metadata
        try changed.set(setting)
        // Fails now if the metadata does not fit.
        _ = try ID3Writer.bytes(of: changed)
        metadata = changed
        if isBegun { try begin(with: tagPacket) }
    }

    /// Writes a tag without packets, so that the file is valid before the first packet. Does nothing in a stream.
    func begin() throws(AudioFileError) {
        if isSeekable, !isBegun { try begin(with: tagPacket) }
    }

    /// Sets a packet table. The tag states its priming, and the remainder of the packets written at the end.
    func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        let lag = LAMETag.decoderLagFrames
        let most = LAMETag.mostTrimFrames
        let isUntrimmed = table.primingFrames == 0 && table.remainderFrames == 0
        guard
            isUntrimmed || lag...lag + most ~= table.primingFrames && 0...most - lag ~= table.remainderFrames
        else {
            throw AudioFileError(
                .unsupported,
                "MP3 files have \(lag) to \(lag + most) priming frames and up to \(most - lag) in the remainder, "
                    + "not \(table.primingFrames) and \(table.remainderFrames)")
        }
        guard stream.file.isSeekable || !isBegun || table.primingFrames == packetTable?.primingFrames else {
            throw AudioFileError(
                .unsupported, "the priming frames of a stream must be known before its first packet")
        }
        packetTable = isUntrimmed ? nil : table
    }

    func complete(hasFailed: Bool) throws(AudioFileError) {
        guard !hasFailed else { return }
        try begin()
        try renewTag()
    }
}

extension MPEGPacketWriter {
    private var totalFrames: Int64 { stream.packetCount * Int64(format.mFramesPerPacket) }

    /// The number of packets of a stream, whose tag comes first; nil if unknown. Readers then trim nothing.
    private var packetsToCome: Int64? {
        guard let packetTable, packetTable.validFrames > 0 else { return nil }
        let frames = packetTable.primingFrames + packetTable.validFrames + packetTable.remainderFrames
        return frames / Int64(format.mFramesPerPacket)
    }

    /// The number of frames after the audio, for the current packets, or for all packets of a stream.
    private var remainderFrames: Int64 {
        guard let packetTable else { return 0 }
        if !stream.file.isSeekable { return packetsToCome == nil ? 0 : packetTable.remainderFrames }
        let end = packetTable.primingFrames + packetTable.validFrames
        // A table without valid frames was set before the end was known.
        guard packetTable.validFrames > 0, totalFrames > end else { return 0 }
        return min(totalFrames - end, LAMETag.mostTrimFrames - LAMETag.decoderLagFrames)
    }

    private func adopt(_ tag: MPEGInfoTag) {
        guard packetTable == nil, let delay = tag.delayFrames, let padding = tag.paddingFrames,
            let packets = tag.packets
        else { return }
        let priming = Int64(delay) + LAMETag.decoderLagFrames
        let remainder = max(Int64(padding) - LAMETag.decoderLagFrames, 0)
        packetTable = PacketTable(
            primingFrames: priming,
            validFrames: max(packets * Int64(format.mFramesPerPacket) - priming - remainder, 0),
            remainderFrames: remainder)
    }

    private func begin(like header: MPEGFrameHeader) throws(AudioFileError) {
        let packet = MPEGTagPacket.make(like: header) ?? tagPacket
        // Without counts or trims, a tag would only be a packet of silence.
        guard stream.file.isSeekable || packetTable != nil else { return try beginFile() }
        try begin(with: packet)
    }

    private func beginFile() throws(AudioFileError) {
        isBegun = true
        try stream.begin(with: ID3Writer.bytes(of: metadata))
    }

    private func begin(with packet: [UInt8]) throws(AudioFileError) {
        try beginFile()
        tagPacket = packet
        var tag = tag
        if !stream.file.isSeekable { (tag.packets, tag.bytes) = (packetsToCome, nil) }
        try stream.append(tag.packet(replacing: packet), packetEnds: [])
    }

    private var tag: LAMETag {
        let trims = packetTable.map {
            LAMETag.Trims(
                delayFrames: $0.primingFrames - LAMETag.decoderLagFrames,
                paddingFrames: remainderFrames + LAMETag.decoderLagFrames)
        }
        return LAMETag(
            coding: isVariable ? .variable : .constant, packets: stream.packetCount, bytes: stream.endOffset,
            tableOfContents: contents.table(ofBytes: stream.endOffset), trims: trims,
            encoderName: encoderName, musicChecksum: musicChecksum.value)
    }

    private func renewTag() throws(AudioFileError) {
        guard stream.file.isSeekable, isBegun else { return }
        try stream.patch(tag.packet(replacing: tagPacket), at: 0)
    }

    private func note(_ batch: MPEGPacketBatch, packets: Int, from start: Int64) {
        guard packets > 0 else { return }
        for index in 0..<packets {
            contents.append(packetAt: start + Int64(index > 0 ? batch.ends[index - 1] : 0))
            let bits = batch.headers[index].bits & 0xF000
            if let bitRateBits, bitRateBits != bits { isVariable = true }
            bitRateBits = bits
        }
        musicChecksum.add(batch.bytes.prefix(batch.ends[packets - 1]))
    }
}
#else
/// The replacement of the writer in programs built without MPEG audio.
enum MPEGPacketWriter {
    static func make(_ order: FileOrder) throws(AudioFileError) -> any PacketWriter {
        throw AudioFileError(.unsupported, "this program was built without MPEG audio")
    }
}
#endif
