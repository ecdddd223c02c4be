import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// Translations between packets, frames and bytes: properties whose memory contains a query first.
extension FileStreamObject {
    /// The size of a translation in bytes; nil for other properties.
    static func translationBytes(_ propertyID: AudioFileStreamPropertyID) -> Int? {
        switch propertyID {
        case kAudioFileStreamProperty_PacketToFrame, kAudioFileStreamProperty_FrameToPacket:
            MemoryLayout<AudioFramePacketTranslation>.size
        case kAudioFileStreamProperty_PacketToByte, kAudioFileStreamProperty_ByteToPacket:
            MemoryLayout<AudioBytePacketTranslation>.size
        case kAudioFileStreamProperty_PacketToRollDistance:
            MemoryLayout<AudioPacketRollDistanceTranslation>.size
        case kAudioFileStreamProperty_PreviousIndependentPacket,
            kAudioFileStreamProperty_NextIndependentPacket:
            MemoryLayout<AudioIndependentPacketTranslation>.size
        case kAudioFileStreamProperty_PacketToDependencyInfo:
            MemoryLayout<AudioPacketDependencyInfoTranslation>.size
        default: nil
        }
    }

    /// Answers the query in the client's memory; nil for a property that is not a translation.
    ///
    /// - Throws: `badPropertySize` for less memory than the query takes; `invalidPacketOffset` for positions
    ///   before the first packet or past the last; `valueUnknown` if the answer is not available;
    ///   `dataUnavailable` if it is too early.
    func translation(
        _ propertyID: AudioFileStreamPropertyID, of reply: PropertyReply
    ) throws(AudioFileStreamError) -> PropertyAnswer? {
        switch propertyID {
        case kAudioFileStreamProperty_PacketToFrame: return try packetToFrame(Self.question(reply))
        case kAudioFileStreamProperty_FrameToPacket: return try frameToPacket(Self.question(reply))
        case kAudioFileStreamProperty_PacketToByte: return try packetToByte(Self.question(reply))
        case kAudioFileStreamProperty_ByteToPacket: return try byteToPacket(Self.question(reply))
        case kAudioFileStreamProperty_PacketToRollDistance: return try rollDistance(Self.question(reply))
        case kAudioFileStreamProperty_PreviousIndependentPacket:
            return try independentPacket(Self.question(reply), step: -1)
        case kAudioFileStreamProperty_NextIndependentPacket:
            return try independentPacket(Self.question(reply), step: 1)
        case kAudioFileStreamProperty_PacketToDependencyInfo: return try dependency(Self.question(reply))
        default: return nil
        }
    }

    private static func question<Value: BitwiseCopyable>(
        _ reply: PropertyReply
    ) throws(AudioFileStreamError) -> Value {
        guard let value = reply.input(as: Value.self) else {
            throw AudioFileStreamError(
                .badPropertySize,
                "cannot translate: the memory is smaller than \(MemoryLayout<Value>.size) bytes")
        }
        return value
    }

    private func packetToFrame(
        _ question: AudioFramePacketTranslation
    ) throws(AudioFileStreamError) -> PropertyAnswer {
        let framesPerPacket = try requireFramesPerPacket()
        try requirePacket(question.mPacket)
        let (frame, overflow) = question.mPacket.multipliedReportingOverflow(by: framesPerPacket)
        guard !overflow else { throw Self.outside("packet \(question.mPacket)") }
        var answer = question
        answer.mFrame = frame
        return .one(answer)
    }

    private func frameToPacket(
        _ question: AudioFramePacketTranslation
    ) throws(AudioFileStreamError) -> PropertyAnswer {
        let framesPerPacket = try requireFramesPerPacket()
        guard question.mFrame >= 0 else { throw Self.outside("frame \(question.mFrame)") }
        var answer = question
        answer.mPacket = question.mFrame / framesPerPacket
        answer.mFrameOffsetInPacket = UInt32(clamping: question.mFrame % framesPerPacket)
        try requirePacket(answer.mPacket)
        return .one(answer)
    }

    private func packetToByte(
        _ question: AudioBytePacketTranslation
    ) throws(AudioFileStreamError) -> PropertyAnswer {
        let position = try stream.byteOffset(ofPacket: question.mPacket)
        var answer = question
        answer.mByte = position.byteOffset
        answer.mByteOffsetInPacket = 0
        answer.mFlags = position.isEstimated ? .bytePacketTranslationFlag_IsEstimate : []
        return .one(answer)
    }

    private func byteToPacket(
        _ question: AudioBytePacketTranslation
    ) throws(AudioFileStreamError) -> PropertyAnswer {
        let byte = question.mByte
        guard byte >= 0, stream.dataByteCount.map({ byte < $0 }) ?? true else {
            throw Self.outside("byte \(byte)")
        }
        var (low, lowPosition) = try (0 as Int64, stream.byteOffset(ofPacket: 0))
        // A binary search finds the first packet that begins after the byte.
        var high = stream.packetCount ?? max(byte, byte &+ 1)
        while low + 1 < high {
            let middle = low + (high - low) / 2
            // Packets that do not exist are after every byte.
            if let position = try? stream.byteOffset(ofPacket: middle), position.byteOffset <= byte {
                (low, lowPosition) = (middle, position)
            } else {
                high = middle
            }
        }
        var answer = question
        answer.mPacket = low
        answer.mByteOffsetInPacket = UInt32(clamping: max(byte - lowPosition.byteOffset, 0))
        answer.mFlags = lowPosition.isEstimated ? .bytePacketTranslationFlag_IsEstimate : []
        return .one(answer)
    }

    private func rollDistance(
        _ question: AudioPacketRollDistanceTranslation
    ) throws(AudioFileStreamError) -> PropertyAnswer {
        let format = try requireFormat()
        try requirePacket(question.mPacket)
        var answer = question
        answer.mRollDistance = rollDistance(of: question.mPacket, format)
        return .one(answer)
    }

    /// Every packet can be decoded after the few before it, without others.
    private func independentPacket(
        _ question: AudioIndependentPacketTranslation, step: Int64
    ) throws(AudioFileStreamError) -> PropertyAnswer {
        _ = try requireFormat()
        try requirePacket(question.mPacket)
        let (packet, overflow) = question.mPacket.addingReportingOverflow(step)
        let isThere = !overflow && (stream.packetCount.map { packet < $0 } ?? true)
        var answer = question
        answer.mIndependentlyDecodablePacket = isThere ? packet : -1
        return .one(answer)
    }

    private func dependency(
        _ question: AudioPacketDependencyInfoTranslation
    ) throws(AudioFileStreamError) -> PropertyAnswer {
        let format = try requireFormat()
        try requirePacket(question.mPacket)
        var answer = question
        answer.mIsIndependentlyDecodable = format.hasDependentPackets ? 0 : 1
        answer.mNumberPrerollPackets = UInt32(clamping: rollDistance(of: question.mPacket, format))
        return .one(answer)
    }

    /// The number of packets before one that have to be decoded for a correct result, limited to those that
    /// exist.
    private func rollDistance(of packet: Int64, _ format: AudioStreamBasicDescription) -> Int64 {
        min(Int64(PacketPreroll.packets(of: format.mFormatID)), packet)
    }

    /// The number of frames in every packet.
    ///
    /// - Throws: `valueUnknown` if packets differ in frames.
    private func requireFramesPerPacket() throws(AudioFileStreamError) -> Int64 {
        let format = try requireFormat()
        guard format.mFramesPerPacket > 0 else {
            throw AudioFileStreamError(
                .valueUnknown, "cannot translate packets to frames: they differ in frames")
        }
        return Int64(format.mFramesPerPacket)
    }

    private func requirePacket(_ packet: Int64) throws(AudioFileStreamError) {
        guard packet >= 0, stream.packetCount.map({ packet < $0 }) ?? true else {
            throw Self.outside("packet \(packet)")
        }
    }

    private static func outside(_ what: String) -> AudioFileStreamError {
        AudioFileStreamError(.invalidPacketOffset, "cannot translate \(what): it is not in the stream")
    }
}
