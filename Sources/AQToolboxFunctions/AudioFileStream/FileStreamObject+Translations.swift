// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// Translations between packets, frames and bytes: properties whose memory contains a query first.
extension FileStreamObject {
    /// The size of a translation in bytes; nil for other properties.
    static func translationBytes(_ propertyID: AudioFileStreamPropertyID) -> Int? {
        switch propertyID {
        case kAudioFileStreamProperty_PacketToFrame, kAudioFileStreamProperty_FrameToPacket,
            kAudioFileStreamProperty_PacketToByte, kAudioFileStreamProperty_ByteToPacket,
            kAudioFileStreamProperty_PacketToRollDistance,
            kAudioFileStreamProperty_PreviousIndependentPacket,
            kAudioFileStreamProperty_NextIndependentPacket,
            kAudioFileStreamProperty_PacketToDependencyInfo:
            // The properties of files have the same numbers and sizes.
            AudioFileProperty(propertyID)?.byteCount
        default: nil
        }
    }

    /// Answers the query in the client's memory; nil for a property that is not a translation.
    ///
    /// - Throws: `badPropertySize` for less memory than the query takes; `invalidPacketOffset` for positions
    ///   before the first packet or past the last; `valueUnknown` if the answer is not available;
    ///   `dataUnavailable` if later bytes may provide it.
    func translation(
        _ propertyID: AudioFileStreamPropertyID, of reply: PropertyReply
    ) throws(AudioFileStreamError) -> PropertyAnswer? {
        switch propertyID {
        case kAudioFileStreamProperty_PacketToFrame: return try translated(reply, packetToFrame)
        case kAudioFileStreamProperty_FrameToPacket: return try translated(reply, frameToPacket)
        case kAudioFileStreamProperty_PacketToByte: return try translated(reply, packetToByte)
        case kAudioFileStreamProperty_ByteToPacket: return try translated(reply, byteToPacket)
        case kAudioFileStreamProperty_PacketToRollDistance: return try translated(reply, findRollDistance)
        case kAudioFileStreamProperty_PreviousIndependentPacket:
            return try translated(reply) { (value) throws(AudioFileStreamError) in
                try findIndependentPacket(&value, step: -1)
            }
        case kAudioFileStreamProperty_NextIndependentPacket:
            return try translated(reply) { (value) throws(AudioFileStreamError) in
                try findIndependentPacket(&value, step: 1)
            }
        case kAudioFileStreamProperty_PacketToDependencyInfo: return try translated(reply, findDependency)
        default: return nil
        }
    }

    private func translated<Value: BitwiseCopyable>(
        _ reply: PropertyReply, _ translate: (inout Value) throws(AudioFileStreamError) -> Void
    ) throws(AudioFileStreamError) -> PropertyAnswer {
        guard var value: Value = reply.input() else { throw AudioFileStreamError(.badPropertySize) }
        try translate(&value)
        return .one(value)
    }

    private func packetToFrame(_ value: inout AudioFramePacketTranslation) throws(AudioFileStreamError) {
        let framesPerPacket = try requireFramesPerPacket()
        try requirePacket(value.mPacket)
        let (frame, overflow) = value.mPacket.multipliedReportingOverflow(by: framesPerPacket)
        guard !overflow else { throw AudioFileStreamError(.invalidPacketOffset) }
        value.mFrame = frame
    }

    private func frameToPacket(_ value: inout AudioFramePacketTranslation) throws(AudioFileStreamError) {
        let framesPerPacket = try requireFramesPerPacket()
        guard value.mFrame >= 0 else { throw AudioFileStreamError(.invalidPacketOffset) }
        value.mPacket = value.mFrame / framesPerPacket
        value.mFrameOffsetInPacket = UInt32(clamping: value.mFrame % framesPerPacket)
        try requirePacket(value.mPacket)
    }

    private func packetToByte(_ value: inout AudioBytePacketTranslation) throws(AudioFileStreamError) {
        let position = try stream.byteOffset(ofPacket: value.mPacket)
        value.mByte = position.byteOffset
        value.mByteOffsetInPacket = 0
        value.mFlags = position.isEstimated ? .bytePacketTranslationFlag_IsEstimate : []
    }

    private func byteToPacket(_ value: inout AudioBytePacketTranslation) throws(AudioFileStreamError) {
        let byte = value.mByte
        guard byte >= 0, stream.dataByteCount.map({ byte < $0 }) ?? true else {
            throw AudioFileStreamError(.invalidPacketOffset)
        }
        var (low, lowPosition) = try (0 as Int64, stream.byteOffset(ofPacket: 0))
        // A binary search finds the first packet that begins after the byte.
        var high = stream.packetCount ?? max(byte, byte &+ 1)
        while low + 1 < high {
            let middle = low + (high - low) / 2
            // Packets that do not exist count as after every byte.
            if let position = try? stream.byteOffset(ofPacket: middle), position.byteOffset <= byte {
                (low, lowPosition) = (middle, position)
            } else {
                high = middle
            }
        }
        value.mPacket = low
        value.mByteOffsetInPacket = UInt32(clamping: max(byte - lowPosition.byteOffset, 0))
        value.mFlags = lowPosition.isEstimated ? .bytePacketTranslationFlag_IsEstimate : []
    }

    private func findRollDistance(
        _ value: inout AudioPacketRollDistanceTranslation
    ) throws(AudioFileStreamError) {
        let format = try requireFormat()
        try requirePacket(value.mPacket)
        value.mRollDistance = rollDistance(of: value.mPacket, format)
    }

    /// Finds the neighbour of a packet: every packet can be decoded after the few packets before it.
    private func findIndependentPacket(
        _ value: inout AudioIndependentPacketTranslation, step: Int64
    ) throws(AudioFileStreamError) {
        _ = try requireFormat()
        try requirePacket(value.mPacket)
        let (packet, overflow) = value.mPacket.addingReportingOverflow(step)
        let isThere = !overflow && (stream.packetCount.map { packet < $0 } ?? true)
        value.mIndependentlyDecodablePacket = isThere ? packet : -1
    }

    private func findDependency(
        _ value: inout AudioPacketDependencyInfoTranslation
    ) throws(AudioFileStreamError) {
        let format = try requireFormat()
        try requirePacket(value.mPacket)
        value.mIsIndependentlyDecodable = format.hasDependentPackets ? 0 : 1
        value.mNumberPrerollPackets = UInt32(clamping: rollDistance(of: value.mPacket, format))
    }

    /// The number of packets to decode before a packet for a correct result, limited to existing packets.
    private func rollDistance(of packet: Int64, _ format: AudioStreamBasicDescription) -> Int64 {
        min(Int64(PacketPreroll.packets(of: format.mFormatID)), packet)
    }

    /// The number of frames in every packet.
    ///
    /// - Throws: `valueUnknown` if packets differ in frames.
    private func requireFramesPerPacket() throws(AudioFileStreamError) -> Int64 {
        let format = try requireFormat()
        guard format.mFramesPerPacket > 0 else { throw AudioFileStreamError(.valueUnknown) }
        return Int64(format.mFramesPerPacket)
    }

    private func requirePacket(_ packet: Int64) throws(AudioFileStreamError) {
        guard packet >= 0, stream.packetCount.map({ packet < $0 }) ?? true else {
            throw AudioFileStreamError(.invalidPacketOffset)
        }
    }
}
