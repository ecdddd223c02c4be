// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// The properties that translate packets to frames and bytes, and back.
extension AudioFileSession {
    /// The translation of the value in the client's memory.
    ///
    /// - Throws: `kAudioFileBadPropertySizeError` for memory that is smaller than the structure,
    ///   `kAudioFileInvalidPacketOffsetError` for a packet that does not exist, `kAudio_ParamError` for a
    ///   negative position, `kAudioFileUnsupportedPropertyError` for a property that is not a translation, or
    ///   a value that is unknown.
    func translation(
        _ property: AudioFilePropertyID, of reply: PropertyReply
    ) throws(StatusError) -> PropertyAnswer {
        switch property {
        case kAudioFilePropertyPacketToFrame: try translated(reply, packetToFrame)
        case kAudioFilePropertyFrameToPacket: try translated(reply, frameToPacket)
        case kAudioFilePropertyPacketToByte: try translated(reply, packetToByte)
        case kAudioFilePropertyByteToPacket: try translated(reply, byteToPacket)
        case kAudioFilePropertyPacketToRollDistance:
            try translated(reply) { (value: inout AudioPacketRollDistanceTranslation) throws(StatusError) in
                value.mRollDistance = try rollDistance(of: value.mPacket)
            }
        case kAudioFilePropertyPacketToDependencyInfo:
            try translated(reply) { (value: inout AudioPacketDependencyInfoTranslation) throws(StatusError) in
                value.mNumberPrerollPackets = UInt32(clamping: try rollDistance(of: value.mPacket))
                value.mIsIndependentlyDecodable = 1
            }
        case kAudioFilePropertyPreviousIndependentPacket, kAudioFilePropertyNextIndependentPacket:
            try translated(reply) { (value: inout AudioIndependentPacketTranslation) throws(StatusError) in
                value.mIndependentlyDecodablePacket = try neighbour(
                    of: value.mPacket, isNext: property == kAudioFilePropertyNextIndependentPacket)
            }
        case kAudioFilePropertyPacketRangeByteCountUpperBound:
            try translated(reply) { (value: inout AudioPacketRangeByteCountTranslation) throws(StatusError) in
                guard value.mPacket >= 0 else { throw StatusError(kAudioFileInvalidPacketOffsetError) }
                value.mByteCountUpperBound = Int64(try bytesUpperBound(ofPackets: value.mPacketCount))
            }
        default: throw StatusError(kAudioFileUnsupportedPropertyError)
        }
    }

    private func translated<Value: BitwiseCopyable>(
        _ reply: PropertyReply, _ translate: (inout Value) throws(StatusError) -> Void
    ) throws(StatusError) -> PropertyAnswer {
        guard !reply.isNull else { throw StatusError(kAudio_ParamError) }
        guard var value: Value = reply.input() else { throw StatusError(kAudioFileBadPropertySizeError) }
        try translate(&value)
        return .one(value)
    }

    private func packetToFrame(_ value: inout AudioFramePacketTranslation) throws(StatusError) {
        let (frame, overflow) = value.mPacket.multipliedReportingOverflow(by: try framesPerPacket())
        guard value.mPacket >= 0, !overflow else { throw StatusError(kAudioFileInvalidPacketOffsetError) }
        value.mFrame = frame
    }

    private func frameToPacket(_ value: inout AudioFramePacketTranslation) throws(StatusError) {
        let frames = try framesPerPacket()
        guard value.mFrame >= 0 else { throw StatusError(kAudio_ParamError) }
        value.mPacket = value.mFrame / frames
        value.mFrameOffsetInPacket = UInt32(clamping: value.mFrame % frames)
    }

    private func framesPerPacket() throws(StatusError) -> Int64 {
        let frames = Int64(try dataFormat().mFramesPerPacket)
        // If packets differ in frames, only the engine's index contains their numbers of frames, and the index is not
        // public.
        guard frames > 0 else { throw StatusError(kAudioFileUnsupportedPropertyError) }
        return frames
    }

    private func packetToByte(_ value: inout AudioBytePacketTranslation) throws(StatusError) {
        guard value.mPacket >= 0 else { throw StatusError(kAudioFileInvalidPacketOffsetError) }
        value.mByte = try dataByte(ofPacket: value.mPacket)
        value.mByteOffsetInPacket = 0
        value.mFlags = []
    }

    /// Finds the packet that contains a byte of the audio data.
    private func byteToPacket(_ value: inout AudioBytePacketTranslation) throws(StatusError) {
        guard value.mByte >= 0 else { throw StatusError(kAudio_ParamError) }
        value.mFlags = []
        let format = try dataFormat()
        if format.hasConstantPacketSize {
            let bytes = Int64(format.mBytesPerPacket)
            value.mPacket = value.mByte / bytes
            value.mByteOffsetInPacket = UInt32(clamping: value.mByte % bytes)
            return
        }
        // Packets are in order, so a binary search finds the last packet that begins no later than the byte.
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
        return try Self.inFile { () throws(AudioFileError) in
            guard let position = try file.byteOffset(ofPacket: packet), let start = file.dataRange?.lowerBound
            else { throw AudioFileError(.endOfFile, "packet \(packet) is past the last") }
            return position - start
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
        // Before the first valid frame every earlier packet is needed.
        guard frame >= 0, !isFar else { return packet }
        return try Self.inFile { () throws(AudioFileError) in
            max(packet - (try file.seekPoint(forFrame: frame).packet), 0)
        }
    }

    /// Calls `body`; the end of the file is reported as an invalid packet.
    private static func inFile(_ body: () throws(AudioFileError) -> Int64) throws(StatusError) -> Int64 {
        do throws(AudioFileError) { return try body() } catch {
            throw StatusError(error.code == .endOfFile ? kAudioFileInvalidPacketOffsetError : error.status)
        }
    }

    /// The packet before or after a packet, since decoding can start at any packet; -1 if there is none.
    private func neighbour(of packet: Int64, isNext: Bool) throws(StatusError) -> Int64 {
        let packets = try countPackets()
        guard 0..<packets ~= packet else { throw StatusError(kAudioFileInvalidPacketOffsetError) }
        guard isNext else { return packet - 1 }
        return packet + 1 < packets ? packet + 1 : -1
    }
}
