// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// The values of properties that are numbers or structures, from the engine's reader or writer.
extension AudioFileSession {
    func dataFormat() throws(StatusError) -> AudioStreamBasicDescription {
        if let output { return output.format }
        return try reader().format
    }

    /// The file type.
    ///
    /// - Throws: `kAudioFileUnsupportedPropertyError` for types without a published number.
    func fileType() throws(StatusError) -> AudioFileTypeID {
        if let output { return output.fileType }
        let file = try reader()
        guard let type = AudioFileKind.type(of: file, hint: typeHint) else {
            throw StatusError(kAudioFileUnsupportedPropertyError)
        }
        return type
    }

    /// The number of packets; for a file that is written, the number written, although the last packets of an
    /// MPEG-4 file cannot be read before it is closed.
    ///
    /// - Throws: `kAudioFilePositionError` for a pipe, in which counting consumes the packets.
    func countPackets() throws(StatusError) -> Int64 {
        if let output { return output.packets }
        let file = try reader()
        return try StatusError.translating { () throws(AudioFileError) in try file.countPackets() }
    }

    /// The size of the audio data in bytes.
    ///
    /// - Throws: `kAudioFileUnsupportedPropertyError` if the size is unknown.
    func dataByteCount() throws(StatusError) -> UInt64 {
        if let output { return UInt64(clamping: output.bytes) }
        let file = try reader()
        if file.format.hasConstantPacketSize, file.isSeekable {
            let (bytes, overflow) = try countPackets().multipliedReportingOverflow(
                by: Int64(file.format.mBytesPerPacket))
            return overflow ? .max : UInt64(clamping: bytes)
        }
        guard let range = file.dataRange else { throw StatusError(kAudioFileUnsupportedPropertyError) }
        return UInt64(clamping: range.upperBound - range.lowerBound)
    }

    /// Returns whether the audio data is at the end of the file, so that it can grow.
    func isOptimized() throws(StatusError) -> Bool {
        guard output == nil else { return true }
        guard let range = try reader().dataRange, let storedBytes else { return false }
        // Containers of two-byte words have a pad byte after an odd number of bytes.
        return range.upperBound >= storedBytes.byteCount - 1
    }

    /// The largest size of this many packets in bytes.
    ///
    /// - Throws: `kAudio_ParamError` for a negative number.
    func bytesUpperBound(ofPackets packets: Int64) throws(StatusError) -> Int {
        guard packets >= 0 else { throw StatusError(kAudio_ParamError) }
        let (bytes, overflow) = packets.multipliedReportingOverflow(by: Int64(try packetSizeUpperBound()))
        return overflow ? .max : Int(clamping: bytes)
    }

    /// The largest size of a packet in bytes, without reading the whole file.
    func packetSizeUpperBound() throws(StatusError) -> Int {
        let format = try dataFormat()
        if format.hasConstantPacketSize { return Int(format.mBytesPerPacket) }
        if let output { return output.largestPacketBytes }
        return try reader().packetSizeUpperBound
    }

    /// The size of the largest packet in bytes.
    ///
    /// Reads a whole stream once if its packets differ in size.
    func maximumPacketSize() throws(StatusError) -> Int {
        let format = try dataFormat()
        if format.hasConstantPacketSize { return Int(format.mBytesPerPacket) }
        if let output { return output.largestPacketBytes }
        if let largestPacketBytes { return largestPacketBytes }
        let file = try reader()
        let bound = file.packetSizeUpperBound
        // The bound of a stream of packets is the limit of its type. The bound of a table is the largest packet.
        guard file.isSeekable, Self.isStream(AudioFileKind.type(of: file)) else { return bound }
        var bytes = [UInt8](repeating: 0, count: max(bound, 64 << 10))
        var descriptions = [AudioStreamPacketDescription](
            repeating: AudioStreamPacketDescription(), count: 512)
        var (packet, largest): (Int64, Int) = (0, 0)
        while true {
            let read: PacketRead
            do throws(AudioFileError) {
                read = try unsafe bytes.withUnsafeMutableBufferPointer { memory throws(AudioFileError) in
                    try unsafe descriptions.withUnsafeMutableBufferPointer { buffer throws(AudioFileError) in
                        try unsafe file.readPackets(
                            from: packet, into: UnsafeMutableRawBufferPointer(memory), descriptions: buffer)
                    }
                }
            } catch { throw StatusError(error) }
            if read.packets == 0 { break }
            for description in descriptions.prefix(read.packets) {
                largest = max(largest, Int(description.mDataByteSize))
            }
            packet += Int64(read.packets)
        }
        largestPacketBytes = largest
        return largest
    }

    private static func isStream(_ type: AudioFileTypeID?) -> Bool {
        switch type {
        case kAudioFileMP1Type, kAudioFileMP2Type, kAudioFileMP3Type, kAudioFileAAC_ADTSType: true
        default: false
        }
    }

    func channelLabels() throws(StatusError) -> [AudioChannelLabel] {
        if let labels = output?.settings.channelLabels { return labels }
        return try reader().channelLabels
    }

    /// The duration of the audio in seconds.
    ///
    /// The engine reads a whole stream once if the stream states no duration.
    func estimatedDuration() throws(StatusError) -> Double {
        let file = try reader()
        if let frames = file.frameCount, file.format.mSampleRate > 0 {
            return Double(frames) / file.format.mSampleRate
        }
        guard let range = file.dataRange, file.averageBitRate > 0 else { return 0 }
        return Double(range.upperBound - range.lowerBound) * 8 / file.averageBitRate
    }

    /// The bit depth of a sample before it was encoded, negative for floating point.
    ///
    /// - Throws: `kAudioFileUnsupportedPropertyError` if the file does not state the depth.
    func sourceBitDepth() throws(StatusError) -> Int32 {
        let format = try dataFormat()
        if format.isLinearPCM {
            let bits = Int32(clamping: format.mBitsPerChannel)
            return format.isFloat ? -bits : bits
        }
        guard format.mFormatID == kAudioFormatAppleLossless else {
            throw StatusError(kAudioFileUnsupportedPropertyError)
        }
        switch format.mFormatFlags {
        case kAppleLosslessFormatFlag_16BitSourceData: return 16
        case kAppleLosslessFormatFlag_20BitSourceData: return 20
        case kAppleLosslessFormatFlag_24BitSourceData: return 24
        case kAppleLosslessFormatFlag_32BitSourceData: return 32
        default: throw StatusError(kAudioFileUnsupportedPropertyError)
        }
    }
}
