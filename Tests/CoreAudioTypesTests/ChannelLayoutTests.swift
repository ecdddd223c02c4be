// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing

@Suite("Channel layouts")
struct ChannelLayoutTests {
    @Test("default labels follow the WAVE order", arguments: 1...8)
    func defaults(channels: Int) {
        let labels = ChannelLabels.defaults(channels: channels)
        expectEqual(labels.count, channels)
        expectEqual(Set(labels).count, channels)
        if channels > 1 { #expect(ChannelLabels.waveMask(of: labels) != nil) }
    }

    @Test("labels for odd numbers of channels")
    func defaultExtremes() {
        expectEqual(ChannelLabels.defaults(channels: 0), [])
        expectEqual(ChannelLabels.defaults(channels: -5), [])
        expectEqual(ChannelLabels.defaults(channels: 1), [kAudioChannelLabel_Mono])
        expectEqual(ChannelLabels.defaults(channels: 9).last, kAudioChannelLabel_Discrete_8)
    }

    @Test(
        "WAVE masks and labels convert both ways",
        arguments: [0x3, 0x4, 0x33, 0x3F, 0x63F, 0x70F, 0x3FFFF] as [UInt32])
    func masks(mask: UInt32) {
        let labels = ChannelLabels.labels(ofWaveMask: mask)
        expectEqual(labels.count, mask.nonzeroBitCount)
        expectEqual(ChannelLabels.waveMask(of: labels), mask)
    }

    @Test("labels without a WAVE mask have none")
    func noMask() throws {
        expectEqual(ChannelLabels.waveMask(of: [kAudioChannelLabel_Right, kAudioChannelLabel_Left]), nil)
        expectEqual(ChannelLabels.waveMask(of: [kAudioChannelLabel_Left, kAudioChannelLabel_Left]), nil)
        expectEqual(ChannelLabels.waveMask(of: [kAudioChannelLabel_RearSurroundLeft]), nil)
        // 7.1, whose surrounds are side channels because there are rear channels.
        let labels = try ChannelLayout(tag: kAudioChannelLayoutTag_WAVE_7_1).labels
        #expect(labels.contains(kAudioChannelLabel_RearSurroundLeft))
        expectEqual(ChannelLabels.waveMask(of: labels), 0x63F)
        expectEqual(ChannelLabels.labels(ofWaveMask: 0x8000_0000), [])
        expectEqual(ChannelLabels.labels(ofWaveMask: .max).count, 18)
    }

    @Test("a tag names its channels")
    func tags() throws {
        try expectEqual(
            ChannelLayout(tag: kAudioChannelLayoutTag_MPEG_5_1_A).labels,
            [
                kAudioChannelLabel_Left, kAudioChannelLabel_Right, kAudioChannelLabel_Center,
                kAudioChannelLabel_LFEScreen, kAudioChannelLabel_LeftSurround,
                kAudioChannelLabel_RightSurround,
            ])
        expectEqual(
            ChannelLayoutTags.labels(of: kAudioChannelLayoutTag_DiscreteInOrder | 3),
            [
                kAudioChannelLabel_Discrete_0, kAudioChannelLabel_Discrete_1, kAudioChannelLabel_Discrete_2,
            ])
        expectEqual(ChannelLayoutTags.labels(of: kAudioChannelLayoutTag_Unknown | 65535)?.count, 65535)
        #expect(throws: ChannelLayoutError.self) { try ChannelLayout(tag: 0x1234_0005) }
        expectEqual(
            ChannelLayoutTags.tag(of: ChannelLabels.defaults(channels: 6)), kAudioChannelLayoutTag_MPEG_5_1_A)
        expectEqual(ChannelLayoutTags.tag(of: []), nil)
    }

    @Test("every published tag but one names as many channels as its low 16 bits count")
    func counts() {
        for number in UInt32(100)...219 {
            var isNamed = false
            for channels in UInt32(0)...64 {
                guard let labels = ChannelLayoutTags.labels(of: number << 16 | channels) else { continue }
                expectEqual(labels.count, Int(channels))
                #expect(!labels.contains(kAudioChannelLabel_Unknown))
                isNamed = true
            }
            expectEqual(isNamed, (number != kAudioChannelLayoutTag_CICP_13 >> 16), "\(number)")
        }
        expectEqual(ChannelLayoutTags.labels(of: kAudioChannelLayoutTag_UseChannelDescriptions), nil)
        expectEqual(ChannelLayoutTags.labels(of: kAudioChannelLayoutTag_UseChannelBitmap), nil)
    }

    @Test("a bitmap names its channels in the order of the bits")
    func bitmap() {
        let layout = ChannelLayout(bitmap: [.bit_Right, .bit_Left, .bit_RightTopRear])
        expectEqual(
            layout.labels,
            [
                kAudioChannelLabel_Left, kAudioChannelLabel_Right, kAudioChannelLabel_RightTopRear,
            ])
        expectEqual(ChannelLayout(bitmap: [.bit_Left, .bit_Right]).tag, kAudioChannelLayoutTag_Stereo)
        expectEqual(ChannelLayout(bitmap: AudioChannelBitmap(rawValue: .max)).channels, 32)
    }

    private func read(_ words: [UInt32], bytes: Int? = nil, misaligned: Bool = false) throws -> ChannelLayout
    {
        var memory = misaligned ? [UInt8(0)] : []
        for word in words { unsafe memory.append(contentsOf: withUnsafeBytes(of: word) { unsafe Array($0) }) }
        let start = misaligned ? 1 : 0
        return try unsafe memory.withUnsafeBytes {
            try unsafe ChannelLayout(
                copying: UnsafeRawBufferPointer(rebasing: $0[start..<(bytes.map { $0 + start } ?? $0.count)]))
        }
    }

    @Test("descriptions are read from memory of any alignment", arguments: [false, true])
    func descriptions(misaligned: Bool) throws {
        let x = Float(0.5).bitPattern
        let layout = try read([0, 0, 2, 1, 0, 0, 0, 0, 2, 1, x, 0, 0], misaligned: misaligned)
        expectEqual(layout.labels, [kAudioChannelLabel_Left, kAudioChannelLabel_Right])
        expectEqual(layout.descriptions[1], .init(label: 2, flags: 1, coordinates: SIMD3(0.5, 0, 0)))
        expectEqual(layout.tag, kAudioChannelLayoutTag_UseChannelDescriptions)
    }

    @Test("a layout that promises more than its memory holds is refused", arguments: 0..<52)
    func truncated(bytes: Int) {
        #expect(throws: ChannelLayoutError.self) {
            try read([0, 0, 2, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0], bytes: bytes)
        }
    }

    @Test("a hostile count allocates nothing")
    func hostileCount() {
        #expect(throws: ChannelLayoutError.self) { try read([0, 0, .max, 1, 0, 0, 0, 0]) }
    }
}
