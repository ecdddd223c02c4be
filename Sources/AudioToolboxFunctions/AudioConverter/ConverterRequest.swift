import AudioCodecs
import CAudioToolbox
import CoreAudioTypes

/// The settings that a client has requested of a converter: its formats, and every property that can be set.
struct ConverterRequest {
    var input: AudioStreamBasicDescription
    var output: AudioStreamBasicDescription
    var settings = CodecSettings()
    /// The decoder's magic cookie.
    var magicCookie: [UInt8] = []
    /// For packets, as for the output, in the order of the file's layout.
    var inputLabels: [AudioChannelLabel]?
    var outputLabels: [AudioChannelLabel]?
    /// For each output channel the input channel, -1 for silence.
    var channelMap: [Int]?
    var mixMatrix: ChannelMatrix?
    /// True to mix channels if the output has fewer, false to drop some.
    var isDownmixing = false
    /// The number as set; the engine has five steps.
    var rateQuality = RateQuality.high.rawValue
    var rateComplexity: OSType = kAudioConverterSampleRateConverterComplexity_Normal
    /// The number as set; nil is the encoder's own choice.
    var codecQuality: UInt32?
    /// The bit rate control mode, as set.
    var rateControl = BitRateControl.longTermAverage
    /// As set; a negative number means floats; nil is the source's depth.
    var bitDepthHint: Int32?
    var primeMethod: UInt32 = kConverterPrimeMethod_Normal
    var ditherKind = DitherKind.none
    /// 0 is all bits of the output.
    var ditherBits: UInt32 = 0
    /// The priming and remainder of the input's packets, as set; nil if unset.
    var decodedPrimeInfo: AudioConverterPrimeInfo?
    /// The valid frames of a file; no property sets it, but an extended audio file does.
    var inputTrim: FrameTrim?

    init(from input: AudioStreamBasicDescription, to output: AudioStreamBasicDescription) {
        self.input = input
        self.output = output
    }

    /// Makes a converter with these settings.
    ///
    /// - Throws: The engine's errors for formats, settings, a cookie or layouts that are not possible.
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

    /// The use of the channels that are converted: codecs have an order of their own, whatever the packets
    /// have.
    private var decodedLabels: [AudioChannelLabel]? {
        inputLabels.map { DecodedChannelOrder.labels($0, inPacketsOf: input, magicCookie: magicCookie) }
    }

    /// Likewise for the channels that they are converted to.
    private var encodedLabels: [AudioChannelLabel]? {
        outputLabels.map { DecodedChannelOrder.labels($0, inPacketsOf: output) }
    }

    /// The engine's step for the complexity and the quality together.
    private var engineRateQuality: RateQuality {
        switch rateComplexity {
        case kAudioConverterSampleRateConverterComplexity_Linear: .minimum
        case kAudioConverterSampleRateConverterComplexity_Mastering: .maximum
        default: RateQuality(atMost: rateQuality)
        }
    }

    /// The channel map for the engine; nil if its default is right.
    ///
    /// COMPAT: channels are mixed only on request. Otherwise those that the output lacks are dropped, and
    /// those that the input lacks are silent. This includes the second channel of a mono file that becomes
    /// stereo, for which programs set a map.
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
