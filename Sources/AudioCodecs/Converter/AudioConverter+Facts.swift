import CoreAudioTypes

/// What a converter says of its input and output beside their formats.
extension AudioConverter {
    /// What a decoder of the output needs to know; empty if nothing.
    ///
    /// Known from the beginning. The corresponding C property is `kAudioConverterCompressionMagicCookie`.
    public var magicCookie: [UInt8] { encoder?.magicCookie ?? [] }

    /// Frames that a decoder of the output gives before the first one of the input.
    ///
    /// Those of the encoder; none for linear PCM, since the rate converter's delay is taken off. The corresponding C
    /// property is `kAudioConverterPrimeInfo`, its leading frames.
    public var primingFrames: Int { encoder?.primingFrames ?? 0 }

    /// Frames that a decoder of the output gives after the last one of the input; known at the end.
    ///
    /// The corresponding C property is `kAudioConverterPrimeInfo`, its trailing frames.
    public var remainderFrames: Int { encoder?.remainderFrames ?? 0 }

    /// Bits per second of the output: asked for, or on average; 0 if that depends on the sound.
    ///
    /// The corresponding C property is `kAudioConverterEncodeBitRate`.
    public var bitRate: Int {
        if let encoder { return encoder.bitRate }
        return Int(outputFormat.mSampleRate * Double(targetFormat.mBytesPerFrame) * 8)
    }

    /// True if samples lose bits where dither can help: linear PCM becomes integers of fewer bits, or integers
    /// after a mix or a conversion of rate.
    ///
    /// False for what a lossy decoder gives, whose own errors are far above the last bit, unless it is mixed or
    /// its rate converted.
    public var dropsBits: Bool {
        let source = source.frameFormat
        guard !targetFormat.isFloat else { return false }
        if source.mSampleRate != targetFormat.mSampleRate || pipeline.isMixing { return true }
        guard inputFormat.isLinearPCM else { return false }
        return source.isFloat || source.mBitsPerChannel > targetFormat.mBitsPerChannel
    }

    /// The most bytes that a packet of the output may have; of one channel for non-interleaved linear PCM.
    ///
    /// The corresponding C property is `kAudioConverterPropertyMaximumOutputPacketSize`.
    public var maximumOutputPacketSize: Int {
        encoder?.maximumPacketSize ?? Int(outputFormat.mBytesPerPacket)
    }

    /// The least output that a call can fill: one packet.
    ///
    /// The corresponding C property is `kAudioConverterPropertyMinimumOutputBufferSize`.
    public var minimumOutputBytes: Int { maximumOutputPacketSize }

    /// The least input that is of use: one packet, or the most that one usually has if packets differ in size.
    ///
    /// The corresponding C property is `kAudioConverterPropertyMinimumInputBufferSize`.
    public var minimumInputBytes: Int { inputPacketBytes }

    /// The frames of the output that `frames` frames of the input become, after the trim; what the encoder adds at
    /// both ends apart.
    public func outputFrames(forInput frames: Int64) -> Int64 { pipeline.outputFrames(forInput: frames) }

    /// Bytes of output that `bytes` bytes of input may become; at least one packet.
    ///
    /// An estimate from above for packets that differ in size. The corresponding C property is
    /// `kAudioConverterPropertyCalculateOutputBufferSize`.
    public func outputBytes(forInput bytes: Int) -> Int {
        let packets = Double(max(bytes, 0)) / Double(max(inputPacketBytes, 1))
        let frames = packets * Double(max(inputFormat.mFramesPerPacket, 1)) * rateRatio
        let output = (frames / Double(max(outputFormat.mFramesPerPacket, 1))).rounded(.up)
        return max(1, Int(exactly: output) ?? .max / 2).multipliedClamping(by: maximumOutputPacketSize)
    }

    /// Bytes of input that `bytes` bytes of output need; at least one packet.
    ///
    /// An estimate for packets that differ in size. The corresponding C property is
    /// `kAudioConverterPropertyCalculateInputBufferSize`.
    public func inputBytes(forOutput bytes: Int) -> Int {
        let packets = Double(max(bytes, 0)) / Double(max(maximumOutputPacketSize, 1))
        let frames = packets * Double(max(outputFormat.mFramesPerPacket, 1)) / rateRatio
        let input = (frames / Double(max(inputFormat.mFramesPerPacket, 1))).rounded(.up)
        return max(1, Int(exactly: input) ?? .max / 2).multipliedClamping(by: inputPacketBytes)
    }

    private var rateRatio: Double { outputFormat.mSampleRate / inputFormat.mSampleRate }

    /// The size of an input packet, or the most it may have.
    private var inputPacketBytes: Int {
        if inputFormat.mBytesPerPacket > 0 { return Int(inputFormat.mBytesPerPacket) }
        let channels = Int(inputFormat.mChannelsPerFrame)
        switch inputFormat.mFormatID {
        // ISO/IEC 14496-3: 6144 bits for each channel.
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: return 768 * channels
        // Layer II at 384 kbit/s and 32 kHz.
        case kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3: return 1729
        default:
            // Not compressed at all, and a header.
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
