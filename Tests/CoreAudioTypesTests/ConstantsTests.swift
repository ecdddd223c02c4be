import CoreAudioTypes
import Testing

@Suite("Published constants")
struct ConstantsTests {
    static let formatIDs: [(AudioFormatID, UInt32)] = [
        (kAudioFormatLinearPCM, 1819304813),
        (kAudioFormatAC3, 1633889587),
        (kAudioFormat60958AC3, 1667326771),
        (kAudioFormatAppleIMA4, 1768775988),
        (kAudioFormatMPEG4AAC, 1633772320),
        (kAudioFormatMPEG4CELP, 1667591280),
        (kAudioFormatMPEG4HVXC, 1752594531),
        (kAudioFormatMPEG4TwinVQ, 1953986161),
        (kAudioFormatMACE3, 1296122675),
        (kAudioFormatMACE6, 1296122678),
        (kAudioFormatULaw, 1970037111),
        (kAudioFormatALaw, 1634492791),
        (kAudioFormatQDesign, 1363430723),
        (kAudioFormatQDesign2, 1363430706),
        (kAudioFormatQUALCOMM, 1365470320),
        (kAudioFormatMPEGLayer1, 778924081),
        (kAudioFormatMPEGLayer2, 778924082),
        (kAudioFormatMPEGLayer3, 778924083),
        (kAudioFormatTimeCode, 1953066341),
        (kAudioFormatMIDIStream, 1835623529),
        (kAudioFormatParameterValueStream, 1634760307),
        (kAudioFormatAppleLossless, 1634492771),
        (kAudioFormatMPEG4AAC_HE, 1633772392),
        (kAudioFormatMPEG4AAC_LD, 1633772396),
        (kAudioFormatMPEG4AAC_ELD, 1633772389),
        (kAudioFormatMPEG4AAC_ELD_SBR, 1633772390),
        (kAudioFormatMPEG4AAC_ELD_V2, 1633772391),
        (kAudioFormatMPEG4AAC_HE_V2, 1633772400),
        (kAudioFormatMPEG4AAC_Spatial, 1633772403),
        (kAudioFormatMPEGD_USAC, 1970495843),
        (kAudioFormatAMR, 1935764850),
        (kAudioFormatAMR_WB, 1935767394),
        (kAudioFormatAudible, 1096107074),
        (kAudioFormatiLBC, 1768710755),
        (kAudioFormatDVIIntelIMA, 1836253201),
        (kAudioFormatMicrosoftGSM, 1836253233),
        (kAudioFormatAES3, 1634038579),
        (kAudioFormatEnhancedAC3, 1700998451),
        (kAudioFormatFLAC, 1718378851),
        (kAudioFormatOpus, 1869641075),
        (kAudioFormatAPAC, 1634754915),
    ]

    @Test("format IDs have the published numbers", arguments: formatIDs)
    func formatID(constant: AudioFormatID, published: UInt32) {
        #expect(constant == published)
    }

    static let flags: [(AudioFormatFlags, UInt32)] = [
        (kAudioFormatFlagIsFloat, 0x1), (kAudioFormatFlagIsBigEndian, 0x2),
        (kAudioFormatFlagIsSignedInteger, 0x4),
        (kAudioFormatFlagIsPacked, 0x8), (kAudioFormatFlagIsAlignedHigh, 0x10),
        (kAudioFormatFlagIsNonInterleaved, 0x20), (kAudioFormatFlagIsNonMixable, 0x40),
        (kAudioFormatFlagsAreAllClear, 0x8000_0000), (kLinearPCMFormatFlagIsFloat, 0x1),
        (kLinearPCMFormatFlagIsBigEndian, 0x2), (kLinearPCMFormatFlagIsSignedInteger, 0x4),
        (kLinearPCMFormatFlagIsPacked, 0x8), (kLinearPCMFormatFlagIsAlignedHigh, 0x10),
        (kLinearPCMFormatFlagIsNonInterleaved, 0x20), (kLinearPCMFormatFlagsSampleFractionShift, 7),
        (kLinearPCMFormatFlagsSampleFractionMask, 0x1F80), (kAppleLosslessFormatFlag_16BitSourceData, 1),
        (kAppleLosslessFormatFlag_20BitSourceData, 2), (kAppleLosslessFormatFlag_24BitSourceData, 3),
        (kAppleLosslessFormatFlag_32BitSourceData, 4), (kAudioFormatFlagsNativeFloatPacked, 0x9),
        (kAudioFormatFlagsCanonical, 0x9), (kAudioFormatFlagsAudioUnitCanonical, 0x29),
    ]

    @Test("format flags have the published bits", arguments: flags)
    func formatFlag(constant: AudioFormatFlags, published: UInt32) {
        #expect(constant == published)
    }

    static let errors: [(OSStatus, Int32)] = [
        (noErr, 0), (kAudio_NoError, 0), (kAudio_UnimplementedError, -4), (kAudio_FileNotFoundError, -43),
        (kAudio_TooManyFilesOpenError, -42), (kAudio_ParamError, -50), (kAudio_FilePermissionError, -54),
        (kAudio_MemFullError, -108), (kAudio_BadFilePathError, 561_017_960),
    ]

    @Test("errors have the published numbers", arguments: errors)
    func error(constant: OSStatus, published: Int32) {
        #expect(constant == published)
    }

    @Test("flags and enumerations import with their published Swift names")
    func swiftNames() {
        let all: AudioTimeStampFlags = [
            .sampleTimeValid, .hostTimeValid, .rateScalarValid, .wordClockTimeValid, .smpteTimeValid,
        ]
        #expect(all.rawValue == 0x1F)
        #expect(AudioTimeStampFlags.sampleHostTimeValid.rawValue == 0x3)
        #expect(([.valid, .running] as SMPTETimeFlags).rawValue == 0x3)
        let types: [SMPTETimeType] = [
            .type24, .type25, .type30Drop, .type30, .type2997, .type2997Drop, .type60, .type5994, .type60Drop,
            .type5994Drop, .type50, .type2398,
        ]
        #expect(types.map(\.rawValue) == Array(0...11))
        let channelFlags: AudioChannelFlags = [.rectangularCoordinates, .sphericalCoordinates, .meters]
        #expect(channelFlags.rawValue == 0x7)
        #expect(
            ([.bit_Left, .bit_TopBackRight, .bit_RightTopRear] as AudioChannelBitmap).rawValue == 0x402_0001)
        #expect(AudioChannelCoordinateIndex.coordinates_DownUp.rawValue == 2)
        let objects: [MPEG4ObjectID] = [
            .aac_Main, .AAC_LC, .AAC_SSR, .AAC_LTP, .AAC_SBR, .aac_Scalable, .twinVQ, .CELP, .HVXC,
        ]
        #expect(objects.map(\.rawValue) == Array(1...9))
    }

    @Test("channel labels have the published numbers")
    func labels() {
        #expect(kAudioChannelLabel_Unknown == 4_294_967_295)
        #expect(kAudioChannelLabel_TopBackRight == 18)
        #expect(kAudioChannelLabel_RearSurroundLeft == 33)
        #expect(kAudioChannelLabel_Mono == 42)
        #expect(kAudioChannelLabel_Haptic == 45)
        #expect(kAudioChannelLabel_LeftTopMiddle == 49)
        #expect(kAudioChannelLabel_RightEdgeOfScreen == 66)
        #expect(kAudioChannelLabel_UseCoordinates == 100)
        #expect(kAudioChannelLabel_Ambisonic_Z == 203)
        #expect(kAudioChannelLabel_HeadphonesRight == 302)
        #expect(kAudioChannelLabel_Discrete_15 == 65551)
        #expect(kAudioChannelLabel_Discrete_65535 == 131_071)
        #expect(kAudioChannelLabel_HOA_ACN_65024 == 196_096)
        #expect(kAudioChannelLabel_HOA_N3D == 196_608)
        #expect(kAudioChannelLabel_EndReserved == 4_294_967_294)
    }
}
