// SPDX-License-Identifier: MIT

import AQCodecs
import CAQAudioToolbox
import CoreAudioTypes

/// The settings that a client has requested of a converter: its formats, its properties, and the trim of an extended
/// audio file.
struct ConverterRequest {
    var input: AudioStreamBasicDescription
    var output: AudioStreamBasicDescription
    var settings = CodecSettings()
    var magicCookie: [UInt8] = []
    /// The use of the input's channels; for packets in the order of the file's layout, also for the output.
    var inputLabels: [AudioChannelLabel]?
    var outputLabels: [AudioChannelLabel]?
    /// The input channel for each output channel; -1 for silence.
    var channelMap: [Int]?
    var mixMatrix: ChannelMatrix?
    /// Whether channels are mixed if the output has fewer; otherwise some are dropped.
    var isDownmixing = false
    /// The quality of the rate converter, as set; the engine has five steps.
    var rateQuality = RateQuality.high.rawValue
    var rateComplexity: OSType = kAudioConverterSampleRateConverterComplexity_Normal
    /// The quality of the codec, as set; nil for the encoder's own choice.
    var codecQuality: UInt32?
    var rateControl = BitRateControl.longTermAverage
    /// The bit depth, as set: negative for floats; nil for the source's depth.
    var bitDepthHint: Int32?
    var primeMethod: UInt32 = kConverterPrimeMethod_Normal
    var ditherKind = DitherKind.none
    /// The bit depth to dither to; 0 for all bits of the output.
    var ditherBits: UInt32 = 0
    /// The priming and remainder of the input's packets, as set; nil if unset.
    var decodedPrimeInfo: AudioConverterPrimeInfo?
    /// The valid frames of a file, set by an extended audio file and not by a property.
    var inputTrim: FrameTrim?
    /// The encoding of the file that the output is written to, set by an extended audio file and not by a property.
    var fileEncoding: FileEncoding?

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
        converter.ratePhase =
            rateComplexity == kAudioConverterSampleRateConverterComplexity_MinimumPhase ? .minimum : .linear
        converter.hasRateLatency = primeMethod == kConverterPrimeMethod_None
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

    /// The use of the input's channels, in the decoder's order, which may differ from the order in the packets.
    private var decodedLabels: [AudioChannelLabel]? {
        inputLabels.map { DecodedChannelOrder.labels($0, inPacketsOf: input, magicCookie: magicCookie) }
    }

    /// The use of the output's channels, in the encoder's order, which may differ from the order in the packets.
    private var encodedLabels: [AudioChannelLabel]? {
        outputLabels.map { DecodedChannelOrder.labels($0, inPacketsOf: output) }
    }

    /// The engine's quality step for the complexity and the quality, as set.
    private var engineRateQuality: RateQuality {
        switch rateComplexity {
        case kAudioConverterSampleRateConverterComplexity_Linear: .minimum
        case kAudioConverterSampleRateConverterComplexity_Mastering: .maximum
        default: RateQuality(atMost: rateQuality)
        }
    }

    /// The channel map for the engine; nil for the engine's default.
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
