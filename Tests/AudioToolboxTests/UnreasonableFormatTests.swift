// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import CoreAudioTypes
import Foundation
import Testing

@testable import AQToolboxFunctions

/// Invalid descriptions, passed to every function that takes one.
@Suite("Unreasonable formats", .timeLimit(.minutes(20))) struct UnreasonableFormatTests {
    private static let channels: [UInt32] = [0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF, 1 << 20, 1025]
    private static let rates: [Double] = [
        .nan, .infinity, -.infinity, -44_100, .greatestFiniteMagnitude, 1e-9, 1e9,
    ]

    /// Formats of every type, complete and with only the fields that an input queue needs.
    private static let sane: [AudioStreamBasicDescription] = {
        let rate = 44_100.0
        let pcm = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 2, sampleRate: rate)
        var planar = AudioStreamBasicDescription.float(channels: 2, sampleRate: rate)
        planar.mFormatFlags |= kAudioFormatFlagIsNonInterleaved
        planar.mBytesPerFrame = 4
        planar.mBytesPerPacket = 4
        let compressed = [
            kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatAppleIMA4, kAudioFormatMPEGLayer3,
            kAudioFormatULaw, kAudioFormatALaw, kAudioFormatFLAC, kAudioFormatAC3, 0x3F3F_3F3F,
        ]
        return [pcm, planar]
            + compressed.map {
                AudioStreamBasicDescription(
                    mSampleRate: rate, mFormatID: $0, mFormatFlags: 0, mBytesPerPacket: 0,
                    mFramesPerPacket: 0,
                    mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0, mReserved: 0)
            }
    }()

    /// Each with one extreme field.
    private static let unreasonable: [AudioStreamBasicDescription] = sane.flatMap { format in
        channels.flatMap { channels -> [AudioStreamBasicDescription] in
            var (alone, whole) = (format, format)
            alone.mChannelsPerFrame = channels
            whole.mChannelsPerFrame = channels
            whole.mBytesPerFrame = format.mBytesPerFrame / 2 &* channels
            whole.mBytesPerPacket = whole.mBytesPerFrame
            return [alone, whole]
        }
            + rates.map {
                var changed = format
                changed.mSampleRate = $0
                return changed
            }
    }

    /// Each with extreme packets, frames or samples, which some functions use as hints.
    private static let strange: [AudioStreamBasicDescription] = sane.flatMap { format in
        [UInt32.max, 1 << 31, 1 << 24].flatMap { value in
            [
                \AudioStreamBasicDescription.mBytesPerPacket, \.mFramesPerPacket, \.mBytesPerFrame,
                \.mBitsPerChannel,
            ]
            .map {
                var changed = format
                changed[keyPath: $0] = value
                return changed
            }
        }
    }

    @Test("are refused by queues") func queues() {
        for format in Self.unreasonable {
            #expect(makeQueues(format).allSatisfy { $0 != noErr }, "\(format)")
        }
        for format in Self.strange { _ = makeQueues(format) }
    }

    private func makeQueues(_ format: AudioStreamBasicDescription) -> [OSStatus] {
        var format = format
        return [true, false].map { isOutput in
            var queue: AudioQueueRef?
            let status = TestDevices.with {
                isOutput
                    ? unsafe audioQueueNewOutput(&format, { _, _, _ in }, nil, nil, nil, 0, &queue)
                    : unsafe audioQueueNewInput(&format, { _, _, _, _, _, _ in }, nil, nil, nil, 0, &queue)
            }
            if unsafe queue != nil { unsafe _ = audioQueueDispose(queue, true) }
            return status
        }
    }

    @Test("are refused by converters, on either side") func converters() {
        for format in Self.unreasonable {
            #expect(makeConverters(format).allSatisfy { $0 != noErr }, "\(format)")
        }
        for format in Self.strange { _ = makeConverters(format) }
    }

    private func makeConverters(_ format: AudioStreamBasicDescription) -> [OSStatus] {
        Self.sane.flatMap { other in
            [(format, other), (other, format)].map { input, output in
                var (input, output) = (input, output)
                var converter: AudioConverterRef?
                let status = unsafe AudioConverterNew(&input, &output, &converter)
                if let converter = unsafe converter { unsafe _ = AudioConverterDispose(converter) }
                return status
            }
        }
    }

    @Test("are refused by files") func files() throws {
        let fixture = AudioFileFixture()
        let types = [
            kAudioFileWAVEType, kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileCAFType, kAudioFileM4AType,
            kAudioFileAAC_ADTSType, kAudioFileMP3Type, kAudioFileRF64Type, kAudioFileWave64Type,
        ]
        let url = fixture.url("unreasonable") as CFURL
        for (format, mustFail) in Self.unreasonable.map({ ($0, true) }) + Self.strange.map({ ($0, false) }) {
            for type in types {
                var format = format
                var file: AudioFileID?
                let created = unsafe AudioFileCreateWithURL(url, type, &format, .eraseFile, &file)
                if let file = unsafe file { unsafe _ = AudioFileClose(file) }
                var extended: ExtAudioFileRef?
                let extendedStatus = unsafe ExtAudioFileCreateWithURL(url, type, &format, nil, 1, &extended)
                if let extended = unsafe extended { unsafe _ = ExtAudioFileDispose(extended) }
                guard mustFail else { continue }
                #expect(created != noErr && extendedStatus != noErr, "\(format)")
            }
        }
    }

    @Test("are refused as a client's format") func clientFormats() throws {
        let fixture = AudioFileFixture()
        let url = fixture.url("file.caf") as CFURL
        var (pcm, extended): (AudioStreamBasicDescription, ExtAudioFileRef?) = (Self.sane[0], nil)
        unsafe expectEqual(ExtAudioFileCreateWithURL(url, kAudioFileCAFType, &pcm, nil, 1, &extended), noErr)
        let file = unsafe try #require(unsafe extended)
        defer { unsafe _ = ExtAudioFileDispose(file) }
        for format in Self.unreasonable + Self.strange {
            var format = format
            let size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
            let status = unsafe ExtAudioFileSetProperty(
                file, kExtAudioFileProperty_ClientDataFormat, size, &format)
            if !format.mSampleRate.isFinite || format.mChannelsPerFrame > 1024 { #expect(status != noErr) }
        }
    }

    @Test("do not trap a query of their properties") func questions() {
        let properties = [
            kAudioFormatProperty_FormatInfo, kAudioFormatProperty_FormatIsVBR,
            kAudioFormatProperty_FormatIsExternallyFramed, kAudioFormatProperty_FormatList,
            kAudioFormatProperty_AvailableEncodeNumberChannels,
            kAudioFormatProperty_AvailableEncodeChannelLayoutTags,
            kAudioFormatProperty_FormatEmploysDependentPackets, kAudioFormatProperty_AvailableEncodeBitRates,
        ]
        for format in Self.unreasonable + Self.strange {
            let description = unsafe withUnsafeBytes(of: format) { unsafe Array($0) }
            for property in properties { _ = try? FormatQuestion.bytes(property, description) }
            _ = try? FormatQuestion.text(kAudioFormatProperty_FormatName, description)
        }
    }
}
