// SPDX-License-Identifier: MIT

import AQCodecs
import CAQAudioToolbox
import CoreAudioTypes

extension ConverterObject {
    /// A property's value.
    ///
    /// - Returns: The value; nil for a property that does not exist, or not for these formats.
    func answer(to property: AudioConverterPropertyID) -> PropertyAnswer? {
        switch property {
        case kAudioConverterCurrentInputStreamDescription: .one(inputFormat)
        case kAudioConverterCurrentOutputStreamDescription: .one(outputFormat)
        case kAudioConverterPrimeInfo: .one(primeInfo)
        case kAudioConverterPrimeMethod: .one(request.primeMethod)
        case kAudioConverterPropertyDamagedPacketCount: .one(UInt64(damagedPackets))
        case kAudioConverterPropertyFormatList: .many([formatListItem])
        case kAudioConverterPropertyMinimumInputBufferSize, kAudioConverterPropertyMaximumInputPacketSize:
            .one(UInt32(clamping: engine.minimumInputBytes))
        case kAudioConverterPropertyMinimumOutputBufferSize: .one(UInt32(clamping: engine.minimumOutputBytes))
        case kAudioConverterPropertyMaximumOutputPacketSize:
            .one(UInt32(clamping: engine.maximumOutputPacketSize))
        case kAudioConverterSampleRateConverterAlgorithm, kAudioConverterSampleRateConverterComplexity:
            .one(request.rateComplexity)
        case kAudioConverterSampleRateConverterQuality: .one(request.rateQuality)
        case kAudioConverterSampleRateConverterInitialPhase: .one(0 as Float64)
        case kAudioConverterPropertyDithering: .one(request.ditherKind.rawValue)
        case kAudioConverterPropertyDitherBitDepth: .one(request.ditherBits)
        case kAudioConverterPropertyPerformDownmix: .one(request.isDownmixing ? 1 : 0 as UInt32)
        case kAudioConverterInputChannelLayout:
            layoutAnswer(request.inputLabels ?? engine.inputLabels, inputFormat)
        case kAudioConverterOutputChannelLayout:
            layoutAnswer(request.outputLabels ?? engine.outputLabels, outputFormat)
        case kAudioConverterChannelMap: .many(channelMap.map { Int32(clamping: $0) })
        case kAudioConverterPropertyChannelMixMap:
            (request.mixMatrix
                ?? ChannelMatrix(inputs: Int(inputFormat.mChannelsPerFrame), map: channelMap))
                .map { .many($0.gains) }
        // The bit rate of a file's encoder, if it is set.
        case kAudioConverterEncodeBitRate where request.fileEncoding != nil:
            request.settings.bitRate.map { .one(UInt32(clamping: $0)) }
        default: isEncoding ? encoderAnswer(to: property) : nil
        }
    }

    /// Returns whether a property can be set, for formats that have the property.
    static func isWritable(_ property: AudioConverterPropertyID) -> Bool {
        switch property {
        case kAudioConverterSampleRateConverterAlgorithm, kAudioConverterSampleRateConverterComplexity,
            kAudioConverterSampleRateConverterQuality, kAudioConverterSampleRateConverterInitialPhase,
            kAudioConverterCodecQuality, kAudioConverterPrimeMethod, kAudioConverterPrimeInfo,
            kAudioConverterChannelMap, kAudioConverterDecompressionMagicCookie,
            kAudioConverterEncodeBitRate, kAudioConverterEncodeAdjustableSampleRate, BitRateControl.property,
            kAudioConverterInputChannelLayout, kAudioConverterOutputChannelLayout,
            kAudioConverterCurrentOutputStreamDescription, kAudioConverterPropertyBitDepthHint,
            kAudioConverterPropertyPerformDownmix, kAudioConverterPropertyChannelMixMap,
            kAudioConverterPropertyDithering, kAudioConverterPropertyDitherBitDepth,
            kAudioConverterPropertySettings:
            true
        default: false
        }
    }

    /// Translates a number of bytes of one side to the other; nil for a property that is not a translation.
    func translation(of bytes: UInt32, for property: AudioConverterPropertyID) -> UInt32? {
        switch property {
        case kAudioConverterPropertyCalculateInputBufferSize:
            UInt32(clamping: engine.inputBytes(forOutput: Int(bytes)))
        case kAudioConverterPropertyCalculateOutputBufferSize:
            UInt32(clamping: engine.outputBytes(forInput: Int(bytes)))
        default: nil
        }
    }

    /// The priming and remainder frames of the encoder; without an encoder those set for the decoder, by default
    /// the frames of the rate converter's delay as trailing frames.
    ///
    /// COMPAT: a client may pass the reported number of leading frames before its first one. The rate converter needs
    /// none, since silence comes before the first frame.
    var primeInfo: AudioConverterPrimeInfo {
        if !isEncoding, let info = request.decodedPrimeInfo { return info }
        return AudioConverterPrimeInfo(
            leadingFrames: UInt32(clamping: engine.primingFrames),
            trailingFrames: UInt32(clamping: isEncoding ? engine.remainderFrames : engine.rateDelayFrames))
    }

    private func layoutAnswer(
        _ labels: [AudioChannelLabel]?, _ format: AudioStreamBasicDescription
    ) -> PropertyAnswer {
        let usual = ChannelLabels.defaults(channels: Int(format.mChannelsPerFrame))
        return .bytes(ChannelLayout(labels: labels ?? usual).publishedBytes)
    }

    /// The channel map in effect: as set, or the default.
    private var channelMap: [Int] {
        let inputs = Int(inputFormat.mChannelsPerFrame)
        let outputs = Int(outputFormat.mChannelsPerFrame)
        return request.engineChannelMap(inputs: inputs, outputs: outputs)
            ?? ConverterRequest.channelsByNumber(inputs: inputs, outputs: outputs)
    }

    private func encoderAnswer(to property: AudioConverterPropertyID) -> PropertyAnswer? {
        switch property {
        case kAudioConverterCompressionMagicCookie:
            // COMPAT: programs expect a failure for a format without a cookie.
            return engine.magicCookie.isEmpty ? nil : .bytes(engine.magicCookie)
        case kAudioConverterEncodeBitRate: return .one(UInt32(clamping: engine.bitRate))
        case BitRateControl.property:
            return outputFormat.mFormatID == kAudioFormatMPEG4AAC ? .one(request.rateControl.rawValue) : nil
        case kAudioConverterCodecQuality:
            return .one(request.codecQuality ?? CodecSettings.Quality.medium.rawValue)
        case kAudioConverterEncodeAdjustableSampleRate: return .one(outputFormat.mSampleRate)
        case kAudioConverterPropertyBitDepthHint: return .one(request.bitDepthHint ?? sourceDepth)
        // These queries fail only without an encoder, and there is one here.
        case kAudioConverterApplicableEncodeBitRates:
            return .many(CodecFacts.applicableBitRates(of: outputFormat))
        case kAudioConverterAvailableEncodeBitRates:
            return .many((try? CodecFacts.encodedBitRates(of: outputFormat.mFormatID)) ?? [])
        case kAudioConverterApplicableEncodeSampleRates, kAudioConverterAvailableEncodeSampleRates:
            return .many((try? CodecFacts.encodedSampleRates(of: outputFormat.mFormatID)) ?? [])
        case kAudioConverterAvailableEncodeChannelLayoutTags:
            return .many((try? CodecFacts.encodedLayoutTags(of: outputFormat)) ?? [])
        default: return nil
        }
    }

    /// The bit depth of the input; negative for floats.
    private var sourceDepth: Int32 {
        guard inputFormat.isLinearPCM else { return 0 }
        let bits = Int32(clamping: inputFormat.mBitsPerChannel)
        return inputFormat.isFloat ? -bits : bits
    }

    /// The encoded or decoded format, the only item of the format list.
    private var formatListItem: AudioFormatListItem {
        let format = isEncoding ? outputFormat : inputFormat
        let asked = isEncoding ? request.outputLabels : request.inputLabels
        let labels = asked ?? (isEncoding ? engine.outputLabels : engine.inputLabels)
        let usual = ChannelLabels.defaults(channels: Int(format.mChannelsPerFrame))
        return AudioFormatListItem(
            mASBD: format, mChannelLayoutTag: ChannelLayout(labels: labels ?? usual).tag)
    }
}
