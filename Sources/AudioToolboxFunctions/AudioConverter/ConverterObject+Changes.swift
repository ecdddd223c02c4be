import AudioCodecs
import CAudioToolbox
import CoreAudioTypes

/// Setting a converter's properties.
extension ConverterObject {
    /// Sets a property.
    @unsafe
    func set(_ property: AudioConverterPropertyID, to bytes: UnsafeRawBufferPointer) -> OSStatus {
        switch property {
        case kAudioConverterDecompressionMagicCookie:
            // COMPAT: players set a file's cookie, even for formats that have none.
            guard isDecoding else { return noErr }
            let cookie = unsafe [UInt8](bytes)
            return cookie == request.magicCookie ? noErr : change { $0.magicCookie = cookie }
        case kAudioConverterCurrentOutputStreamDescription:
            guard let format = unsafe PropertyInput.value(AudioStreamBasicDescription.self, in: bytes) else {
                return kAudioConverterErr_BadPropertySizeError
            }
            return format.isSame(as: outputFormat) ? noErr : change { $0.output = format }
        case kAudioConverterPrimeMethod:
            // All three methods are the same here: no frame is needed before the first, and none is late.
            return unsafe number(in: bytes, from: kConverterPrimeMethod_Pre...kConverterPrimeMethod_None) {
                $0.primeMethod = $1
            }
        case kAudioConverterPrimeInfo: return unsafe setPrimeInfo(bytes)
        case kAudioConverterPropertySettings:
            guard let address = unsafe PropertyInput.value(UInt.self, in: bytes) else {
                return kAudioConverterErr_BadPropertySizeError
            }
            return ConverterSettings.apply(listAt: address, to: self)
        case kAudioConverterPropertyDithering:
            guard let value = unsafe PropertyInput.value(UInt32.self, in: bytes) else {
                return kAudioConverterErr_BadPropertySizeError
            }
            guard let kind = DitherKind(rawValue: value) else { return kAudio_ParamError }
            return change { $0.ditherKind = kind }
        case kAudioConverterPropertyDitherBitDepth:
            return unsafe number(in: bytes, from: 0...32) { $0.ditherBits = $1 }
        case kAudioConverterSampleRateConverterAlgorithm, kAudioConverterSampleRateConverterComplexity,
            kAudioConverterSampleRateConverterQuality, kAudioConverterSampleRateConverterInitialPhase:
            return unsafe setRateProperty(property, bytes)
        case kAudioConverterInputChannelLayout, kAudioConverterOutputChannelLayout,
            kAudioConverterChannelMap, kAudioConverterPropertyChannelMixMap,
            kAudioConverterPropertyPerformDownmix:
            return unsafe setChannelProperty(property, bytes)
        case kAudioConverterEncodeBitRate, kAudioConverterCodecQuality, kAudioConverterPropertyBitDepthHint,
            kAudioConverterEncodeAdjustableSampleRate, BitRateControl.property:
            guard isEncoding else { return kAudioConverterErr_PropertyNotSupported }
            return unsafe setEncoderProperty(property, bytes)
        default:
            // A property that can be read exists, but the client cannot set it.
            let isKnown = answer(to: property) != nil || translation(of: 0, for: property) != nil
            return isKnown
                ? kAudioConverterErr_OperationNotSupported : kAudioConverterErr_PropertyNotSupported
        }
    }

    /// Sets a number that has limits.
    private func number(
        in bytes: UnsafeRawBufferPointer, from limits: ClosedRange<UInt32>,
        _ edit: (inout ConverterRequest, UInt32) -> Void
    ) -> OSStatus {
        guard let value = unsafe PropertyInput.value(UInt32.self, in: bytes) else {
            return kAudioConverterErr_BadPropertySizeError
        }
        guard limits.contains(value) else { return kAudio_ParamError }
        return change { edit(&$0, value) }
    }

    /// COMPAT: for packets, programs set the number of priming frames that are dropped. They trim the
    /// remainder themselves, by the number of valid frames, so trailing frames have no effect.
    ///
    /// An encoder and a rate converter determine their own numbers of frames: others are refused.
    private func setPrimeInfo(_ bytes: UnsafeRawBufferPointer) -> OSStatus {
        guard let value = unsafe PropertyInput.value(AudioConverterPrimeInfo.self, in: bytes) else {
            return kAudioConverterErr_BadPropertySizeError
        }
        if isDecoding { return change { $0.decodedPrimeInfo = value } }
        let info = primeInfo
        let isSame = value.leadingFrames == info.leadingFrames && value.trailingFrames == info.trailingFrames
        return isSame ? noErr : kAudioConverterErr_OperationNotSupported
    }

    private func setRateProperty(
        _ property: AudioConverterPropertyID, _ bytes: UnsafeRawBufferPointer
    ) -> OSStatus {
        switch property {
        case kAudioConverterSampleRateConverterQuality:
            return unsafe number(in: bytes, from: 0...kAudioConverterQuality_Max) { $0.rateQuality = $1 }
        case kAudioConverterSampleRateConverterInitialPhase:
            guard let phase = unsafe PropertyInput.value(Float64.self, in: bytes) else {
                return kAudioConverterErr_BadPropertySizeError
            }
            guard phase >= 0, phase < 1 else { return kAudio_ParamError }
            // The filter begins at the first frame. Without resampling there is no phase.
            return phase == 0 || !isConvertingRate ? noErr : kAudioConverterErr_OperationNotSupported
        default:
            guard let value = unsafe PropertyInput.value(OSType.self, in: bytes) else {
                return kAudioConverterErr_BadPropertySizeError
            }
            switch value {
            case kAudioConverterSampleRateConverterComplexity_Linear,
                kAudioConverterSampleRateConverterComplexity_Normal,
                kAudioConverterSampleRateConverterComplexity_Mastering:
                return change { $0.rateComplexity = value }
            case kAudioConverterSampleRateConverterComplexity_MinimumPhase:
                return kAudioConverterErr_OperationNotSupported
            default: return kAudio_ParamError
            }
        }
    }

    private func setChannelProperty(
        _ property: AudioConverterPropertyID, _ bytes: UnsafeRawBufferPointer
    ) -> OSStatus {
        let inputs = Int(inputFormat.mChannelsPerFrame)
        let outputs = Int(outputFormat.mChannelsPerFrame)
        switch property {
        case kAudioConverterInputChannelLayout, kAudioConverterOutputChannelLayout:
            let labels: [AudioChannelLabel]
            do throws(ChannelLayoutError) { labels = try unsafe PublishedLayout.labels(in: bytes) } catch {
                return error.code == .truncated ? kAudioConverterErr_BadPropertySizeError : kAudio_ParamError
            }
            let isInput = property == kAudioConverterInputChannelLayout
            guard labels.count == (isInput ? inputs : outputs) else { return kAudio_ParamError }
            return change { if isInput { $0.inputLabels = labels } else { $0.outputLabels = labels } }
        case kAudioConverterPropertyPerformDownmix:
            guard let value = unsafe PropertyInput.value(UInt32.self, in: bytes) else {
                return kAudioConverterErr_BadPropertySizeError
            }
            return change { $0.isDownmixing = value != 0 }
        case kAudioConverterChannelMap:
            guard let map = unsafe PropertyInput.list(of: Int32.self, count: outputs, in: bytes) else {
                return kAudioConverterErr_BadPropertySizeError
            }
            // As published: channels are either mixed or mapped.
            guard !request.isDownmixing else { return kAudioConverterErr_OperationNotSupported }
            guard map.allSatisfy({ -1..<inputs ~= Int($0) }) else { return kAudio_ParamError }
            return change {
                $0.channelMap = map.map { Int($0) }
                $0.mixMatrix = nil
            }
        default:
            guard let gains = unsafe PropertyInput.list(of: Float32.self, count: inputs * outputs, in: bytes)
            else { return kAudioConverterErr_BadPropertySizeError }
            guard let matrix = ChannelMatrix(inputs: inputs, outputs: outputs, gains: gains) else {
                return kAudio_ParamError
            }
            return change { $0.mixMatrix = matrix }
        }
    }

    private func setEncoderProperty(
        _ property: AudioConverterPropertyID, _ bytes: UnsafeRawBufferPointer
    ) -> OSStatus {
        switch property {
        case kAudioConverterEncodeBitRate:
            return unsafe number(in: bytes, from: 1...(.max)) { $0.settings.bitRate = Int($1) }
        case kAudioConverterCodecQuality:
            return unsafe number(in: bytes, from: 0...kAudioConverterQuality_Max) { request, value in
                request.codecQuality = value
                request.settings.quality = CodecSettings.Quality.allCases.last { $0.rawValue <= value }
            }
        case BitRateControl.property:
            guard answer(to: property) != nil else { return kAudioConverterErr_PropertyNotSupported }
            guard let value = unsafe PropertyInput.value(UInt32.self, in: bytes) else {
                return kAudioConverterErr_BadPropertySizeError
            }
            // The encoder has no mode with a variable rate.
            guard let control = BitRateControl(rawValue: value) else { return kAudio_ParamError }
            return change { $0.rateControl = control }
        case kAudioConverterEncodeAdjustableSampleRate:
            guard let rate = unsafe PropertyInput.value(Float64.self, in: bytes) else {
                return kAudioConverterErr_BadPropertySizeError
            }
            guard rate.isFinite, rate > 0, rate <= AudioStreamBasicDescription.maximumSampleRate else {
                return kAudioConverterErr_OutputSampleRateOutOfRange
            }
            return change { $0.output.mSampleRate = rate }
        default:
            guard let hint = unsafe PropertyInput.value(Int32.self, in: bytes) else {
                return kAudioConverterErr_BadPropertySizeError
            }
            return change {
                $0.bitDepthHint = hint
                // For floats a lossless encoder keeps 24 bits, which is their precision.
                $0.settings.bitDepth = hint == 0 ? nil : hint < 0 ? 24 : Int(hint)
            }
        }
    }
}
