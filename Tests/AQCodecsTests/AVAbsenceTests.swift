// SPDX-License-Identifier: MIT

#if !HAVE_AV_CODECS
import AQCodecs
import AQExpectations
import CoreAudioTypes
import Testing

@Suite("A build without libavcodec")
struct AVAbsenceTests {
    @Test(
        "its formats are refused and reported as unavailable",
        arguments: [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatAppleIMA4])
    func absent(id: AudioFormatID) {
        let reason = "unsupported, built without AVCodecs"
        expectEqual(CodecAvailability.encoder(of: id).reason, reason)
        expectEqual(CodecAvailability.decoder(of: id).reason, reason)
        let format = AudioStreamBasicDescription.encoded(
            id, framesPerPacket: 0, channels: 2, sampleRate: 44100)
        for attempt in [
            { _ = try makePacketEncoder(for: format) }, { _ = try makePacketDecoder(for: format) },
        ] as [() throws -> Void] {
            #expect {
                try attempt()
            } throws: {
                let error = $0 as? CodecError
                return error?.code == .unsupportedFormat && error?.message.hasSuffix(": " + reason) == true
            }
        }
    }

    @Test("MP3 is not encoded")
    func noMP3() {
        expectEqual(
            CodecAvailability.encoder(of: kAudioFormatMPEGLayer3).reason,
            "unsupported, built without AVCodecs")
        #expect(CodecAvailability.encoder(of: kAudioFormatLinearPCM).isAvailable)
    }
}
#endif
