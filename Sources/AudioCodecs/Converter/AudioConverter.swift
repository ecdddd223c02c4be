public import CoreAudioTypes

/// Converts audio of any format to any other: packets in, packets out, with everything between.
///
/// Decodes, trims, mixes and maps channels, converts the sample rate, dithers and encodes; each only if the two
/// formats differ in it. Linear PCM that gets no fewer bits, at the same rate, comes out bit for bit.
///
/// The caller pulls: ``fill(_:descriptions:maximumPackets:supply:)`` asks for output and is asked for input.
/// Used by one thread at a time.
///
/// Settings (``rateQuality``, ``channelMap`` and the like) hold from the next beginning of a stream: set them
/// before the first output, or before ``reset()``.
///
/// The corresponding C type is `AudioConverterRef`.
public final class AudioConverter {
    /// What goes in: linear PCM, or packets of a format that there is a decoder for.
    public let inputFormat: AudioStreamBasicDescription
    /// What comes out, complete: fields left 0 are filled in, as by
    /// `kAudioConverterCurrentOutputStreamDescription`.
    public let outputFormat: AudioStreamBasicDescription
    /// What the input's channels are for, in their order, as `kAudioConverterInputChannelLayout` says.
    ///
    /// Of packets these are the channels that come out of the decoder: what ``DecodedChannelOrder`` says of these,
    /// unless given. Nil is the order of the output if it has as many channels, else that of a WAVE file.
    public var inputLabels: [AudioChannelLabel]? { didSet { needsPipeline = true } }
    /// What the output's channels are for, in their order, as `kAudioConverterOutputChannelLayout` says.
    ///
    /// Of packets these are the channels that go into the encoder: what ``DecodedChannelOrder`` says of these,
    /// unless given. Nil is the order of the input if it has as many channels, else that of a WAVE file.
    public var outputLabels: [AudioChannelLabel]? { didSet { needsPipeline = true } }
    /// For each output channel the input channel it is, -1 for silence; nil is by the labels.
    ///
    /// The corresponding C property is `kAudioConverterChannelMap`.
    public var channelMap: [Int]? { didSet { needsPipeline = true } }
    /// How much of each input channel goes to each output channel; nil is by the labels, or by ``channelMap``.
    ///
    /// The corresponding C property is `kAudioConverterPropertyChannelMixMap`.
    public var mixMatrix: ChannelMatrix? { didSet { needsPipeline = true } }
    /// How well the sample rate is converted, if it is.
    ///
    /// The corresponding C property is `kAudioConverterSampleRateConverterQuality`.
    public var rateQuality: RateQuality = .high { didSet { needsPipeline = true } }
    /// The noise added where samples lose bits: to integers, from floats, from more bits, or after a mix or a
    /// conversion of rate. None where no bits are lost.
    ///
    /// COMPAT: ``DitherKind/none`` unless set, as in the original: samples are rounded to nearest, and a
    /// conversion to floats and back is exact. Use ``dropsBits`` to tell where dither is due.
    ///
    /// The corresponding C property is `kAudioConverterPropertyDithering`.
    public var ditherKind: DitherKind = .none { didSet { needsPipeline = true } }
    /// Bits that samples are dithered to, if fewer than the output has; nil for those of the output.
    ///
    /// The corresponding C property is `kAudioConverterPropertyDitherBitDepth`.
    public var ditherBits: Int? { didSet { needsPipeline = true } }
    /// Where the noise of the dither begins: the same seed gives the same samples.
    public var ditherSeed: UInt64 = 0 { didSet { needsPipeline = true } }
    /// Which of the frames that the input is decoded to are sound; nil for all.
    ///
    /// Set it to the packet table of the input, before the first output or before ``reset()``, and the conversion
    /// is gapless. After the last valid frame no more input is asked for.
    public var inputTrim: FrameTrim? {
        didSet { source.trim = inputTrim }
    }
    /// Packets so far, since the converter was made, that could not be decoded and came out as silence.
    ///
    /// The corresponding C property is `kAudioConverterPropertyDamagedPacketCount`, which is this library's own.
    public var damagedPackets: Int { source.damagedPackets }
    /// Frames of the input converted since the last reset, after the trim.
    public var inputFrames: Int64 { source.framesGiven }

    let source: PacketSource
    let encoder: (any PacketEncoder)?
    /// What the frames of the source are converted to: the output, interleaved, or what the encoder takes.
    let targetFormat: AudioStreamBasicDescription
    /// Puts the channels of the output apart; made if it has a buffer for each.
    let deinterleaver: Interleaver?
    var pipeline: FramePipeline
    var needsPipeline = false
    /// Frames for the encoder; made if there is one.
    let encoderInput: ScratchMemory?
    /// True from the first output on: settings then wait for the next stream.
    var isStarted = false
    var isAtEnd = false
    var isEncoderFinished = false
    var isWaiting = false
    /// What went wrong after packets had been made: they are given first.
    var failure: (any Error)?

    /// Makes a converter, its decoder and its encoder.
    ///
    /// - Parameters:
    ///   - input: What goes in.
    ///   - output: What comes out. A rate or a number of channels that is 0 is that of the input; what else is 0
    ///     in a format that is not linear PCM is chosen by the encoder.
    ///   - settings: What to ask of the encoder. Without a bit depth, a lossless one keeps the bits of the input, up to 24.
    ///   - magicCookie: What the decoder needs to know of the input.
    ///   - inputLabels: See ``inputLabels``.
    ///   - outputLabels: See ``outputLabels``.
    /// - Throws: ``CodecError/Code/unsupportedFormat`` if there is no decoder or encoder, or the rate cannot be
    ///   converted; ``CodecError/Code/invalidFormat`` if a format contradicts itself, or the labels their number;
    ///   ``CodecError/Code/invalidCookie``.
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

    /// Makes a converter of a decoder, if it is not for linear PCM, and of the encoder that `makeEncoder` makes
    /// for the output and the frames that are encoded.
    init(
        from input: AudioStreamBasicDescription, to output: AudioStreamBasicDescription,
        decoder: (any PacketDecoder)?, inputLabels: [AudioChannelLabel]? = nil,
        outputLabels: [AudioChannelLabel]? = nil,
        makeEncoder: (AudioStreamBasicDescription, AudioStreamBasicDescription) throws(CodecError)
            -> (any PacketEncoder)?
    ) throws(CodecError) {
        if let failure = input.validationFailure {
            throw CodecError(.invalidFormat, "cannot convert \(input.encodingSummary): \(failure)")
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

    /// Frames that are encoded at a time, at least.
    static let encoderBlockFrames = 4096

    /// Forgets all input and output: what follows is a new stream, to which ``inputTrim`` applies again.
    ///
    /// - Throws: ``CodecError/Code/encoderFailed`` if the encoder cannot begin again, and what the initialiser
    ///   throws if settings have changed that do not fit the formats.
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
