// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS && HAVE_MPEG_AUDIO
import AQExpectations
import CoreAudioTypes
import Testing

@testable import AQCodecs

@Suite("Silence in place of packets")
struct SilenceAllowanceTests {
    /// A macro's argument cannot be mutated.
    private static func take(
        _ silence: inout SilenceAllowance, silentFrames: Int, packetBytes: Int
    ) -> Bool {
        silence.take(silentFrames: silentFrames, packetBytes: packetBytes)
    }

    @Test("lasts as long as the decoded audio, and a little longer")
    func followsSound() {
        var silence = SilenceAllowance()
        #expect(Self.take(&silence, silentFrames: 1 << 20, packetBytes: 0))
        #expect(!Self.take(&silence, silentFrames: 1, packetBytes: 0))
        silence.add(decodedFrames: 1025)
        #expect(Self.take(&silence, silentFrames: 1024, packetBytes: 0))
        #expect(!Self.take(&silence, silentFrames: 1, packetBytes: 0))
    }

    @Test("lasts as long as the bytes of the lost packets allow")
    func followsBytes() {
        var silence = SilenceAllowance()
        for _ in 0..<100_000 { #expect(Self.take(&silence, silentFrames: 4096, packetBytes: 64)) }
    }

    @Test(
        "packets without bytes are damage, and end a stream that has only these",
        arguments: [kAudioFormatAppleLossless, kAudioFormatMPEG4AAC, kAudioFormatMPEGLayer3])
    func endsStream(codec: AudioFormatID) throws {
        let frames = [kAudioFormatAppleLossless: 4096, kAudioFormatMPEG4AAC: 1024][codec] ?? 1152
        let format = AudioStreamBasicDescription.encoded(
            codec, framesPerPacket: frames, channels: 2, sampleRate: 44_100)
        let decoder = try makePacketDecoder(for: format)
        for packet in 1...(1 << 20) / frames {
            #expect(try decoder.decoded([]).allSatisfy { $0 == 0 })
            expectEqual(decoder.damagedPackets, packet)
        }
        let error = #expect(throws: CodecError.self) { try decoder.decoded([]) }
        expectEqual(error?.code, .decoderFailed)
    }
}
#endif
