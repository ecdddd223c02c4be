// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  FormatNames.swift
//
//  Model code that knows formats and makes no sound: `CoreAudioTypes` is the only import.
//
//      FormatNames
//
import CoreAudioTypes

extension FourCharCode {
    var text: String {
        String(String.UnicodeScalarView([24, 16, 8, 0].compactMap { UnicodeScalar(self >> $0 & 0xFF) }))
    }
}

extension AudioStreamBasicDescription: @retroactive Equatable {
    static func pcm(rate: Float64, channels: UInt32, bits: UInt32, float: Bool = false, interleaved: Bool = true) -> AudioStreamBasicDescription {
        var flags: AudioFormatFlags = (float ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger) | kAudioFormatFlagIsPacked
        if !interleaved { flags |= kAudioFormatFlagIsNonInterleaved }
        let bytes = bits / 8 * (interleaved ? channels : 1)
        return AudioStreamBasicDescription(mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
                                           mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
                                           mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
    }

    public static func == (a: AudioStreamBasicDescription, b: AudioStreamBasicDescription) -> Bool {
        a.mSampleRate == b.mSampleRate && a.mFormatID == b.mFormatID && a.mFormatFlags == b.mFormatFlags
            && a.mBytesPerFrame == b.mBytesPerFrame && a.mChannelsPerFrame == b.mChannelsPerFrame
    }

    var isInterleaved: Bool { mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 }
    var bytesPerSecond: Float64 { mSampleRate * Float64(mBytesPerFrame) * (isInterleaved ? 1 : Float64(mChannelsPerFrame)) }
}

var layout = AudioChannelLayout()
layout.mChannelLayoutTag = kAudioChannelLayoutTag_MPEG_5_1_A
layout.mChannelBitmap = []
var stamp = AudioTimeStamp()
stamp.mSampleTime = 48000
stamp.mFlags = [.sampleTimeValid, .hostTimeValid]

let formats: [AudioStreamBasicDescription] = [
    .pcm(rate: 44100, channels: 2, bits: 16), .pcm(rate: 48000, channels: 6, bits: 32, float: true, interleaved: false),
]
for format in formats {
    print(format.mFormatID.text, format.mSampleRate, format.mChannelsPerFrame, Int(format.bytesPerSecond))
}
print(kAudioFormatMPEG4AAC.text, kAudioFormatAppleLossless.text, kAudioFormatMPEGLayer3.text)
print(AudioChannelLayoutTag_GetNumberOfChannels(layout.mChannelLayoutTag), stamp.mFlags == .sampleHostTimeValid,
      formats[0] == formats[1], MemoryLayout<AudioStreamBasicDescription>.size, MemoryLayout<AudioTimeStamp>.size)
