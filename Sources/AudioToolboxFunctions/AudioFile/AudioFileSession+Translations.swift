import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// The properties that translate packets to frames and bytes, and back.
extension AudioFileSession {
    /// Translates the value in the reply's memory.
    ///
    /// - Returns: The reply's result.
    /// - Throws: `kAudioFileBadPropertySizeError` for less than the structure,
    ///   `kAudioFileInvalidPacketOffsetError` for a packet that does not exist, `kAudio_ParamError` for a
    ///   negative position, `kAudioFileUnsupportedPropertyError` for a property that is not a translation, or
    ///   a value that is unknown.
    func translate(
        _ property: AudioFilePropertyID, _ reply: PropertyReply
    ) throws(StatusError) -> OSStatus {
        let tooSmall = kAudioFileBadPropertySizeError
        switch property {
        case kAudioFilePropertyPacketToFrame, kAudioFilePropertyFrameToPacket:
            var value = try input(AudioFramePacketTranslation.self, of: reply)
            try translate(&value, isFromPacket: property == kAudioFilePropertyPacketToFrame)
            return reply.value(value, tooSmall: tooSmall)
        case kAudioFilePropertyPacketToByte:
            var value = try input(AudioBytePacketTranslation.self, of: reply)
            guard value.mPacket >= 0 else { throw StatusError(kAudioFileInvalidPacketOffsetError) }
            value.mByte = try dataByte(ofPacket: value.mPacket)
            value.mByteOffsetInPacket = 0
            value.mFlags = []
            return reply.value(value, tooSmall: tooSmall)
        case kAudioFilePropertyByteToPacket:
            var value = try input(AudioBytePacketTranslation.self, of: reply)
            try findPacket(for: &value)
            return reply.value(value, tooSmall: tooSmall)
        case kAudioFilePropertyPacketToRollDistance:
            var value = try input(AudioPacketRollDistanceTranslation.self, of: reply)
            value.mRollDistance = try rollDistance(of: value.mPacket)
            return reply.value(value, tooSmall: tooSmall)
        case kAudioFilePropertyPacketToDependencyInfo:
            var value = try input(AudioPacketDependencyInfoTranslation.self, of: reply)
            value.mNumberPrerollPackets = UInt32(clamping: try rollDistance(of: value.mPacket))
            value.mIsIndependentlyDecodable = 1
            return reply.value(value, tooSmall: tooSmall)
        case kAudioFilePropertyPreviousIndependentPacket, kAudioFilePropertyNextIndependentPacket:
            var value = try input(AudioIndependentPacketTranslation.self, of: reply)
            value.mIndependentlyDecodablePacket = try neighbour(
                of: value.mPacket, isNext: property == kAudioFilePropertyNextIndependentPacket)
            return reply.value(value, tooSmall: tooSmall)
        case kAudioFilePropertyPacketRangeByteCountUpperBound:
            var value = try input(AudioPacketRangeByteCountTranslation.self, of: reply)
            guard value.mPacket >= 0 else { throw StatusError(kAudioFileInvalidPacketOffsetError) }
            value.mByteCountUpperBound = Int64(try bytesUpperBound(ofPackets: value.mPacketCount))
            return reply.value(value, tooSmall: tooSmall)
        default: throw StatusError(kAudioFileUnsupportedPropertyError)
        }
    }

    private func input<Value: BitwiseCopyable>(
        _ type: Value.Type, of reply: PropertyReply
    ) throws(StatusError) -> Value {
        guard !reply.isNull else { throw StatusError(kAudio_ParamError) }
        guard let value = reply.input(as: type) else { throw StatusError(kAudioFileBadPropertySizeError) }
        return value
    }

    private func translate(
        _ value: inout AudioFramePacketTranslation, isFromPacket: Bool
    ) throws(StatusError) {
        let frames = Int64(try dataFormat().mFramesPerPacket)
        // Only the engine's index knows the frames of packets that differ in them, and it is not public.
        guard frames > 0 else { throw StatusError(kAudioFileUnsupportedPropertyError) }
        if isFromPacket {
            let (frame, overflow) = value.mPacket.multipliedReportingOverflow(by: frames)
            guard value.mPacket >= 0, !overflow else {
                throw StatusError(kAudioFileInvalidPacketOffsetError)
            }
            value.mFrame = frame
        } else {
            guard value.mFrame >= 0 else { throw StatusError(kAudio_ParamError) }
            value.mPacket = value.mFrame / frames
            value.mFrameOffsetInPacket = UInt32(clamping: value.mFrame % frames)
        }
    }

    /// Finds the packet that contains a byte of the audio data.
    private func findPacket(for value: inout AudioBytePacketTranslation) throws(StatusError) {
        guard value.mByte >= 0 else { throw StatusError(kAudio_ParamError) }
        value.mFlags = []
        let format = try dataFormat()
        if format.hasConstantPacketSize {
            let bytes = Int64(format.mBytesPerPacket)
            value.mPacket = value.mByte / bytes
            value.mByteOffsetInPacket = UInt32(clamping: value.mByte % bytes)
            return
        }
        // Packets are in order, so a binary search finds the last that begins no later.
        var low: Int64 = 0
        var high = try countPackets()
        guard high > 0 else { throw StatusError(kAudioFileInvalidPacketOffsetError) }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            let start = try dataByte(ofPacket: middle)
            if start <= value.mByte { low = middle } else { high = middle }
        }
        let start = try dataByte(ofPacket: low)
        value.mPacket = low
        value.mByteOffsetInPacket = UInt32(clamping: value.mByte - start)
    }

    private func dataByte(ofPacket packet: Int64) throws(StatusError) -> Int64 {
        let format = try dataFormat()
        if format.hasConstantPacketSize {
            let (byte, overflow) = packet.multipliedReportingOverflow(by: Int64(format.mBytesPerPacket))
            guard !overflow else { throw StatusError(kAudioFileInvalidPacketOffsetError) }
            return byte
        }
        let file = try reader()
        do throws(AudioFileError) {
            guard let position = try file.byteOffset(ofPacket: packet), let start = file.dataRange?.lowerBound
            else { throw AudioFileError(.endOfFile, "packet \(packet) is past the last") }
            return position - start
        } catch {
            throw error.code == .endOfFile
                ? StatusError(kAudioFileInvalidPacketOffsetError) : StatusError(error)
        }
    }

    /// The number of packets that have to be decoded before a packet for a correct result.
    private func rollDistance(of packet: Int64) throws(StatusError) -> Int64 {
        let file = try reader()
        let framesPerPacket = Int64(file.format.mFramesPerPacket)
        guard packet >= 0 else { throw StatusError(kAudioFileInvalidPacketOffsetError) }
        guard !file.format.isLinearPCM, packet > 0 else { return 0 }
        guard framesPerPacket > 0 else { throw StatusError(kAudioFileUnsupportedPropertyError) }
        let (start, overflow) = packet.multipliedReportingOverflow(by: framesPerPacket)
        guard !overflow else { throw StatusError(kAudioFileInvalidPacketOffsetError) }
        let (frame, isFar) = start.subtractingReportingOverflow(file.primingFrames)
        // Before the first valid frame everything is needed.
        guard frame >= 0, !isFar else { return packet }
        do throws(AudioFileError) {
            return max(packet - (try file.seekPoint(forFrame: frame).packet), 0)
        } catch {
            throw error.code == .endOfFile
                ? StatusError(kAudioFileInvalidPacketOffsetError) : StatusError(error)
        }
    }

    /// The packet before or after, each of which can be a start; -1 if there is none.
    private func neighbour(of packet: Int64, isNext: Bool) throws(StatusError) -> Int64 {
        let packets = try countPackets()
        guard 0..<packets ~= packet else { throw StatusError(kAudioFileInvalidPacketOffsetError) }
        guard isNext else { return packet - 1 }
        return packet + 1 < packets ? packet + 1 : -1
    }
}
