// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// An encoder to packets of one frame: G.711 and linear PCM of every layout.
///
/// ``nextPacket(into:)`` returns as many packets as are ready and fit.
final class ConstantPacketEncoder: PacketEncoder {
    let inputFormat: AudioStreamBasicDescription
    let outputFormat: AudioStreamBasicDescription
    let magicCookie: [UInt8] = []
    let primingFrames = 0
    let remainderFrames = 0
    var maximumPacketSize: Int { Int(outputFormat.mBytesPerPacket) }
    var bitRate: Int { Int(outputFormat.mSampleRate * Double(maximumPacketSize) * 8) }

    private enum Law {
        case alaw
        case ulaw
        case linear(LinearPCMConverter)
    }

    private let law: Law
    private var encoded: [UInt8] = []
    /// The number of bytes of `encoded` that were returned.
    private var taken = 0
    private var isFinished = false

    /// - Parameter outputFormat: G.711 or interleaved linear PCM. For G.711, sizes may be 0.
    init(outputFormat: AudioStreamBasicDescription) throws(CodecError) {
        var output = outputFormat
        if output.isG711 {
            if output.mFramesPerPacket == 0 { output.mFramesPerPacket = 1 }
            if output.mBytesPerPacket == 0 { output.mBytesPerPacket = output.mChannelsPerFrame }
        }
        if let failure = output.validationFailure {
            throw CodecError(.invalidFormat, cannot: "encode", output, failure)
        }
        guard output.isContiguous else {
            throw CodecError(
                .unsupportedFormat, cannot: "encode", output, "a packet cannot hold non-interleaved channels")
        }
        switch output.mFormatID {
        case kAudioFormatALaw: law = .alaw
        case kAudioFormatULaw: law = .ulaw
        case kAudioFormatLinearPCM:
            let input = LinearPCMDecoder.nearestNativeFormat(of: output)
            law = .linear(try LinearPCMConverter(from: input, to: output))
        default:
            throw CodecError(.unsupportedFormat, cannot: "encode", output, "not PCM")
        }
        switch law {
        case .linear(let converter): inputFormat = converter.inputFormat
        case .alaw, .ulaw:
            inputFormat = .signedInteger(
                bits: 16, channels: Int(output.mChannelsPerFrame), sampleRate: output.mSampleRate)
        }
        self.outputFormat = output
    }

    func append(_ frames: UnsafeRawBufferPointer) throws(CodecError) {
        let bytesPerFrame = Int(inputFormat.mBytesPerFrame)
        guard !isFinished else { throw failure("frames after the end") }
        guard frames.count % bytesPerFrame == 0 else {
            throw failure("\(frames.count) bytes are not whole frames of \(bytesPerFrame)")
        }
        guard let from = frames.baseAddress else { return }
        let count = frames.count / bytesPerFrame
        encoded.removeSubrange(..<taken)
        taken = 0
        let start = encoded.count
        encoded.append(contentsOf: repeatElement(0, count: count * maximumPacketSize))
        do throws(CodecError) {
            try unsafe encoded.withUnsafeMutableBufferPointer {
                (bytes: inout UnsafeMutableBufferPointer<UInt8>) throws(CodecError) in
                let output = unsafe UnsafeMutableRawBufferPointer(
                    UnsafeMutableBufferPointer(rebasing: bytes[start...]))
                guard let to = output.baseAddress else { return }
                let samples = count * Int(inputFormat.mChannelsPerFrame)
                // SAFETY: `frames` holds `samples` 16-bit samples, and the output has room for as many codes.
                switch law {
                case .alaw:
                    for index in 0..<samples {
                        let sample = unsafe from.loadUnaligned(fromByteOffset: index &* 2, as: Int16.self)
                        unsafe to.storeBytes(of: G711.alawCode(sample), toByteOffset: index, as: UInt8.self)
                    }
                case .ulaw:
                    for index in 0..<samples {
                        let sample = unsafe from.loadUnaligned(fromByteOffset: index &* 2, as: Int16.self)
                        unsafe to.storeBytes(of: G711.ulawCode(sample), toByteOffset: index, as: UInt8.self)
                    }
                case .linear(let converter): try unsafe converter.convert(frames, into: output)
                }
            }
        } catch {
            encoded.removeSubrange(start...)
            throw error
        }
    }

    func finish() { isFinished = true }

    func nextPacket(into output: UnsafeMutableRawBufferPointer) throws(CodecError) -> EncodedPacket? {
        let waiting = encoded.count - taken
        guard waiting > 0 else { return nil }
        let bytes = min(waiting, output.count) / maximumPacketSize * maximumPacketSize
        guard bytes > 0 else {
            throw CodecError(
                .outputTooSmall, cannot: "encode", outputFormat, "a packet does not fit \(output.count) bytes"
            )
        }
        unsafe output.copyBytes(from: encoded[taken..<taken + bytes])
        taken += bytes
        return EncodedPacket(bytes: bytes, frames: bytes / maximumPacketSize)
    }

    func reset() {
        encoded.removeAll(keepingCapacity: true)
        taken = 0
        isFinished = false
    }

    private func failure(_ reason: String) -> CodecError {
        CodecError(.invalidFormat, cannot: "encode", outputFormat, reason)
    }
}
