// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Testing

/// Checks that Swift sees enumeration members and flags under the published names, with the published values. Members
/// of value 0 do not exist in option sets: `[]` is used instead.
@Suite struct SwiftMemberTests {
    @Test("time stamps") func timeStamps() {
        let flags: [(AudioTimeStampFlags, UInt32)] = [
            (.sampleTimeValid, 0x1), (.hostTimeValid, 0x2), (.rateScalarValid, 0x4),
            (.wordClockTimeValid, 0x8),
            (.smpteTimeValid, 0x10), (.sampleHostTimeValid, 0x3),
        ]
        for (member, value) in flags { expectEqual(member.rawValue, value) }
        let running: [(SMPTETimeFlags, UInt32)] = [(.valid, 1), (.running, 2)]
        for (member, value) in running { expectEqual(member.rawValue, value) }
        let types: [SMPTETimeType] = [
            .type24, .type25, .type30Drop, .type30, .type2997, .type2997Drop, .type60, .type5994, .type60Drop,
            .type5994Drop, .type50, .type2398,
        ]
        expectEqual(types.map(\.rawValue), Array(0...11))
    }

    @Test("names of codecs, and the version of the types") func constants() {
        let properties: [AudioCodecPropertyID] = [
            kAudioCodecPropertyBitRateControlMode, kAudioCodecPropertySoundQualityForVBR,
        ]
        expectEqual(properties, [0x6163_6266, 0x7662_7271])
        let modes: [UInt32] = [
            kAudioCodecBitRateControlMode_Constant, kAudioCodecBitRateControlMode_LongTermAverage,
            kAudioCodecBitRateControlMode_VariableConstrained, kAudioCodecBitRateControlMode_Variable,
        ]
        expectEqual(modes, [0, 1, 2, 3])
        expectEqual(kAudioCodecQuality_Max, kAudioConverterQuality_Max)
        let result: OSStatus = kAudioCodecStateError
        expectEqual(result, 0x2173_7474)
        expectEqual(COREAUDIOTYPES_VERSION, 20_210_401)
    }

    @Test("MPEG-4 object types") func objectTypes() {
        let types: [MPEG4ObjectID] = [
            .aac_Main, .AAC_LC, .AAC_SSR, .AAC_LTP, .AAC_SBR, .aac_Scalable, .twinVQ, .CELP, .HVXC,
        ]
        expectEqual(types.map(\.rawValue), Array(1...9))
    }

    @Test("channel bitmaps") func channelBitmaps() {
        let bits: [(AudioChannelBitmap, UInt32)] = [
            (.bit_Left, 0), (.bit_Right, 1), (.bit_Center, 2), (.bit_LFEScreen, 3), (.bit_LeftSurround, 4),
            (.bit_RightSurround, 5), (.bit_LeftCenter, 6), (.bit_RightCenter, 7), (.bit_CenterSurround, 8),
            (.bit_LeftSurroundDirect, 9), (.bit_RightSurroundDirect, 10), (.bit_TopCenterSurround, 11),
            (.bit_VerticalHeightLeft, 12), (.bit_VerticalHeightCenter, 13), (.bit_VerticalHeightRight, 14),
            (.bit_TopBackLeft, 15), (.bit_TopBackCenter, 16), (.bit_TopBackRight, 17),
            (.bit_LeftTopFront, 12),
            (.bit_CenterTopFront, 13), (.bit_RightTopFront, 14), (.bit_LeftTopMiddle, 21),
            (.bit_CenterTopMiddle, 11), (.bit_RightTopMiddle, 23), (.bit_LeftTopRear, 24),
            (.bit_CenterTopRear, 25), (.bit_RightTopRear, 26),
        ]
        for (member, bit) in bits { #expect(member.rawValue == 1 << bit) }
    }

    @Test("channel descriptions") func channelDescriptions() {
        let flags: [(AudioChannelFlags, UInt32)] = [
            (.rectangularCoordinates, 1), (.sphericalCoordinates, 2), (.meters, 4),
        ]
        for (member, value) in flags { expectEqual(member.rawValue, value) }
        let indices: [(AudioChannelCoordinateIndex, UInt32)] = [
            (.coordinates_LeftRight, 0), (.coordinates_BackFront, 1), (.coordinates_DownUp, 2),
            (.coordinates_Azimuth, 0), (.coordinates_Elevation, 1), (.coordinates_Distance, 2),
        ]
        for (member, value) in indices { expectEqual(member.rawValue, value) }
    }

    @Test("queues") func queues() {
        let flags: [(AudioQueueProcessingTapFlags, UInt32)] = [
            (.preEffects, 0x1), (.postEffects, 0x2), (.siphon, 0x4), (.startOfStream, 0x100),
            (.endOfStream, 0x200),
        ]
        for (member, value) in flags { expectEqual(member.rawValue, value) }
    }

    @Test("files") func files() {
        let permissions: [AudioFilePermissions] = [.readPermission, .writePermission, .readWritePermission]
        expectEqual(permissions.map(\.rawValue), [Int8]([1, 2, 3]))
        let flags: [(AudioFileFlags, UInt32)] = [(.eraseFile, 1), (.dontPageAlignAudioData, 2)]
        for (member, value) in flags { expectEqual(member.rawValue, value) }
        let regions: [(AudioFileRegionFlags, UInt32)] = [
            (.loopEnable, 1), (.playForward, 2), (.playBackward, 4),
        ]
        for (member, value) in regions { expectEqual(member.rawValue, value) }
        let translation: AudioBytePacketTranslationFlags = .bytePacketTranslationFlag_IsEstimate
        expectEqual(translation.rawValue, 1)
    }

    @Test("streams") func streams() {
        let flags: [(AudioFileStreamPropertyFlags, UInt32)] = [(.propertyIsCached, 1), (.cacheProperty, 2)]
        for (member, value) in flags { expectEqual(member.rawValue, value) }
        let parse: AudioFileStreamParseFlags = .discontinuity
        expectEqual(parse.rawValue, 1)
        let seek: AudioFileStreamSeekFlags = .offsetIsEstimated
        expectEqual(seek.rawValue, 1)
    }

    @Test("converters and formats") func convertersAndFormats() {
        let option: AudioConverterOptions = .unbuffered
        expectEqual(option.rawValue, 0x10000)
        let modes: [AudioPanningMode] = [.panningMode_SoundField, .panningMode_VectorBasedPanning]
        expectEqual(modes.map(\.rawValue), [UInt32]([3, 4]))
        let fades: [AudioBalanceFadeType] = [.maxUnityGain, .equalPower]
        expectEqual(fades.map(\.rawValue), [UInt32]([0, 1]))
    }

    @Test("units") func units() {
        let components: [(AudioComponentFlags, UInt32)] = [
            (.unsearchable, 1), (.sandboxSafe, 2), (.isV3AudioUnit, 4), (.requiresAsyncInstantiation, 8),
            (.canLoadInProcess, 0x10),
        ]
        for (member, value) in components { expectEqual(member.rawValue, value) }
        let actions: [(AudioUnitRenderActionFlags, UInt32)] = [
            (.unitRenderAction_PreRender, 0x4), (.unitRenderAction_PostRender, 0x8),
            (.unitRenderAction_OutputIsSilence, 0x10), (.offlineUnitRenderAction_Preflight, 0x20),
            (.offlineUnitRenderAction_Render, 0x40), (.offlineUnitRenderAction_Complete, 0x80),
            (.unitRenderAction_PostRenderError, 0x100), (.unitRenderAction_DoNotCheckRenderArgs, 0x200),
        ]
        for (member, value) in actions { expectEqual(member.rawValue, value) }
        let events: [AUParameterEventType] = [.parameterEvent_Immediate, .parameterEvent_Ramped]
        expectEqual(events.map(\.rawValue), [UInt32]([1, 2]))
        let levels: [AUVoiceIOOtherAudioDuckingLevel] = [.default, .min, .mid, .max]
        expectEqual(levels.map(\.rawValue), [UInt32]([0, 10, 20, 30]))
    }
}
