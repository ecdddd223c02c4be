import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// The properties that translate: packets to frames and bytes, and back.
extension AudioFileSession {
    /// Translates what the reply's memory holds.
    ///
    /// - Returns: What the reply says; `kAudioFileBadPropertySizeError` for less than the structure.
    /// - Throws: `kAudioFileInvalidPacketOffsetError` for a packet that is not there, `kAudio_ParamError` for a
    ///   negative place, `kAudioFileUnsupportedPropertyError` for what is no translation or cannot be told.
    func translate(
        _ property: AudioFilePropertyID, _ reply: PropertyReply
    ) throws(AudioFileFault) -> OSStatus {
        let isFromPacket = property == kAudioFilePropertyPacketToByte
        switch property {
        case kAudioFilePropertyPacketToFrame, kAudioFilePropertyFrameToPacket:
            return try giveTranslation(to: reply) { (value: AudioFramePacketTranslation) throws(AudioFileFault) in
                try translated(value, isFromPacket: property == kAudioFilePropertyPacketToFrame)
            }
        case kAudioFilePropertyPacketToByte, kAudioFilePropertyByteToPacket:
            return try giveTranslation(to: reply) { (value: AudioBytePacketTranslation) throws(AudioFileFault) in
                try isFromPacket ? byte(of: value) : packet(of: value)
            }
        case kAudioFilePropertyPacketToRollDistance:
            return try giveTranslation(to: reply) { (value: AudioPacketRollDistanceTranslation) throws(AudioFileFault) in
                AudioPacketRollDistanceTranslation(
                    mPacket: value.mPacket, mRollDistance: try rollDistance(of: value.mPacket))
            }
        case kAudioFilePropertyPacketToDependencyInfo:
            return try giveTranslation(to: reply) { (value: AudioPacketDependencyInfoTranslation) throws(AudioFileFault) in
                AudioPacketDependencyInfoTranslation(
                    mPacket: value.mPacket, mIsIndependentlyDecodable: 1,
                    mNumberPrerollPackets: UInt32(clamping: try rollDistance(of: value.mPacket)))
            }
        case kAudioFilePropertyPreviousIndependentPacket, kAudioFilePropertyNextIndependentPacket:
            let isNext = property == kAudioFilePropertyNextIndependentPacket
            return try giveTranslation(to: reply) { (value: AudioIndependentPacketTranslation) throws(AudioFileFault) in
                AudioIndependentPacketTranslation(
                    mPacket: value.mPacket,
                    mIndependentlyDecodablePacket: try neighbour(of: value.mPacket, isNext: isNext))
            }
        case kAudioFilePropertyPacketRangeByteCountUpperBound:
            return try giveTranslation(to: reply) { (value: AudioPacketRangeByteCountTranslation) throws(AudioFileFault) in
                guard value.mPacket >= 0 else { throw AudioFileFault(kAudioFileInvalidPacketOffsetError) }
                return AudioPacketRangeByteCountTranslation(
                    mPacket: value.mPacket, mPacketCount: value.mPacketCount,
                    mByteCountUpperBound: Int64(try bytesUpperBound(ofPackets: value.mPacketCount)))
            }
        default: throw AudioFileFault(kAudioFileUnsupportedPropertyError)
        }
    }

    private func giveTranslation<Value: BitwiseCopyable>(
        to reply: PropertyReply, _ translated: (Value) throws(AudioFileFault) -> Value
    ) throws(AudioFileFault) -> OSStatus {
        guard !reply.isNull else { throw AudioFileFault(kAudio_ParamError) }
        guard let value = reply.input(as: Value.self) else {
            throw AudioFileFault(kAudioFileBadPropertySizeError)
        }
        return reply.value(try translated(value), tooSmall: kAudioFileBadPropertySizeError)
    }

    private func translated(
        _ value: AudioFramePacketTranslation, isFromPacket: Bool
    ) throws(AudioFileFault) -> AudioFramePacketTranslation {
        let frames = Int64(try format().mFramesPerPacket)
        // Packets that differ in frames are told by the engine's index alone, which it does not show.
        guard frames > 0 else { throw AudioFileFault(kAudioFileUnsupportedPropertyError) }
        var result = value
        if isFromPacket {
            guard value.mPacket >= 0 else { throw AudioFileFault(kAudioFileInvalidPacketOffsetError) }
            let (frame, overflow) = value.mPacket.multipliedReportingOverflow(by: frames)
            guard !overflow else { throw AudioFileFault(kAudioFileInvalidPacketOffsetError) }
            result.mFrame = frame
        } else {
            guard value.mFrame >= 0 else { throw AudioFileFault(kAudio_ParamError) }
            result.mPacket = value.mFrame / frames
            result.mFrameOffsetInPacket = UInt32(clamping: value.mFrame % frames)
        }
        return result
    }

    /// Where a packet begins in the audio data.
    private func byte(
        of value: AudioBytePacketTranslation
    ) throws(AudioFileFault) -> AudioBytePacketTranslation {
        guard value.mPacket >= 0 else { throw AudioFileFault(kAudioFileInvalidPacketOffsetError) }
        var result = value
        result.mByteOffsetInPacket = 0
        result.mFlags = []
        result.mByte = try dataByte(ofPacket: value.mPacket)
        return result
    }

    /// Which packet a byte of the audio data lies in.
    private func packet(
        of value: AudioBytePacketTranslation
    ) throws(AudioFileFault) -> AudioBytePacketTranslation {
        guard value.mByte >= 0 else { throw AudioFileFault(kAudio_ParamError) }
        var result = value
        result.mFlags = []
        let format = try format()
        if format.hasConstantPacketSize {
            let bytes = Int64(format.mBytesPerPacket)
            result.mPacket = value.mByte / bytes
            result.mByteOffsetInPacket = UInt32(clamping: value.mByte % bytes)
            return result
        }
        // Packets lie in their order, so that halving finds the last that begins no later.
        var (low, high) = (Int64(0), try countPackets())
        guard high > 0 else { throw AudioFileFault(kAudioFileInvalidPacketOffsetError) }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if try dataByte(ofPacket: middle) <= value.mByte { low = middle } else { high = middle }
        }
        result.mPacket = low
        result.mByteOffsetInPacket = UInt32(clamping: value.mByte - (try dataByte(ofPacket: low)))
        return result
    }

    private func dataByte(ofPacket packet: Int64) throws(AudioFileFault) -> Int64 {
        let format = try format()
        if format.hasConstantPacketSize {
            let (byte, overflow) = packet.multipliedReportingOverflow(by: Int64(format.mBytesPerPacket))
            guard !overflow else { throw AudioFileFault(kAudioFileInvalidPacketOffsetError) }
            return byte
        }
        let file = try reader()
        do throws(AudioFileError) {
            guard let place = try file.byteOffset(ofPacket: packet), let start = file.dataRange?.lowerBound
            else { throw AudioFileError(.endOfFile, "packet \(packet) is past the last") }
            return place - start
        } catch {
            throw error.code == .endOfFile
                ? AudioFileFault(kAudioFileInvalidPacketOffsetError) : AudioFileFault(error)
        }
    }

    /// How many packets before a packet have to be decoded for it to come out right.
    private func rollDistance(of packet: Int64) throws(AudioFileFault) -> Int64 {
        let file = try reader()
        let framesPerPacket = Int64(file.format.mFramesPerPacket)
        guard packet >= 0 else { throw AudioFileFault(kAudioFileInvalidPacketOffsetError) }
        guard !file.format.isLinearPCM, packet > 0 else { return 0 }
        guard framesPerPacket > 0 else { throw AudioFileFault(kAudioFileUnsupportedPropertyError) }
        let (start, overflow) = packet.multipliedReportingOverflow(by: framesPerPacket)
        guard !overflow else { throw AudioFileFault(kAudioFileInvalidPacketOffsetError) }
        let frame = start - file.primingFrames
        // Before the first frame of sound everything is needed.
        guard frame >= 0 else { return packet }
        do throws(AudioFileError) {
            return max(packet - (try file.seekPoint(forFrame: frame).packet), 0)
        } catch {
            throw error.code == .endOfFile
                ? AudioFileFault(kAudioFileInvalidPacketOffsetError) : AudioFileFault(error)
        }
    }

    /// The packet before or after, each of which can be a start; -1 where there is none.
    private func neighbour(of packet: Int64, isNext: Bool) throws(AudioFileFault) -> Int64 {
        let packets = try countPackets()
        guard 0..<packets ~= packet else { throw AudioFileFault(kAudioFileInvalidPacketOffsetError) }
        guard isNext else { return packet - 1 }
        return packet + 1 < packets ? packet + 1 : -1
    }
}
