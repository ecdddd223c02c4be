// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import AQMagicCookies
import Testing

/// Descriptions, lists of formats, and codecs.
@Suite struct FormatDescriptionTests {
    private typealias Ask = FormatQuestion

    /// The description completed by FormatInfo.
    private func completed(
        _ format: AudioStreamBasicDescription, cookie: [UInt8] = []
    ) throws -> AudioStreamBasicDescription {
        var format = format
        var bytes = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        let count = UInt32(cookie.count)
        let status = unsafe cookie.withUnsafeBytes { memory in
            let start = count > 0 ? memory.baseAddress : nil
            return unsafe AudioFormatGetProperty(
                kAudioFormatProperty_FormatInfo, count, start, &bytes, &format)
        }
        guard status == noErr else { throw Ask.Failure(status) }
        return format
    }

    @Test(
        "FormatInfo fills in the fields that follow from the others",
        arguments: [
            (kAudioFormatMPEG4AAC, 44_100, 1024, 0), (kAudioFormatMPEG4AAC_HE, 44_100, 2048, 0),
            (kAudioFormatMPEGLayer3, 44_100, 1152, 0), (kAudioFormatMPEGLayer3, 22_050, 576, 0),
            (kAudioFormatAppleLossless, 48_000, 4096, 0), (kAudioFormatAppleIMA4, 44_100, 64, 68),
            (kAudioFormatULaw, 8000, 1, 2),
        ] as [(AudioFormatID, Double, UInt32, UInt32)])
    func formatInfo(id: AudioFormatID, rate: Double, frames: UInt32, bytes: UInt32) throws {
        let question = AudioStreamBasicDescription.encoded(
            id, framesPerPacket: 0, channels: 2, sampleRate: rate)
        let answer = try completed(question)
        expectEqual(answer.mFramesPerPacket, frames)
        expectEqual(answer.mBytesPerPacket, bytes)
        expectEqual(answer.mSampleRate, rate)
    }

    @Test("FormatInfo computes the sizes of samples")
    func linearPCM() throws {
        var question = AudioStreamBasicDescription()
        question.mFormatID = kAudioFormatLinearPCM
        (question.mChannelsPerFrame, question.mBitsPerChannel) = (6, 24)
        let answer = try completed(question)
        expectEqual(answer.mBytesPerFrame, 18)
        expectEqual(answer.mBytesPerPacket, 18)
        expectEqual(answer.mFramesPerPacket, 1)
    }

    @Test("FormatInfo reads the cookie, and returns the requested layer or the base")
    func cookie() throws {
        let cookie = try Self.highEfficiencyCookie()
        let base = try completed(
            .encoded(kAudioFormatMPEG4AAC, framesPerPacket: 0, channels: 0, sampleRate: 0), cookie: cookie)
        expectEqual(base.mSampleRate, 22_050)
        expectEqual(base.mFramesPerPacket, 1024)
        let extended = try completed(
            .encoded(kAudioFormatMPEG4AAC_HE, framesPerPacket: 0, channels: 0, sampleRate: 0), cookie: cookie)
        expectEqual(extended.mSampleRate, 44_100)
        expectEqual(extended.mFramesPerPacket, 2048)
    }

    @Test("FormatInfo refuses invalid formats, damaged cookies and too little memory")
    func badInfo() {
        let unsupported = Ask.Failure(kAudioFormatUnsupportedDataFormatError)
        #expect(throws: unsupported) { try completed(AudioStreamBasicDescription()) }
        #expect(throws: unsupported) {
            try completed(
                .encoded(kAudioFormatMPEG4AAC, framesPerPacket: 0, channels: 2, sampleRate: 0),
                cookie: [3, 255])
        }
        var (id, bytes) = (kAudioFormatMPEG4AAC, 4 as UInt32)
        unsafe expectEqual(
            AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &bytes, &id),
            kAudioFormatBadPropertySizeError)
    }

    @Test("FormatName names the encoding, the rate and the channels")
    func name() throws {
        let format = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEGLayer3, framesPerPacket: 1152, channels: 2, sampleRate: 44_100)
        try expectEqual(Ask.text(kAudioFormatProperty_FormatName, Ask.specifier(format)), format.summary)
    }

    @Test("formats whose packets vary in size, and need descriptions")
    func differing() throws {
        let pcm = AudioStreamBasicDescription.float(channels: 2, sampleRate: 48_000)
        let aac = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 48_000)
        for property in [kAudioFormatProperty_FormatIsVBR, kAudioFormatProperty_FormatIsExternallyFramed] {
            #expect(try Ask.value(property, Ask.specifier(pcm)) == 0 as UInt32)
            #expect(try Ask.value(property, Ask.specifier(aac)) == 1 as UInt32)
        }
        let dependent = kAudioFormatProperty_FormatEmploysDependentPackets
        #expect(try Ask.value(dependent, Ask.specifier(aac)) == 0 as UInt32)
        let encrypted = try Ask.value(
            kAudioFormatProperty_FormatIsEncrypted, Ask.specifier(kAudioFormatMPEG4AAC), as: UInt32.self)
        expectEqual(encrypted, 0)
    }

    @Test("FormatList has the richest layer first, and the core last")
    func formatList() throws {
        let items = try list(
            kAudioFormatProperty_FormatList, kAudioFormatMPEG4AAC_HE, cookie: Self.highEfficiencyCookie())
        expectEqual(items.map(\.mASBD.mFormatID), [kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC])
        expectEqual(items.map(\.mASBD.mSampleRate), [44_100, 22_050])
        #expect(items.allSatisfy { $0.mChannelLayoutTag == kAudioChannelLayoutTag_Stereo })
    }

    @Test("OutputFormatList has the linear PCM that decoders give")
    func outputFormatList() throws {
        let items = try list(kAudioFormatProperty_OutputFormatList, kAudioFormatULaw, cookie: [])
        expectEqual(items.count, 1)
        expectEqual(items.first?.mASBD.mFormatID, kAudioFormatLinearPCM)
        expectEqual(items.first?.mASBD.mBitsPerChannel, 16)
        #expect(throws: Ask.Failure(kAudioFormatUnsupportedDataFormatError)) {
            try list(kAudioFormatProperty_OutputFormatList, kAudioFormatAC3, cookie: [])
        }
    }

    @Test("FirstPlayableFormatFromList skips formats that cannot be decoded")
    func firstPlayable() throws {
        func item(_ id: AudioFormatID) -> AudioFormatListItem {
            AudioFormatListItem(
                mASBD: .encoded(id, framesPerPacket: 1, channels: 2, sampleRate: 8000),
                mChannelLayoutTag: kAudioChannelLayoutTag_Stereo)
        }
        let property = kAudioFormatProperty_FirstPlayableFormatFromList
        let both = Ask.specifier(item(kAudioFormatAC3)) + Ask.specifier(item(kAudioFormatULaw))
        #expect(try Ask.value(property, both) == 1 as UInt32)
        let none = Ask.specifier(item(kAudioFormatAC3))
        expectEqual(Ask.status(property, none), kAudioFormatUnsupportedDataFormatError)
        expectEqual(Ask.status(property, []), kAudioFormatBadSpecifierSizeError)
        expectEqual(Ask.status(property, Array(none.dropLast())), kAudioFormatBadSpecifierSizeError)
    }

    @Test("an ESDS has the base layer and its channels")
    func descriptor() throws {
        let cookie = try Self.highEfficiencyCookie()
        let format: AudioStreamBasicDescription = try Ask.value(kAudioFormatProperty_ASBDFromESDS, cookie)
        expectEqual(format.mFormatID, kAudioFormatMPEG4AAC)
        expectEqual(format.mSampleRate, 22_050)
        let layout = try Ask.bytes(kAudioFormatProperty_ChannelLayoutFromESDS, cookie)
        expectEqual(layout.count, 32)
        expectEqual(Array(layout.prefix(4)), Ask.specifier(kAudioChannelLayoutTag_Stereo))
        for length in 0..<cookie.count - 8 {
            #expect(Ask.status(kAudioFormatProperty_ASBDFromESDS, Array(cookie.prefix(length))) != noErr)
        }
    }

    @Test("ASBDFromMPEGPacket reads the packet's own header")
    func packet() throws {
        let property = kAudioFormatProperty_ASBDFromMPEGPacket
        #if HAVE_MPEG_AUDIO
        let layer3: AudioStreamBasicDescription = try Ask.value(property, [0xFF, 0xFB, 0x90, 0x00])
        expectEqual(layer3.mFormatID, kAudioFormatMPEGLayer3)
        expectEqual(layer3.mSampleRate, 44_100)
        expectEqual(layer3.mChannelsPerFrame, 2)
        expectEqual(layer3.mFramesPerPacket, 1152)
        #endif
        let config = try AudioSpecificConfig(sampleRate: 48_000, channels: 1)
        let aac: AudioStreamBasicDescription = try Ask.value(
            property,
            try ADTSHeader.bytes(for: config, packetBytes: 10) + [UInt8](repeating: 0x21, count: 10))
        expectEqual(aac.mFormatID, kAudioFormatMPEG4AAC)
        expectEqual(aac.mSampleRate, 48_000)
        expectEqual(aac.mChannelsPerFrame, 1)
        expectEqual(Ask.status(property, [1, 2, 3, 4]), kAudioFormatUnsupportedDataFormatError)
        expectEqual(Ask.status(property, [0xFF]), kAudioFormatBadSpecifierSizeError)
    }

    /// The cookie of HE-AAC whose core has half the rate.
    private static func highEfficiencyCookie() throws -> [UInt8] {
        var config = try AudioSpecificConfig(sampleRate: 22_050, channels: 2)
        config.extensionObjectType = 5
        config.extensionSampleRate = 44_100
        return AACCookie.cookie(for: config)
    }

    private func list(
        _ property: AudioFormatPropertyID, _ id: AudioFormatID, cookie: [UInt8]
    ) throws -> [AudioFormatListItem] {
        let format = AudioStreamBasicDescription.encoded(
            id, bytesPerPacket: id == kAudioFormatULaw ? 2 : 0, framesPerPacket: 0, channels: 2,
            sampleRate: 8000)
        return try unsafe (cookie + [0]).withUnsafeBytes { memory in
            let start = unsafe try #require(memory.baseAddress)
            let info = unsafe AudioFormatInfo(
                mASBD: format, mMagicCookie: start, mMagicCookieSize: UInt32(cookie.count))
            return try Ask.values(property, unsafe Ask.specifier(info))
        }
    }
}
