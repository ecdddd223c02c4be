// SPDX-License-Identifier: MIT

import AQCodecs
import CAQAudioToolbox
import CoreAudioTypes

extension ConverterObject {
    /// Sets a property.
    ///
    /// - Throws: The result of `AudioConverterSetProperty`.
    @unsafe
    func set(_ property: AudioConverterPropertyID, to bytes: UnsafeRawBufferPointer) throws(StatusError) {
        let inputs = Int(inputFormat.mChannelsPerFrame)
        let outputs = Int(outputFormat.mChannelsPerFrame)
        switch property {
        case kAudioConverterDecompressionMagicCookie:
            // COMPAT: players set a file's cookie, even for formats that have none.
            let cookie = unsafe [UInt8](bytes)
            if isDecoding, cookie != request.magicCookie { try change { $0.magicCookie = cookie } }
        case kAudioConverterCurrentOutputStreamDescription:
            let format: AudioStreamBasicDescription = try unsafe value(in: bytes)
            if !format.isSame(as: outputFormat) { try change { $0.output = format } }
        case kAudioConverterPrimeMethod:
            // The filter needs no frames before the first one, so the first two methods have the same effect.
            try unsafe setNumber(in: bytes, from: kConverterPrimeMethod_Pre...kConverterPrimeMethod_None) {
                $0.primeMethod = $1
            }
        case kAudioConverterPrimeInfo: try unsafe setPrimeInfo(value(in: bytes))
        case kAudioConverterPropertySettings:
            try ConverterSettings.apply(listAt: unsafe value(in: bytes), to: self)
        case kAudioConverterPropertyDithering:
            guard let kind = try DitherKind(rawValue: unsafe value(in: bytes)) else {
                throw StatusError(kAudio_ParamError)
            }
            try change { $0.ditherKind = kind }
        case kAudioConverterPropertyDitherBitDepth:
            try unsafe setNumber(in: bytes, from: 0...32) { $0.ditherBits = $1 }
        case kAudioConverterSampleRateConverterQuality:
            try unsafe setNumber(in: bytes, from: 0...kAudioConverterQuality_Max) { $0.rateQuality = $1 }
        case kAudioConverterSampleRateConverterInitialPhase:
            let phase: Float64 = try unsafe value(in: bytes)
            guard phase >= 0, phase < 1 else { throw StatusError(kAudio_ParamError) }
            // The filter begins at the first frame. Without resampling there is no phase.
            guard phase == 0 || !isConvertingRate else {
                throw StatusError(kAudioConverterErr_OperationNotSupported)
            }
        case kAudioConverterSampleRateConverterAlgorithm, kAudioConverterSampleRateConverterComplexity:
            try unsafe setRateComplexity(value(in: bytes))
        case kAudioConverterInputChannelLayout, kAudioConverterOutputChannelLayout:
            let labels = try unsafe PublishedLayout.labels(
                in: bytes, truncated: kAudioConverterErr_BadPropertySizeError, unknown: kAudio_ParamError)
            let isInput = property == kAudioConverterInputChannelLayout
            guard labels.count == (isInput ? inputs : outputs) else { throw StatusError(kAudio_ParamError) }
            try change { if isInput { $0.inputLabels = labels } else { $0.outputLabels = labels } }
        case kAudioConverterPropertyPerformDownmix:
            let value: UInt32 = try unsafe value(in: bytes)
            try change { $0.isDownmixing = value != 0 }
        case kAudioConverterChannelMap:
            let map: [Int32] = try unsafe list(count: outputs, in: bytes)
            // As published: channels are either mixed or mapped.
            guard !request.isDownmixing else { throw StatusError(kAudioConverterErr_OperationNotSupported) }
            guard map.allSatisfy({ -1..<inputs ~= Int($0) }) else { throw StatusError(kAudio_ParamError) }
            try change {
                $0.channelMap = map.map { Int($0) }
                $0.mixMatrix = nil
            }
        case kAudioConverterPropertyChannelMixMap:
            let gains: [Float32] = try unsafe list(count: inputs * outputs, in: bytes)
            guard let matrix = ChannelMatrix(inputs: inputs, outputs: outputs, gains: gains) else {
                throw StatusError(kAudio_ParamError)
            }
            try change { $0.mixMatrix = matrix }
        case kAudioConverterEncodeBitRate where request.fileEncoding?.hasBitRate == true:
            let bitRate: UInt32 = try unsafe value(in: bytes)
            try request.fileEncoding?.check(bitRate: Int(bitRate))
            try change { $0.settings.bitRate = Int(bitRate) }
        case kAudioConverterEncodeBitRate, kAudioConverterCodecQuality, kAudioConverterPropertyBitDepthHint,
            kAudioConverterEncodeAdjustableSampleRate, BitRateControl.property:
            guard isEncoding else { throw StatusError(kAudioConverterErr_PropertyNotSupported) }
            try unsafe setEncoderProperty(property, bytes)
        default:
            // A property that can be read exists, but the client cannot set it.
            let isKnown = answer(to: property) != nil || translation(of: 0, for: property) != nil
            throw StatusError(
                isKnown ? kAudioConverterErr_OperationNotSupported : kAudioConverterErr_PropertyNotSupported)
        }
    }

    private func value<Value: BitwiseCopyable>(
        in bytes: UnsafeRawBufferPointer
    ) throws(StatusError) -> Value {
        try unsafe PropertyInput.value(in: bytes, badSize: kAudioConverterErr_BadPropertySizeError)
    }

    private func list<Element: BitwiseCopyable>(
        count: Int, in bytes: UnsafeRawBufferPointer
    ) throws(StatusError) -> [Element] {
        guard let list: [Element] = unsafe PropertyInput.list(count: count, in: bytes) else {
            throw StatusError(kAudioConverterErr_BadPropertySizeError)
        }
        return list
    }

    private func setNumber(
        in bytes: UnsafeRawBufferPointer, from limits: ClosedRange<UInt32>,
        _ edit: (inout ConverterRequest, UInt32) -> Void
    ) throws(StatusError) {
        let value: UInt32 = try unsafe value(in: bytes)
        guard limits.contains(value) else { throw StatusError(kAudio_ParamError) }
        try change { edit(&$0, value) }
    }

    /// Sets the number of priming frames of packets to be decoded.
    ///
    /// COMPAT: programs trim the remainder themselves, by the number of valid frames, so trailing frames have no
    /// effect. An encoder and a rate converter determine their own numbers of frames: other numbers are refused.
    private func setPrimeInfo(_ value: AudioConverterPrimeInfo) throws(StatusError) {
        if isDecoding { return try change { $0.decodedPrimeInfo = value } }
        let info = primeInfo
        guard value.leadingFrames == info.leadingFrames, value.trailingFrames == info.trailingFrames else {
            throw StatusError(kAudioConverterErr_OperationNotSupported)
        }
    }

    private func setRateComplexity(_ complexity: OSType) throws(StatusError) {
        switch complexity {
        case kAudioConverterSampleRateConverterComplexity_Linear,
            kAudioConverterSampleRateConverterComplexity_Normal,
            kAudioConverterSampleRateConverterComplexity_Mastering,
            kAudioConverterSampleRateConverterComplexity_MinimumPhase:
            try change { $0.rateComplexity = complexity }
        default: throw StatusError(kAudio_ParamError)
        }
    }

    private func setEncoderProperty(
        _ property: AudioConverterPropertyID, _ bytes: UnsafeRawBufferPointer
    ) throws(StatusError) {
        switch property {
        case kAudioConverterEncodeBitRate:
            try unsafe setNumber(in: bytes, from: 1...(.max)) { $0.settings.bitRate = Int($1) }
        case kAudioConverterCodecQuality:
            try unsafe setNumber(in: bytes, from: 0...kAudioConverterQuality_Max) { request, value in
                request.codecQuality = value
                request.settings.quality = CodecSettings.Quality.allCases.last { $0.rawValue <= value }
            }
        case BitRateControl.property:
            guard answer(to: property) != nil else {
                throw StatusError(kAudioConverterErr_PropertyNotSupported)
            }
            // The encoder has no mode with a variable rate.
            guard let control = try BitRateControl(rawValue: unsafe value(in: bytes)) else {
                throw StatusError(kAudio_ParamError)
            }
            try change { $0.rateControl = control }
        case kAudioConverterEncodeAdjustableSampleRate:
            let rate: Float64 = try unsafe value(in: bytes)
            guard rate.isFinite, rate > 0, rate <= AudioStreamBasicDescription.maximumSampleRate else {
                throw StatusError(kAudioConverterErr_OutputSampleRateOutOfRange)
            }
            try change { $0.output.mSampleRate = rate }
        default:
            let hint: Int32 = try unsafe value(in: bytes)
            try change {
                $0.bitDepthHint = hint
                // For floats a lossless encoder keeps 24 bits, which is their precision.
                $0.settings.bitDepth = hint == 0 ? nil : hint < 0 ? 24 : Int(hint)
            }
        }
    }
}
