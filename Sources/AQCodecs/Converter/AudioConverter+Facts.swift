// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// Properties of a converter's input and output in addition to their formats.
extension AudioConverter {
    /// The magic cookie of the output's decoder; empty if the decoder needs none.
    ///
    /// Constant. The corresponding C property is `kAudioConverterCompressionMagicCookie`.
    public var magicCookie: [UInt8] { encoder?.magicCookie ?? [] }

    /// The number of frames that a decoder of the output returns before the first frame of the input.
    ///
    /// 0 for linear PCM, because the rate converter removes its delay. The corresponding C property is
    /// `kAudioConverterPrimeInfo`, its leading frames.
    public var primingFrames: Int { encoder?.primingFrames ?? 0 }

    /// The number of input frames that must follow the time of an output frame because of resampling; 0 without it.
    ///
    /// The corresponding C property is `kAudioConverterPrimeInfo`, its trailing frames.
    public var rateDelayFrames: Int {
        // Settings that are not possible are errors of the first output.
        if needsPipeline, !isStarted { try? makePipeline() }
        return pipeline.delayFrames
    }

    /// The number of frames that a decoder of the output returns after the last frame of the input. Known at the end
    /// of the stream.
    ///
    /// The corresponding C property is `kAudioConverterPrimeInfo`, its trailing frames.
    public var remainderFrames: Int { encoder?.remainderFrames ?? 0 }

    /// The requested or average bit rate of the output, in bits per second; 0 if the rate depends on the audio.
    ///
    /// The corresponding C property is `kAudioConverterEncodeBitRate`.
    public var bitRate: Int {
        if let encoder { return encoder.bitRate }
        return Int(outputFormat.mSampleRate * Double(targetFormat.mBytesPerFrame) * 8)
    }

    /// Whether samples lose bits and dither can help: linear PCM becomes integers from floats or from more bits, or is
    /// mixed or resampled to integers.
    ///
    /// False for the output of a lossy decoder, whose errors are far above the last bit, unless this is mixed or
    /// resampled.
    public var dropsBits: Bool {
        let source = source.frameFormat
        guard !targetFormat.isFloat else { return false }
        if source.mSampleRate != targetFormat.mSampleRate || pipeline.isMixing { return true }
        guard inputFormat.isLinearPCM else { return false }
        return source.isFloat || source.mBitsPerChannel > targetFormat.mBitsPerChannel
    }

    /// The size of the largest output packet in bytes; for non-interleaved linear PCM, of one channel.
    ///
    /// The corresponding C property is `kAudioConverterPropertyMaximumOutputPacketSize`.
    public var maximumOutputPacketSize: Int {
        encoder?.maximumPacketSize ?? Int(outputFormat.mBytesPerPacket)
    }

    /// The size of the smallest output that a call can fill, in bytes: one packet.
    ///
    /// The corresponding C property is `kAudioConverterPropertyMinimumOutputBufferSize`.
    public var minimumOutputBytes: Int { maximumOutputPacketSize }

    /// The size of the smallest useful input, in bytes: one packet, or the usual maximum if packets vary in size.
    ///
    /// The corresponding C property is `kAudioConverterPropertyMinimumInputBufferSize`.
    public var minimumInputBytes: Int { inputPacketBytes }

    /// Returns the number of output frames for `frames` frames of input, after the trim, without the encoder's
    /// priming and remainder.
    public func outputFrames(forInput frames: Int64) -> Int64 { pipeline.outputFrames(forInput: frames) }

    /// Returns the number of output bytes for `bytes` bytes of input; at least one packet.
    ///
    /// An upper estimate if packets vary in size, usually several times too large: packets of the output have the
    /// maximum size, and each byte of the input counts as 64 frames. Only packets of silence have more frames for a
    /// byte. The corresponding C property is `kAudioConverterPropertyCalculateOutputBufferSize`.
    public func outputBytes(forInput bytes: Int) -> Int {
        let bytes = Double(max(bytes, 0))
        let packetFrames = Double(max(inputFormat.mFramesPerPacket, 1))
        let inputFrames =
            if inputFormat.hasConstantPacketSize {
                bytes / Double(inputPacketBytes) * packetFrames
            } else {
                bytes == 0 ? 0 : max(bytes * Double(SilenceAllowance.mostFramesPerByte), packetFrames)
            }
        let frames = inputFrames * rateRatio
        let output = (frames / Double(max(outputFormat.mFramesPerPacket, 1))).rounded(.up)
        return max(1, Int(exactly: output) ?? .max / 2).multipliedClamping(by: maximumOutputPacketSize)
    }

    /// Returns the number of input bytes for `bytes` bytes of output; at least one packet.
    ///
    /// An estimate if packets vary in size. The corresponding C property is
    /// `kAudioConverterPropertyCalculateInputBufferSize`.
    public func inputBytes(forOutput bytes: Int) -> Int {
        let packets = Double(max(bytes, 0)) / Double(max(maximumOutputPacketSize, 1))
        let frames = packets * Double(max(outputFormat.mFramesPerPacket, 1)) / rateRatio
        let input = (frames / Double(max(inputFormat.mFramesPerPacket, 1))).rounded(.up)
        return max(1, Int(exactly: input) ?? .max / 2).multipliedClamping(by: inputPacketBytes)
    }

    private var rateRatio: Double { outputFormat.mSampleRate / inputFormat.mSampleRate }

    /// The size of an input packet, or the usual maximum, in bytes.
    private var inputPacketBytes: Int {
        if inputFormat.mBytesPerPacket > 0 { return Int(inputFormat.mBytesPerPacket) }
        let channels = Int(inputFormat.mChannelsPerFrame)
        switch inputFormat.mFormatID {
        // ISO/IEC 14496-3: 6144 bits for each channel.
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: return 768 * channels
        // RFC 6716, 3.2: 1275 bytes for each 20 ms of a stream, and two for the length; a packet has up to 120 ms.
        case kAudioFormatOpus: return 6 * 1277 * channels
        // Layer II at 384 kbit/s and 32 kHz.
        case kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3: return 1729
        default:
            // Uncompressed samples, and a header.
            return max(Int(inputFormat.mFramesPerPacket), 1) * Int(source.frameFormat.mBytesPerFrame) + 64
        }
    }
}

extension Int {
    fileprivate func multipliedClamping(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
