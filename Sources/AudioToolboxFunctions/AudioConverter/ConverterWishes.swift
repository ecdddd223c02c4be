import AudioCodecs
import CAudioToolbox
import CoreAudioTypes

/// What a client has asked of a converter so far: its formats, and every property that can be set.
struct ConverterWishes {
    var input: AudioStreamBasicDescription
    var output: AudioStreamBasicDescription
    var settings = CodecSettings()
    /// What the decoder needs to know.
    var magicCookie: [UInt8] = []
    /// Of packets, as of the output, in the order that they are said to have.
    var inputLabels: [AudioChannelLabel]?
    var outputLabels: [AudioChannelLabel]?
    /// For each output channel the input channel it is, -1 for silence.
    var channelMap: [Int]?
    var mixMatrix: ChannelMatrix?
    /// True to mix channels where there are fewer of them, false to drop some.
    var isDownmixing = false
    /// The number as set; the engine has five steps.
    var rateQuality = RateQuality.high.rawValue
    var rateComplexity: OSType = kAudioConverterSampleRateConverterComplexity_Normal
    /// The number as set; nil is the encoder's own choice.
    var codecQuality: UInt32?
    /// How the encoder keeps to the bit rate, as set.
    var rateControl = BitRateControl.longTermAverage
    /// As set, where a negative number stands for floats; nil is by the source.
    var bitDepthHint: Int32?
    var primeMethod: UInt32 = kConverterPrimeMethod_Normal
    var ditherKind = DitherKind.none
    /// 0 is all that the output has.
    var ditherBits: UInt32 = 0
    /// What was said of the frames that packets of the input decode to; nil for nothing.
    var decodedPrimeInfo: AudioConverterPrimeInfo?
    /// Which frames of a file are sound; no property sets it, but an extended audio file.
    var inputTrim: FrameTrim?

    init(from input: AudioStreamBasicDescription, to output: AudioStreamBasicDescription) {
        self.input = input
        self.output = output
    }

    /// Makes the converter that is asked for.
    ///
    /// - Throws: What the engine says of formats, settings, cookie or layouts that it cannot have.
    func makeConverter() throws(CodecError) -> AudioConverter {
        let converter = try AudioConverter(
            from: input, to: output, settings: settings, magicCookie: magicCookie, inputLabels: decodedLabels,
            outputLabels: encodedLabels)
        converter.rateQuality = engineRateQuality
        converter.ditherKind = ditherKind
        converter.ditherBits = ditherBits == 0 ? nil : Int(ditherBits)
        converter.mixMatrix = mixMatrix
        converter.channelMap = engineChannelMap(
            inputs: Int(converter.inputFormat.mChannelsPerFrame),
            outputs: Int(converter.outputFormat.mChannelsPerFrame))
        converter.inputTrim =
            inputTrim ?? decodedPrimeInfo.map { FrameTrim(priming: Int64($0.leadingFrames)) }
        return converter
    }

    /// What the channels are for that are converted: codecs have an order of their own, whatever the packets have.
    private var decodedLabels: [AudioChannelLabel]? {
        inputLabels.map { DecodedChannelOrder.labels($0, inPacketsOf: input, magicCookie: magicCookie) }
    }

    /// Likewise those that they are converted to.
    private var encodedLabels: [AudioChannelLabel]? {
        outputLabels.map { DecodedChannelOrder.labels($0, inPacketsOf: output) }
    }

    /// The step of the engine for the complexity and the quality together.
    private var engineRateQuality: RateQuality {
        switch rateComplexity {
        case kAudioConverterSampleRateConverterComplexity_Linear: .minimum
        case kAudioConverterSampleRateConverterComplexity_Mastering: .maximum
        default: RateQuality(atMost: rateQuality)
        }
    }

    /// The map that the engine is given; nil where it does by itself what is wanted.
    ///
    /// COMPAT: channels are mixed only if that is asked for. Else those that the output has not are dropped, and
    /// those that the input has not are silent: the second channel too that a mono file becomes, for which
    /// programs set a map.
    func engineChannelMap(inputs: Int, outputs: Int) -> [Int]? {
        if let channelMap { return channelMap }
        if isDownmixing || mixMatrix != nil { return nil }
        if let decodedLabels, let encodedLabels {
            let map = encodedLabels.map { decodedLabels.firstIndex(of: $0) ?? -1 }
            if map.contains(where: { $0 >= 0 }) { return map }
        }
        return inputs == outputs ? nil : Self.channelsByNumber(inputs: inputs, outputs: outputs)
    }

    /// The map that passes channels by number.
    static func channelsByNumber(inputs: Int, outputs: Int) -> [Int] {
        (0..<max(outputs, 0)).map { $0 < inputs ? $0 : -1 }
    }
}
