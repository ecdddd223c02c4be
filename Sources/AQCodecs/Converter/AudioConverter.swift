// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// A converter of audio from any format to any other, which decodes and encodes packets if necessary.
///
/// Decodes, trims, mixes and maps channels, resamples, dithers and encodes, but only where the formats differ. Linear
/// PCM at the same rate that does not lose bits is converted bit for bit.
///
/// The caller pulls: ``fill(_:descriptions:maximumPackets:supply:)`` returns output, and requests input. Used
/// by one thread at a time.
///
/// Settings such as ``rateQuality`` and ``channelMap`` take effect at the next beginning of a stream: set them before
/// the first output, or before ``reset()``.
///
/// The corresponding C type is `AudioConverterRef`.
public final class AudioConverter {
    /// The format of the input: linear PCM, or packets of a format that has a decoder.
    public let inputFormat: AudioStreamBasicDescription
    /// The format of the output, with all fields, as in `kAudioConverterCurrentOutputStreamDescription`.
    public let outputFormat: AudioStreamBasicDescription
    /// The label of each input channel, in order, as in `kAudioConverterInputChannelLayout`.
    ///
    /// Packets have the channels that the decoder outputs, by default in the order of ``DecodedChannelOrder``. Nil
    /// means the order of the output if it has the same number of channels, otherwise that of a WAVE file.
    public var inputLabels: [AudioChannelLabel]? { didSet { needsPipeline = true } }
    /// The label of each output channel, in order, as in `kAudioConverterOutputChannelLayout`.
    ///
    /// Packets have the channels that the encoder takes, by default in the order of ``DecodedChannelOrder``. Nil
    /// means the order of the input if it has the same number of channels, otherwise that of a WAVE file.
    public var outputLabels: [AudioChannelLabel]? { didSet { needsPipeline = true } }
    /// The input channel for each output channel, -1 for silence; nil to select channels by the labels.
    ///
    /// The corresponding C property is `kAudioConverterChannelMap`.
    public var channelMap: [Int]? { didSet { needsPipeline = true } }
    /// The gain from each input channel to each output channel; nil to use ``channelMap`` or the labels.
    ///
    /// The corresponding C property is `kAudioConverterPropertyChannelMixMap`.
    public var mixMatrix: ChannelMatrix? { didSet { needsPipeline = true } }
    /// The quality of resampling.
    ///
    /// The corresponding C property is `kAudioConverterSampleRateConverterQuality`.
    public var rateQuality: RateQuality = .high { didSet { needsPipeline = true } }
    /// The phase of resampling.
    ///
    /// The corresponding C property is `kAudioConverterSampleRateConverterComplexity`.
    public var ratePhase = RatePhase.linear { didSet { needsPipeline = true } }
    /// Whether a stream that is resampled begins with ``rateDelayFrames`` frames of silence, initially false.
    ///
    /// If true, as many frames are ready after each call as the input's duration has. If false, the last
    /// ``rateDelayFrames`` frames of the input have no output until more input, or its end, follows.
    ///
    /// The corresponding C property is `kAudioConverterPrimeMethod`.
    public var hasRateLatency = false { didSet { needsPipeline = true } }
    /// The noise that is added if samples lose bits: in integers, from floats, from more bits, or after a mix or
    /// resampling.
    ///
    /// COMPAT: ``DitherKind/none`` by default, as in the original: samples are rounded to nearest, and a conversion
    /// to floats and back is exact. ``dropsBits`` is true if dither is useful.
    ///
    /// The corresponding C property is `kAudioConverterPropertyDithering`.
    public var ditherKind: DitherKind = .none { didSet { needsPipeline = true } }
    /// The bit depth of dithered samples, if lower than that of the output; nil for that of the output.
    ///
    /// The corresponding C property is `kAudioConverterPropertyDitherBitDepth`.
    public var ditherBits: Int? { didSet { needsPipeline = true } }
    /// The seed of the dither's noise. The same seed gives the same samples.
    public var ditherSeed: UInt64 = 0 { didSet { needsPipeline = true } }
    /// The range of decoded input frames that are valid; nil for all.
    ///
    /// For a gapless conversion, set this to the packet table of the input, before the first output or before
    /// ``reset()``. No input is requested after the last valid frame. A pipe may report its length late, or correct it
    /// later: a trim that is set while input is converted applies to the frames since the last reset.
    public var inputTrim: FrameTrim? {
        didSet { source.trim = inputTrim }
    }
    /// The number of packets that could not be decoded and were replaced by silence, since the converter was made.
    ///
    /// The corresponding C property is `kAudioConverterPropertyDamagedPacketCount`, an addition of this library.
    public var damagedPackets: Int { source.damagedPackets }
    /// The number of input frames converted since the last reset, after the trim.
    public var inputFrames: Int64 { source.framesGiven }

    let source: PacketSource
    let encoder: (any PacketEncoder)?
    /// The format to which decoded frames are converted: the interleaved output, or the encoder's input.
    let targetFormat: AudioStreamBasicDescription
    /// The step that separates the channels of the output; nil if the output is interleaved.
    let deinterleaver: Interleaver?
    var pipeline: FramePipeline
    var needsPipeline = false
    /// The frames for the encoder; nil if there is none.
    let encoderInput: ScratchMemory?
    /// Whether output was made, so that settings take effect at the next stream.
    var isStarted = false
    var isAtEnd = false
    var isEncoderFinished = false
    var isWaiting = false
    /// A failure after packets that are returned first.
    var failure: (any Error)?

    /// Makes a converter, its decoder and its encoder.
    ///
    /// - Parameters:
    ///   - input: The format of the input.
    ///   - output: The format of the output. A rate or channel count of 0 means that of the input. If the format is
    ///     not linear PCM, the encoder determines other fields that are 0.
    ///   - settings: The settings of the encoder. If the bit depth is nil, a lossless encoder keeps the bits of the
    ///     input, up to 24.
    ///   - magicCookie: The magic cookie of the input.
    ///   - inputLabels: See ``inputLabels``.
    ///   - outputLabels: See ``outputLabels``.
    /// - Throws: ``CodecError/Code/unsupportedFormat`` if there is no decoder or encoder, or the rate cannot be
    ///   converted; ``CodecError/Code/invalidFormat`` if a format contradicts itself, or the number of labels differs
    ///   from that of its channels; ``CodecError/Code/invalidCookie``; ``CodecError/Code/decoderFailed`` if memory for
    ///   a decoder is insufficient.
    ///
    /// The corresponding C function is `AudioConverterNew`.
    public convenience init(
        from input: AudioStreamBasicDescription, to output: AudioStreamBasicDescription,
        settings: CodecSettings = CodecSettings(), magicCookie: [UInt8] = [],
        inputLabels: [AudioChannelLabel]? = nil, outputLabels: [AudioChannelLabel]? = nil
    ) throws(CodecError) {
        try self.init(
            from: input, to: output,
            decoder: input.isLinearPCM ? nil : makePacketDecoder(for: input, magicCookie: magicCookie),
            inputLabels: inputLabels ?? DecodedChannelOrder.labels(of: input, magicCookie: magicCookie),
            outputLabels: outputLabels
        ) { (output, source) throws(CodecError) -> (any PacketEncoder)? in
            if output.isLinearPCM { return nil }
            if output.isG711 { return try ConstantPacketEncoder(outputFormat: output) }
            var settings = settings
            if settings.bitDepth == nil { settings.bitDepth = Self.losslessDepth(of: source) }
            return try makePacketEncoder(for: output, settings: settings)
        }
    }

    /// Makes a converter from a decoder and an encoder, neither of which linear PCM requires. `makeEncoder` makes the
    /// encoder for the output and its input frames.
    init(
        from input: AudioStreamBasicDescription, to output: AudioStreamBasicDescription,
        decoder: (any PacketDecoder)?, inputLabels: [AudioChannelLabel]? = nil,
        outputLabels: [AudioChannelLabel]? = nil,
        makeEncoder: (AudioStreamBasicDescription, AudioStreamBasicDescription) throws(CodecError)
            -> (any PacketEncoder)?
    ) throws(CodecError) {
        if let failure = input.validationFailure {
            throw CodecError(.invalidFormat, cannot: "convert", input, failure)
        }
        source = try PacketSource(format: input, decoder: decoder)
        inputFormat = decoder?.inputFormat ?? input
        let output = Self.completed(output, from: source.frameFormat)
        encoder = try makeEncoder(output, source.frameFormat)
        if let encoder {
            outputFormat = encoder.outputFormat
            targetFormat = encoder.inputFormat
            deinterleaver = nil
            let frames = max(Self.encoderBlockFrames, Int(encoder.outputFormat.mFramesPerPacket))
            encoderInput = ScratchMemory(byteCount: frames * Int(targetFormat.mBytesPerFrame))
        } else {
            if let failure = output.validationFailure {
                throw CodecError(
                    .invalidFormat, "cannot convert to \(output.encodingSummary): \(failure)")
            }
            outputFormat = output
            targetFormat = output.with(channels: Int(output.mChannelsPerFrame))
            deinterleaver =
                output.isContiguous ? nil : try Interleaver(from: targetFormat, to: output)
            encoderInput = nil
        }
        self.inputLabels = inputLabels
        self.outputLabels =
            outputLabels ?? encoder.flatMap { DecodedChannelOrder.labels(of: $0.outputFormat) }
        let matrix = try Self.matrix(
            from: source.frameFormat, self.inputLabels, to: targetFormat, self.outputLabels)
        pipeline = try FramePipeline(
            from: source.frameFormat, to: targetFormat, matrix: matrix, rate: FramePipeline.RateSettings(),
            dither: FrameConversion.Dither(kind: .none, seed: 0))
    }

    /// The least number of frames that are encoded at a time.
    static let encoderBlockFrames = 4096

    /// Drops all input and output. The next input begins a stream, to which ``inputTrim`` applies again.
    ///
    /// - Throws: ``CodecError/Code/encoderFailed`` if the encoder cannot be opened again, and the initialiser's
    ///   errors if changed settings do not fit the formats.
    ///
    /// The corresponding C function is `AudioConverterReset`.
    public func reset() throws(CodecError) {
        source.reset()
        isStarted = false
        isAtEnd = false
        isEncoderFinished = false
        isWaiting = false
        failure = nil
        try encoder?.reset()
        if needsPipeline {
            try makePipeline()
        } else {
            pipeline.reset()
        }
    }

    func makePipeline() throws(CodecError) {
        let matrix: ChannelMatrix?
        if let mixMatrix {
            matrix = mixMatrix
        } else if let channelMap {
            matrix = ChannelMatrix(inputs: Int(source.frameFormat.mChannelsPerFrame), map: channelMap)
        } else {
            matrix = try Self.matrix(from: source.frameFormat, inputLabels, to: targetFormat, outputLabels)
        }
        let isGiven = mixMatrix != nil || channelMap != nil
        if isGiven {
            guard let matrix, matrix.inputs == Int(source.frameFormat.mChannelsPerFrame),
                matrix.outputs == Int(targetFormat.mChannelsPerFrame)
            else { throw conversionError(.invalidFormat, "the channel map is for other channels") }
        }
        pipeline = try FramePipeline(
            from: source.frameFormat, to: targetFormat, matrix: matrix,
            rate: FramePipeline.RateSettings(
                quality: rateQuality, phase: ratePhase, hasLatency: hasRateLatency),
            dither: FrameConversion.Dither(kind: ditherKind, seed: ditherSeed, bits: ditherBits),
            replacing: pipeline)
        needsPipeline = false
    }

    func conversionError(_ code: CodecError.Code, _ reason: String) -> CodecError {
        CodecError(
            code,
            "cannot convert \(inputFormat.encodingSummary) to \(outputFormat.encodingSummary): \(reason)")
    }
}
