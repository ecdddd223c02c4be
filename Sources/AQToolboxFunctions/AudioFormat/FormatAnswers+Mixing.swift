// SPDX-License-Identifier: MIT

import AQCodecs
import CAQAudioToolbox
import CoreAudioTypes

/// Mixes from the channels of one layout to those of another.
extension FormatAnswers {
    /// The gains of the usual mix: a row for each input channel, a column for each output channel.
    ///
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` if there is no mix for these layouts,
    ///   `kAudio_ParamError` for too many channels.
    static func mixMap(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        let pair = try layoutsToMix(specifier)
        guard let matrix = ChannelMatrix(from: pair.input.labels, to: pair.output.labels) else {
            throw StatusError(kAudioFormatUnsupportedDataFormatError)
        }
        return .many(matrix.gains)
    }

    /// The number of the input channel for each output channel; -1 for none.
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

    /// Reads two layouts, and refuses more channels than a format can have: a tag alone can state so many that
    /// the matrix would not fit into memory.
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

    /// The gains that place a mono source in a direction, one for each output channel.
    ///
    /// - Throws: `kAudio_ParamError` for values that are not numbers,
    ///   `kAudioFormatUnsupportedDataFormatError` for an unknown panning mode.
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

    /// The gains that move the audio to a side, to the front or to the back, one for each channel.
    ///
    /// - Throws: `kAudio_ParamError` for values that are not numbers,
    ///   `kAudioFormatUnsupportedDataFormatError` for an unknown type.
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
