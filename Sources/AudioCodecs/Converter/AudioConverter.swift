public import CoreAudioTypes

/// Converts audio of any format to any other: packets in, packets out, with every step between.
///
/// It decodes, trims, mixes and maps channels, resamples, dithers and encodes; each step only if the formats
/// differ in it. Linear PCM at the same rate that does not lose bits is converted bit for bit.
///
/// The caller pulls: ``fill(_:descriptions:maximumPackets:supply:)`` returns output, and requests input. Used
/// by one thread at a time.
///
/// Settings (``rateQuality``, ``channelMap`` and others) take effect at the next beginning of a stream: set
/// them before the first output, or before ``reset()``.
///
/// The corresponding C type is `AudioConverterRef`.
public final class AudioConverter {
    /// The format of the input: linear PCM, or packets of a format that has a decoder.
    public let inputFormat: AudioStreamBasicDescription
    /// The format of the output, complete: fields that were 0 are filled in, as in
    /// `kAudioConverterCurrentOutputStreamDescription`.
    public let outputFormat: AudioStreamBasicDescription
    /// The use of each input channel, in order, as in `kAudioConverterInputChannelLayout`.
    ///
    /// For packets these are the channels that the decoder outputs, in the order of ``DecodedChannelOrder``
    /// unless given. Nil is the order of the output if it has as many channels, otherwise that of a WAVE
    /// file.
    public var inputLabels: [AudioChannelLabel]? { didSet { needsPipeline = true } }
    /// The use of each output channel, in order, as in `kAudioConverterOutputChannelLayout`.
    ///
    /// For packets these are the channels that the encoder takes, in the order of ``DecodedChannelOrder``
    /// unless given. Nil is the order of the input if it has as many channels, otherwise that of a WAVE file.
    public var outputLabels: [AudioChannelLabel]? { didSet { needsPipeline = true } }
    /// The input channel for each output channel, -1 for silence; nil selects by the labels.
    ///
    /// The corresponding C property is `kAudioConverterChannelMap`.
    public var channelMap: [Int]? { didSet { needsPipeline = true } }
    /// The gain from each input channel to each output channel; nil is by the labels, or by ``channelMap``.
    ///
    /// The corresponding C property is `kAudioConverterPropertyChannelMixMap`.
    public var mixMatrix: ChannelMatrix? { didSet { needsPipeline = true } }
    /// The quality of resampling.
    ///
    /// The corresponding C property is `kAudioConverterSampleRateConverterQuality`.
    public var rateQuality: RateQuality = .high { didSet { needsPipeline = true } }
    /// The noise that is added if samples lose bits: in integers, from floats, from more bits, or after a mix
    /// or resampling. No noise is added if no bits are lost.
    ///
    /// COMPAT: ``DitherKind/none`` unless set, as in the original: samples are rounded to nearest, and a
    /// conversion to floats and back is exact. ``dropsBits`` states whether dither is useful.
    ///
    /// The corresponding C property is `kAudioConverterPropertyDithering`.
    public var ditherKind: DitherKind = .none { didSet { needsPipeline = true } }
    /// The bit depth of dithered samples, if lower than the output's; nil for that of the output.
    ///
    /// The corresponding C property is `kAudioConverterPropertyDitherBitDepth`.
    public var ditherBits: Int? { didSet { needsPipeline = true } }
    /// The seed of the dither's noise: the same seed gives the same samples.
    public var ditherSeed: UInt64 = 0 { didSet { needsPipeline = true } }
    /// The range of decoded input frames that are valid; nil for all.
    ///
    /// Set it to the packet table of the input, before the first output or before ``reset()``, for a gapless
    /// conversion. No input is requested after the last valid frame.
    public var inputTrim: FrameTrim? {
        didSet { source.trim = inputTrim }
    }
    /// The number of packets, since the converter was made, that could not be decoded and became silence.
    ///
    /// The corresponding C property is `kAudioConverterPropertyDamagedPacketCount`, which is this library's
    /// own.
    public var damagedPackets: Int { source.damagedPackets }
    /// The number of input frames converted since the last reset, after the trim.
    public var inputFrames: Int64 { source.framesGiven }

    let source: PacketSource
    let encoder: (any PacketEncoder)?
    /// The format to which the source's frames are converted: the output, interleaved, or the encoder's
    /// input.
    let targetFormat: AudioStreamBasicDescription
    /// Separates the channels of the output; nil if the output is interleaved.
    let deinterleaver: Interleaver?
    var pipeline: FramePipeline
    var needsPipeline = false
    /// Frames for the encoder; nil if there is none.
    let encoderInput: ScratchMemory?
    /// True after the first output: settings then take effect at the next stream.
    var isStarted = false
    var isAtEnd = false
    var isEncoderFinished = false
    var isWaiting = false
    /// A failure after packets had been made, which are returned first.
    var failure: (any Error)?

    /// Makes a converter, its decoder and its encoder.
    ///
    /// - Parameters:
    ///   - input: The format of the input.
    ///   - output: The format of the output. A rate or a number of channels of 0 is that of the input; the
    ///     encoder chooses other fields of 0 in a format that is not linear PCM.
    ///   - settings: The settings of the encoder. Without a bit depth, a lossless one keeps the bits of the
    ///     input, up to 24.
    ///   - magicCookie: The magic cookie of the input.
    ///   - inputLabels: See ``inputLabels``.
    ///   - outputLabels: See ``outputLabels``.
    /// - Throws: ``CodecError/Code/unsupportedFormat`` if there is no decoder or encoder, or the rate cannot
    ///   be converted; ``CodecError/Code/invalidFormat`` if a format contradicts itself, or the labels their
    ///   number; ``CodecError/Code/invalidCookie``.
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

    /// Makes a converter from a decoder, if the input is not linear PCM, and from the encoder that
    /// `makeEncoder` makes for the output and its input frames.
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
            from: source.frameFormat, to: targetFormat, matrix: matrix, quality: rateQuality,
            dither: FrameConversion.Dither(kind: .none, seed: 0))
    }

    /// The least number of frames that are encoded at a time.
    static let encoderBlockFrames = 4096

    /// Drops all input and output: the next input is a new stream, to which ``inputTrim`` applies again.
    ///
    /// - Throws: ``CodecError/Code/encoderFailed`` if the encoder cannot be reset, and the initialiser's
    ///   errors if settings have changed that do not fit the formats.
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
            try pipeline.reset()
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
            from: source.frameFormat, to: targetFormat, matrix: matrix, quality: rateQuality,
            dither: FrameConversion.Dither(kind: ditherKind, seed: ditherSeed, bits: ditherBits))
        needsPipeline = false
    }

    func conversionError(_ code: CodecError.Code, _ reason: String) -> CodecError {
        CodecError(
            code,
            "cannot convert \(inputFormat.encodingSummary) to \(outputFormat.encodingSummary): \(reason)")
    }
}
