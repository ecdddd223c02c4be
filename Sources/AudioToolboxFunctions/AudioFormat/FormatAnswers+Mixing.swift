import AudioCodecs
import CAudioToolbox
import CoreAudioTypes

/// Mixes from the channels of one layout to those of another.
extension FormatAnswers {
    /// The gains of the usual mix: a row for each input, a column for each output.
    ///
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` if there is no mix for these, `kAudio_ParamError`
    ///   for too many channels.
    static func mixMap(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        let pair = try layoutsToMix(specifier)
        guard let matrix = ChannelMatrix(from: pair.input.labels, to: pair.output.labels) else {
            throw StatusError(kAudioFormatUnsupportedDataFormatError)
        }
        return .many(matrix.gains)
    }

    /// For each output channel the number of the input channel; -1 for none.
    ///
    /// - Throws: `kAudio_ParamError` for too many channels.
    static func channelMap(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        let pair = try layoutsToMix(specifier)
        let map = pair.output.labels.map { label -> Int32 in
            // An unknown channel of the output matches none of the input.
            guard label != kAudioChannelLabel_Unknown, label != kAudioChannelLabel_Unused,
                let index = pair.input.labels.firstIndex(of: label)
            else { return -1 }
            return Int32(clamping: index)
        }
        return .many(map)
    }

    /// Two layouts within the largest number of channels of a format: a tag alone can state so many that
    /// their matrix would not fit into memory.
    private static func layoutsToMix(
        _ specifier: FormatSpecifier
    ) throws(StatusError) -> (input: ChannelLayout, output: ChannelLayout) {
        let pair = try specifier.layoutPair()
        let most = AudioStreamBasicDescription.maximumChannels
        guard pair.input.channels <= most, pair.output.channels <= most else {
            throw StatusError(kAudio_ParamError)
        }
        return pair
    }

    /// A gain for each output channel, which places a mono source in a direction.
    ///
    /// - Throws: `kAudio_ParamError` for values that are not numbers,
    ///   `kAudioFormatUnsupportedDataFormatError` for a mode other than the two.
    static func panningMatrix(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        let info = try unsafe specifier.value(AudioPanningInfo.self)
        let address = unsafe UInt(bitPattern: info.mOutputChannelMap)
        let layout = try FormatSpecifier.layout(at: address)
        let (x, y, z) = unsafe info.mCoordinates
        let (scale, flags) = unsafe (info.mGainScale, info.mCoordinateFlags)
        guard scale.isFinite, let source = SpeakerDirection(SIMD3(x, y, z), flags: flags)
        else { throw StatusError(kAudio_ParamError) }
        let speakers = layout.speakers.map(SpeakerDirection.init(of:))
        let gains: [Float]
        switch unsafe info.mPanningMode {
        case .panningMode_SoundField: gains = PanningGains.soundField(from: source, to: speakers)
        case .panningMode_VectorBasedPanning: gains = PanningGains.vectorBased(from: source, to: speakers)
        default: throw StatusError(kAudioFormatUnsupportedDataFormatError)
        }
        return .many(gains.map { $0 * scale })
    }

    /// A gain for each channel, which moves the audio to a side, to the front or to the back.
    ///
    /// - Throws: `kAudio_ParamError` for values that are not numbers,
    ///   `kAudioFormatUnsupportedDataFormatError` for a type other than the two.
    static func balanceFade(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        let question = try unsafe specifier.value(AudioBalanceFade.self)
        let address = unsafe UInt(bitPattern: question.mChannelLayout)
        let layout = try FormatSpecifier.layout(at: address)
        let (balance, fade) = unsafe (question.mLeftRightBalance, question.mBackFrontFade)
        guard !balance.isNaN, !fade.isNaN else { throw StatusError(kAudio_ParamError) }
        let law: BalanceLaw
        switch unsafe question.mType {
        case .maxUnityGain: law = .maximumOfOne
        case .equalPower: law = .equalPower
        default: throw StatusError(kAudioFormatUnsupportedDataFormatError)
        }
        let gains = layout.speakers.map { channel -> Float in
            guard let direction = SpeakerDirection(of: channel).vector else { return 1 }
            return law.gain(side: direction.x, position: balance)
                * law.gain(side: direction.y, position: fade)
        }
        return .many(gains)
    }
}
