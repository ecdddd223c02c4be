// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing

/// Gains and maps between layouts.
@Suite struct FormatMixingTests {
    private typealias Ask = FormatQuestion

    @Test("MatrixMixMap has a row for each input and a column for each output")
    func mixMap() throws {
        let mono = Ask.layout(tag: kAudioChannelLayoutTag_Mono)
        let surround = Ask.layout(tag: kAudioChannelLayoutTag_MPEG_5_1_A)
        let stereo = Ask.layout(tag: kAudioChannelLayoutTag_Stereo)
        let up: [Float] = try Ask.pair(mono, stereo) { try Ask.values(kAudioFormatProperty_MatrixMixMap, $0) }
        expectEqual(up, [1, 1])
        let down: [Float] = try Ask.pair(surround, stereo) {
            try Ask.values(kAudioFormatProperty_MatrixMixMap, $0)
        }
        expectEqual(down.count, 12)
        #expect(down[0] > 0 && down[1] == 0, "left stays left")
        expectEqual(down[4], down[5], "the centre goes to both sides alike")
        #expect(down[6] == 0 && down[7] == 0, "low frequencies are dropped")
    }

    @Test("ChannelMap returns the source of each output")
    func channelMap() throws {
        let input = Ask.layout(tag: kAudioChannelLayoutTag_MPEG_5_1_A)
        let output = Ask.layout(tag: kAudioChannelLayoutTag_MPEG_7_1_C)
        let map: [Int32] = try Ask.pair(input, output) { try Ask.values(kAudioFormatProperty_ChannelMap, $0) }
        expectEqual(map, [0, 1, 2, 3, 4, 5, -1, -1])
    }

    @Test("unknown layouts, and layouts that are too large, are refused")
    func hostilePairs() throws {
        let property = kAudioFormatProperty_MatrixMixMap
        expectEqual(Ask.status(property, Ask.specifier(0 as UInt)), kAudioFormatBadSpecifierSizeError)
        expectEqual(Ask.status(property, [UInt8](repeating: 0, count: 16)), kAudio_ParamError)
        let stereo = Ask.layout(tag: kAudioChannelLayoutTag_Stereo)
        let endless = Ask.layout([], promised: .max)
        #expect(throws: Ask.Failure(kAudio_ParamError)) {
            try Ask.pair(stereo, endless) { try Ask.bytes(property, $0) }
        }
    }

    @Test(
        "layouts whose tag exceeds any format are refused before memory is allocated",
        arguments: [kAudioFormatProperty_MatrixMixMap, kAudioFormatProperty_ChannelMap])
    func hugeTags(property: AudioFormatPropertyID) throws {
        let stereo = Ask.layout(tag: kAudioChannelLayoutTag_Stereo)
        let huge = Ask.layout(tag: kAudioChannelLayoutTag_DiscreteInOrder | 0xFFFF)
        for (input, output) in [(huge, huge), (stereo, huge), (huge, stereo)] {
            #expect(throws: Ask.Failure(kAudio_ParamError)) {
                try Ask.pair(input, output) { try Ask.bytes(property, $0) }
            }
        }
        let large = Ask.layout(tag: kAudioChannelLayoutTag_DiscreteInOrder | 1024)
        let count = try Ask.pair(large, stereo) { try Ask.bytes(property, $0) }.count
        expectEqual(count, (property == kAudioFormatProperty_ChannelMap ? 2 * 4 : 2 * 1024 * 4))
    }

    @Test(
        "BalanceFade attenuates the other side",
        arguments: [
            (-1, 0, [1, 0]), (1, 0, [0, 1]), (0, 0, [1, 1]), (0.5, 0, [0.5, 1]), (7, 0, [0, 1]),
        ] as [(Float, Float, [Float])])
    func balance(position: Float, fade: Float, expected: [Float]) throws {
        let gains = try balanceGains(
            kAudioChannelLayoutTag_Stereo, balance: position, fade: fade, type: .maxUnityGain)
        expectEqual(gains, expected)
    }

    @Test("BalanceFade of equal power keeps the power, and adds 3 dB at the end")
    func equalPower() throws {
        for position in stride(from: -1, through: 1, by: 0.25) as StrideThrough<Float> {
            let gains = try balanceGains(
                kAudioChannelLayoutTag_Stereo, balance: position, fade: 0, type: .equalPower)
            #expect(abs(gains[0] * gains[0] + gains[1] * gains[1] - 2) < 1e-5)
        }
        let left = try balanceGains(kAudioChannelLayoutTag_Stereo, balance: -1, fade: 0, type: .equalPower)
        #expect(abs(left[0] - 1.414_213_5) < 1e-5)
    }

    @Test("BalanceFade to the front silences the rear, and does not change LFE")
    func fade() throws {
        let gains = try balanceGains(
            kAudioChannelLayoutTag_MPEG_5_1_A, balance: 0, fade: 1, type: .maxUnityGain)
        expectEqual(gains, [1, 1, 1, 1, 0, 0])
    }

    @Test(
        "PanningMatrix puts a source between two loudspeakers, at a power of 1",
        arguments: [
            AudioPanningMode.panningMode_VectorBasedPanning, .panningMode_SoundField,
        ])
    func panning(mode: AudioPanningMode) throws {
        let middle = try panningGains(mode, azimuth: 0)
        #expect(abs(middle[0] - middle[1]) < 1e-5)
        #expect(abs(middle[0] * middle[0] + middle[1] * middle[1] - 1) < 1e-5)
        let left = try panningGains(mode, azimuth: -30)
        #expect(left[0] > left[1])
        let scaled = try panningGains(mode, azimuth: 0, scale: 0.5)
        #expect(abs(scaled[0] - middle[0] / 2) < 1e-5)
    }

    @Test("PanningMatrix by vectors keeps far loudspeakers silent, and the nearest plays the rear")
    func vectors() throws {
        let mode = AudioPanningMode.panningMode_VectorBasedPanning
        let right = try panningGains(mode, azimuth: 30)
        #expect(abs(right[0]) < 1e-5 && abs(right[1] - 1) < 1e-5)
        try expectEqual(panningGains(mode, azimuth: -160), [1, 0])
        let surround = try panningGains(mode, azimuth: 15, tag: kAudioChannelLayoutTag_MPEG_5_1_A)
        #expect(surround[0] == 0 && surround[3] == 0 && surround[4] == 0 && surround[5] == 0)
        #expect(abs(surround[1] - surround[2]) < 1e-5)
    }

    @Test("PanningMatrix refuses values that are not finite, and unknown modes")
    func badPanning() {
        let mode = AudioPanningMode.panningMode_SoundField
        #expect(throws: Ask.Failure(kAudio_ParamError)) { try panningGains(mode, azimuth: .nan) }
        #expect(throws: Ask.Failure(kAudio_ParamError)) {
            try panningGains(mode, azimuth: 0, scale: .infinity)
        }
        #expect(throws: Ask.Failure(kAudioFormatUnsupportedDataFormatError)) {
            try panningGains(try #require(AudioPanningMode(rawValue: 77)), azimuth: 0)
        }
    }

    private func balanceGains(
        _ tag: AudioChannelLayoutTag, balance: Float, fade: Float, type: AudioBalanceFadeType
    ) throws -> [Float] {
        try unsafe Ask.layout(tag: tag).withUnsafeBytes { layout in
            let start = unsafe try #require(layout.baseAddress)
            let question = unsafe AudioBalanceFade(
                mLeftRightBalance: balance, mBackFrontFade: fade, mType: type,
                mChannelLayout: start.assumingMemoryBound(to: AudioChannelLayout.self))
            return try Ask.values(kAudioFormatProperty_BalanceFade, unsafe Ask.specifier(question))
        }
    }

    private func panningGains(
        _ mode: AudioPanningMode, azimuth: Float, scale: Float = 1,
        tag: AudioChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    ) throws -> [Float] {
        try unsafe Ask.layout(tag: tag).withUnsafeBytes { layout in
            let start = unsafe try #require(layout.baseAddress)
            let question = unsafe AudioPanningInfo(
                mPanningMode: mode, mCoordinateFlags: AudioChannelFlags.sphericalCoordinates.rawValue,
                mCoordinates: (azimuth, 0, 1), mGainScale: scale,
                mOutputChannelMap: start.assumingMemoryBound(to: AudioChannelLayout.self))
            return try Ask.values(kAudioFormatProperty_PanningMatrix, unsafe Ask.specifier(question))
        }
    }
}
