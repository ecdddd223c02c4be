// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CoreAudioTypes
import Testing

@testable import AQUnits

@Suite("The format of a client's side")
struct ClientFormatTests {
    @Test(
        "is played in the nearest encoding of a device",
        arguments: [
            (.float(channels: 2, sampleRate: 44_100), .float32, true),
            (.float(isInterleaved: false, channels: 2, sampleRate: 44_100), .float32, false),
            (.float(bits: 64, channels: 1, sampleRate: 8_000), .float32, false),
            (.signedInteger(bits: 16, channels: 2, sampleRate: 22_050), .signed16, true),
            (.signedInteger(bits: 16, isBigEndian: true, channels: 2, sampleRate: 22_050), .signed16, false),
            (.signedInteger(bits: 8, channels: 1, sampleRate: 8_000), .signed16, false),
            (.unsignedInteger(bits: 8, channels: 1, sampleRate: 8_000), .signed16, false),
            (.signedInteger(bits: 24, channels: 1, sampleRate: 48_000), .signed24, true),
            (.signedInteger(bits: 24, containerBytes: 4, channels: 1, sampleRate: 48_000), .signed24, false),
            (.signedInteger(bits: 32, channels: 6, sampleRate: 48_000), .signed32, true),
        ] as [(AudioStreamBasicDescription, SampleFormat.Encoding, Bool)])
    func encoding(
        format: AudioStreamBasicDescription, encoding: SampleFormat.Encoding, isDirect: Bool
    ) throws {
        let client = try ClientFormat(format)
        expectEqual(client.encoding, encoding)
        expectEqual(client.isDirect, isDirect)
        expectEqual(client.streamBytesPerFrame, encoding.byteCount * Int(format.mChannelsPerFrame))
    }

    @Test(
        "is refused if it is not linear PCM, contradicts itself, or exceeds the devices' limits",
        arguments: [
            AudioStreamBasicDescription(),
            .encoded(kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44_100),
            .float(channels: 0, sampleRate: 44_100),
            .float(channels: 33, sampleRate: 44_100),
            .float(channels: 0xFFFF_FFFF, sampleRate: 44_100),
            .float(channels: 2, sampleRate: 0),
            .float(channels: 2, sampleRate: .nan),
            .float(channels: 2, sampleRate: 1e9),
            .float(bits: 16, channels: 2, sampleRate: 44_100),
        ])
    func refused(format: AudioStreamBasicDescription) {
        #expect { try ClientFormat(format) } throws: { error in
            (error as? UnitError)?.code == .formatNotSupported
        }
    }
}
