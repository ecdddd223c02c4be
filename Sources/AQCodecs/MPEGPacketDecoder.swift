// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import CoreAudioTypes
import AQMPEGAudio

/// A decoder of MPEG audio, layers I to III, to 32-bit float.
final class MPEGPacketDecoder: PacketDecoder {
    let inputFormat: AudioStreamBasicDescription
    let outputFormat: AudioStreamBasicDescription
    var maximumFramesPerPacket: Int { decoder.maximumFramesPerPacket }
    var damagedPackets: Int { decoder.damagedPackets + incompletePackets }

    private let decoder: MPEGDecoder
    /// The size of a packet in bytes; 0 if packets vary in size.
    private let bytesPerPacket: Int
    /// The number of incomplete packets after whole ones, which the decoder does not receive.
    private var incompletePackets = 0
    private var silence = SilenceAllowance()
    /// The output of a packet if the caller's memory is not aligned for `Float`; allocated on first use.
    private var alignedOutput: [Float] = []

    /// - Parameter inputFormat: A valid format of MPEG audio.
    init(inputFormat: AudioStreamBasicDescription) throws(CodecError) {
        guard let sampleRate = Int(exactly: inputFormat.mSampleRate) else {
            throw CodecError(
                .unsupportedFormat, cannot: "decode", inputFormat,
                "sample rate of \(inputFormat.mSampleRate) Hz")
        }
        do throws(MPEGAudioError) {
            decoder = try MPEGDecoder(
                sampleRate: sampleRate, channels: Int(inputFormat.mChannelsPerFrame),
                samplesPerFrame: Int(inputFormat.mFramesPerPacket))
        } catch {
            throw CodecError(error)
        }
        self.inputFormat = inputFormat
        bytesPerPacket = inputFormat.hasConstantPacketSize ? Int(inputFormat.mBytesPerPacket) : 0
        outputFormat = .float(
            channels: Int(inputFormat.mChannelsPerFrame), sampleRate: inputFormat.mSampleRate)
    }

    func decode(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int {
        guard bytesPerPacket > 0 else { return try unsafe decodeOne(packet, into: output) }
        let packets = packet.count / bytesPerPacket
        let frameBytes = Int(outputFormat.mBytesPerFrame)
        guard output.count / (maximumFramesPerPacket * frameBytes) >= packets else {
            throw CodecError(
                .outputTooSmall, cannot: "decode", inputFormat,
                "\(packets * maximumFramesPerPacket) frames do not fit \(output.count) bytes")
        }
        if packets == 0 || packet.count % bytesPerPacket > 0 { incompletePackets += 1 }
        var frames = 0
        for index in 0..<packets {
            let start = index * bytesPerPacket
            frames += try unsafe decodeOne(
                UnsafeRawBufferPointer(rebasing: packet[start..<start + bytesPerPacket]),
                into: UnsafeMutableRawBufferPointer(rebasing: output[(frames * frameBytes)...]))
        }
        return frames
    }

    private func decodeOne(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int {
        let damagedBefore = decoder.damagedPackets
        let frames = try unsafe decodeWhole(packet, into: output)
        if decoder.damagedPackets == damagedBefore {
            silence.add(decodedFrames: frames)
        } else if !silence.take(silentFrames: frames, packetBytes: packet.count) {
            throw SilenceAllowance.failure(of: inputFormat, damagedPackets: damagedPackets)
        }
        return frames
    }

    func reset() {
        decoder.reset()
    }

    private func decodeWhole(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int {
        do throws(MPEGAudioError) {
            let address = UInt(bitPattern: output.baseAddress)
            if address % UInt(MemoryLayout<Float>.alignment) == 0 {
                // SAFETY: the memory is raw bytes of the caller, aligned, and only floats are written to it.
                return try unsafe decoder.decode(packet, into: output.bindMemory(to: Float.self))
            }
            return try unsafe decodeUnaligned(packet, into: output)
        } catch {
            throw CodecError(error)
        }
    }

    private func decodeUnaligned(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(MPEGAudioError) -> Int {
        let samples = min(
            output.count / MemoryLayout<Float>.stride, maximumFramesPerPacket * decoder.channels)
        if alignedOutput.count < samples { alignedOutput = Array(repeating: 0, count: samples) }
        let decoder = decoder
        return try unsafe alignedOutput.withUnsafeMutableBufferPointer {
            (aligned: inout UnsafeMutableBufferPointer<Float>) throws(MPEGAudioError) -> Int in
            let room = unsafe UnsafeMutableBufferPointer(rebasing: aligned[..<samples])
            let frames = try unsafe decoder.decode(packet, into: room)
            let decoded = unsafe UnsafeRawBufferPointer(
                UnsafeMutableBufferPointer(rebasing: room[..<(frames * decoder.channels)]))
            unsafe output.copyMemory(from: decoded)
            return frames
        }
    }
}

extension CodecError {
    fileprivate init(_ error: MPEGAudioError) {
        let code: Code =
            switch error.code {
            case .unsupportedFormat: .unsupportedFormat
            case .outputTooSmall: .outputTooSmall
            case .libraryFailed: .decoderFailed
            }
        self.init(code, error.message)
    }
}
#endif
