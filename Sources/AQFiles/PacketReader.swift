// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The interface of all readers for ``AudioFile``. Error messages continue after "cannot … 'path': ".
protocol PacketReader: AnyObject {
    var format: AudioStreamBasicDescription { get }
    /// Whether the coding in the file is lossy, even if the audio is returned decoded.
    var isLossy: Bool { get }
    var containerName: String { get }
    /// The coding in the file, if it is decoded to ``format``; nil if packets are returned as stored.
    var decodedCodec: String? { get }
    var channelLabels: [AudioChannelLabel] { get }
    var isSeekable: Bool { get }
    /// The range of decoded frames that is audio; nil if unknown before the end. May scan the file.
    var packetTable: PacketTable? { get }
    /// The number of decoded frames before the audio; known even if ``packetTable`` is nil.
    var primingFrames: Int64 { get }
    /// The number of frames that a read from a pipe waits for, if the memory has room for them.
    var leastFramesPerRead: Int64 { get set }
    /// Whether a packet can be read without a wait for a pipe, or there will be none; nil if a library knows.
    var isReadable: Bool? { get }
    var packetSizeUpperBound: Int { get }
    var averageBitRate: Double { get }
    var magicCookie: [UInt8] { get }
    var dataRange: Range<Int64>? { get }
    var chunks: [AudioFileChunk] { get }
    var information: [AudioFileInformation] { get }
    var replayGain: ReplayGain { get }
    /// The checksum of all samples that the file states; nil if it states none.
    var sampleDigest: SampleDigest? { get }
    var artwork: AudioFileArtwork? { get }
    var markers: [AudioFileMarker] { get }
    var regions: [AudioFileRegion] { get }
    var warnings: WarningList { get }

    /// Counts the packets exactly; may scan the file.
    func countPackets() throws(AudioFileError) -> Int64
    func readPackets(
        from packet: Int64, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead
    func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint
    /// Returns the offset of a packet in the file; nil if unknown or past the end.
    func byteOffset(ofPacket packet: Int64) throws(AudioFileError) -> Int64?
}

extension PacketReader {
    var isLossy: Bool {
        !format.isLinearPCM && ![kAudioFormatAppleLossless, kAudioFormatFLAC].contains(format.mFormatID)
    }
    var decodedCodec: String? { nil }
    var replayGain: ReplayGain { ReplayGain(information: information) }
    var sampleDigest: SampleDigest? { nil }
    var primingFrames: Int64 { packetTable?.primingFrames ?? 0 }
    /// The largest number, so that a call returns as many frames as fit, unless the reader overrides the property.
    var leastFramesPerRead: Int64 {
        get { .max }
        set {}
    }
    var isReadable: Bool? { true }
    var magicCookie: [UInt8] { [] }
    var dataRange: Range<Int64>? { nil }
    var chunks: [AudioFileChunk] { [] }
    /// Computes the offset of a packet of constant size, because such packets are contiguous.
    func byteOffset(ofPacket packet: Int64) throws(AudioFileError) -> Int64? {
        guard format.hasConstantPacketSize, let dataRange, packet >= 0 else { return nil }
        let (distance, overflow) = packet.multipliedReportingOverflow(by: Int64(format.mBytesPerPacket))
        guard !overflow, distance < dataRange.upperBound - dataRange.lowerBound else { return nil }
        return dataRange.lowerBound + distance
    }
    /// Converts a frame of the audio to its number among the decoded frames.
    ///
    /// - Throws: `endOfFile` if the audio ends before the frame.
    func decodedFrame(_ frame: Int64, in table: PacketTable?) throws(AudioFileError) -> Int64 {
        if let table, frame > table.validFrames {
            throw AudioFileError(.endOfFile, "frame \(frame) is past the end at \(table.validFrames)")
        }
        let (target, overflow) = frame.addingReportingOverflow(table?.primingFrames ?? primingFrames)
        guard !overflow else {
            throw AudioFileError(.endOfFile, "frame \(frame) is past the end of any file")
        }
        return target
    }
    var artwork: AudioFileArtwork? { nil }
    var markers: [AudioFileMarker] { [] }
    var regions: [AudioFileRegion] { [] }
}
