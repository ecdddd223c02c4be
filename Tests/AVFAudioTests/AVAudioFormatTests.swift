// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AudioToolbox
import CoreMedia
import Foundation
import AQTestSupport
import Testing

@Suite("AVAudioFormat") struct AVAudioFormatTests {
    @Test("standard formats are 32-bit floats with a buffer for each channel") func standard() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let asbd = unsafe format.streamDescription.pointee
        #expect(asbd.mFormatFlags == 0x29 && asbd.mBytesPerFrame == 4 && asbd.mBitsPerChannel == 32)
        #expect(format.isStandard && !format.isInterleaved)
        expectEqual(format.commonFormat, .pcmFormatFloat32)
        #expect((format.sampleRate, format.channelCount) == (44_100, 2))
        expectEqual(format.channelLayout, nil)
    }

    @Test(
        "common formats have their flags and sizes",
        arguments: [
            (AVAudioCommonFormat.pcmFormatFloat32, true, 0x09, 8), (.pcmFormatFloat64, true, 0x09, 16),
            (.pcmFormatInt16, true, 0x0C, 4), (.pcmFormatInt16, false, 0x2C, 2),
            (.pcmFormatInt32, true, 0x0C, 8),
        ])
    func common(kind: AVAudioCommonFormat, isInterleaved: Bool, flags: Int, bytes: Int) throws {
        let format = try #require(
            AVAudioFormat(commonFormat: kind, sampleRate: 16_000, channels: 2, interleaved: isInterleaved))
        let asbd = unsafe format.streamDescription.pointee
        #expect(asbd.mFormatFlags == UInt32(flags) && asbd.mBytesPerFrame == UInt32(bytes))
        #expect(format.commonFormat == kind && format.isInterleaved == isInterleaved)
        let again = try #require(unsafe AVAudioFormat(streamDescription: format.streamDescription))
        #expect(again == format && again.hash == format.hash)
    }

    @Test("more than two channels need a layout") func layouts() throws {
        expectEqual(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 3), nil)
        expectEqual(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 6, interleaved: true),
            nil)
        expectEqual(
            AVAudioFormat(commonFormat: .otherFormat, sampleRate: 48_000, channels: 1, interleaved: true), nil
        )
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
        #expect(format.channelCount == 6 && format.channelLayout === layout)
        var asbd = unsafe format.streamDescription.pointee
        unsafe expectEqual(AVAudioFormat(streamDescription: &asbd), nil)
        unsafe expectEqual(AVAudioFormat(streamDescription: &asbd, channelLayout: layout), format)
        asbd.mChannelsPerFrame = 5
        unsafe expectEqual(AVAudioFormat(streamDescription: &asbd, channelLayout: layout), nil)
        expectEqual(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelDescriptions), nil)
        let discrete = try #require(
            AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | 16))
        expectEqual(discrete.channelCount, 16)
    }

    @Test("a format of 0 Hz without channels exists") func empty() {
        expectEqual(AVAudioFormat(standardFormatWithSampleRate: 0, channels: 0)?.channelCount, 0)
    }

    @Test("for one channel interleaving does not matter, and a layout of stereo equals none") func equality()
        throws
    {
        func make(_ channels: AVAudioChannelCount, _ isInterleaved: Bool) throws -> AVAudioFormat {
            try #require(
                AVAudioFormat(
                    commonFormat: .pcmFormatFloat32, sampleRate: 48_000, channels: channels,
                    interleaved: isInterleaved))
        }
        try expectEqual(make(1, true), make(1, false))
        #expect(try make(2, true) != make(2, false))
        let stereo = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
        try expectEqual(
            AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: stereo), make(2, false))
        let binaural = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Binaural))
        #expect(
            try AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: binaural) != make(2, false)
        )
        #expect(try make(1, true) != NSNumber(value: 1) as NSObject)
    }

    @Test("floating-point samples of 16 bits are a format, of which no file and no converter is made")
    func halfFloats() throws {
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1,
            AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: true,
        ]
        let format = try #require(AVAudioFormat(settings: settings))
        let asbd = unsafe format.streamDescription.pointee
        #expect(format.commonFormat == .otherFormat && !format.isStandard)
        #expect(asbd.isFloat && asbd.mBitsPerChannel == 16 && asbd.mBytesPerFrame == 2)
        let standard = try #require(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1))
        expectEqual(AVAudioConverter(from: format, to: standard), nil)
        expectEqual(AVAudioConverter(from: standard, to: format), nil)
        let url = URL(fileURLWithPath: ScratchFolder().file("a.caf"))
        let error = #expect(throws: NSError.self) { try AVAudioFile(forWriting: url, settings: settings) }
        expectEqual(error?.code, Int(kAudioFormatUnsupportedDataFormatError))
        expectEqual(
            error?.localizedDescription,
            "cannot create 'a.caf': no file contains floating-point samples of 16 bits")
        #expect(throws: NSError.self) { try AVAudioRecorder(url: url, settings: settings) }
    }

    @Test("formats and buffers without anything are placeholders") func placeholders() throws {
        let format = AVAudioFormat()
        #expect(format.channelCount == 0 && format.sampleRate == 0 && format.commonFormat == .otherFormat)
        let standard = try #require(AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1))
        #expect(format != standard && format == AVAudioFormat())
        expectEqual(AVAudioConverter(from: format, to: standard), nil)
        expectEqual(AVAudioConverter(from: standard, to: format), nil)
        expectEqual(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1), nil)
        let buffer = AVAudioBuffer()
        unsafe expectEqual(buffer.audioBufferList.pointee.mNumberBuffers, 0)
        withExtendedLifetime(buffer) {}
        let samples = AVAudioPCMBuffer()
        samples.frameLength = 5
        #expect(samples.frameLength == 0 && samples.frameCapacity == 0 && samples.stride <= 1)
        unsafe expectEqual(samples.floatChannelData, nil)
        expectEqual((samples.copy() as? AVAudioPCMBuffer)?.frameCapacity, 0)
        let packets = AVAudioCompressedBuffer()
        #expect(packets.packetCapacity == 0 && packets.byteCapacity == 0)
        let folder = ScratchFolder()
        let file = try AVAudioFile(
            forWriting: URL(fileURLWithPath: folder.file("a.caf")), settings: standard.settings)
        #expect(throws: NSError.self) { try file.write(from: samples) }
    }

    @Test("settings have numbers of any type") func settings() throws {
        let wanted = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true))
        let variants: [[String: Any]] = [
            [AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1],
            [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16_000.0,
                AVNumberOfChannelsKey: UInt32(1),
                AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: 0,
            ],
            [
                AVFormatIDKey: NSNumber(value: kAudioFormatLinearPCM),
                AVSampleRateKey: NSNumber(value: 16_000.0),
                AVNumberOfChannelsKey: NSNumber(value: 1), AVLinearPCMBitDepthKey: NSNumber(value: 16),
                AVEncoderBitRateKey: 128_000, AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
            ],
        ]
        for variant in variants { expectEqual(AVAudioFormat(settings: variant), wanted) }
        for (key, value) in [
            (AVLinearPCMBitDepthKey, 7 as Any), (AVLinearPCMBitDepthKey, 64), (AVSampleRateKey, "fast"),
            (AVNumberOfChannelsKey, 3), (AVNumberOfChannelsKey, -1),
        ] {
            var wrong = variants[0]
            wrong[key] = value
            expectEqual(AVAudioFormat(settings: wrong), nil, "\(key)")
        }
        expectEqual(AVAudioFormat(settings: [:]), nil)
    }

    @Test("settings of a format make it again, and are numbers of any type for the client") func ownSettings()
        throws
    {
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Quadraphonic))
        for format in [
            try #require(AVAudioFormat(standardFormatWithSampleRate: 22_050, channels: 1)),
            AVAudioFormat(
                commonFormat: .pcmFormatInt16, sampleRate: 48_000, interleaved: true, channelLayout: layout),
        ] {
            let settings = format.settings
            expectEqual(AVAudioFormat(settings: settings), format)
            #expect(settings[AVSampleRateKey] as? Double == format.sampleRate)
            #expect(settings[AVNumberOfChannelsKey] as? Int == Int(format.channelCount))
            expectEqual((settings[AVFormatIDKey] as? NSNumber)?.uint32Value, kAudioFormatLinearPCM)
            #expect(settings[AVLinearPCMIsFloatKey] as? Bool == (format.commonFormat == .pcmFormatFloat32))
        }
    }

    @Test("a description for sample buffers has the format, the layout and the cookie") func description()
        throws
    {
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_0_A))
        let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channelLayout: layout)
        format.magicCookie = Data([1, 2, 3])
        let again = AVAudioFormat(cmAudioFormatDescription: format.formatDescription)
        #expect(again == format && again.magicCookie == Data([1, 2, 3]))
        expectEqual(again.channelLayout?.layoutTag, kAudioChannelLayoutTag_MPEG_5_0_A)
    }

    @Test("archives keep a format") func archive() throws {
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_0_A))
        let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channelLayout: layout)
        let data = try NSKeyedArchiver.archivedData(withRootObject: format, requiringSecureCoding: true)
        try expectEqual(NSKeyedUnarchiver.unarchivedObject(ofClass: AVAudioFormat.self, from: data), format)
    }

    @Test("its text names channels, rate and samples") func text() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 24_000, channels: 1))
        #expect(format.description.hasSuffix(":  1 ch,  24000 Hz, Float32>"))
        let stereo = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 2, interleaved: true))
        #expect(stereo.description.hasSuffix(":  2 ch,  44100 Hz, Int16, interleaved>"))
    }
}
