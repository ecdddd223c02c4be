// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Testing

@Suite("The format of buffers") struct AVAudioBufferFormatTests {
    @Test(
        "is the one that the buffer was made with, and decides which samples there are",
        arguments: [
            AVAudioCommonFormat.pcmFormatFloat32, .pcmFormatFloat64, .pcmFormatInt16, .pcmFormatInt32,
        ], [true, false])
    func format(kind: AVAudioCommonFormat, isInterleaved: Bool) throws {
        let format = try #require(
            AVAudioFormat(
                commonFormat: kind, sampleRate: 22_050, channels: 2, interleaved: isInterleaved))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 16))
        #expect(buffer.format == format && buffer.format.sampleRate == 22_050)
        #expect(buffer.format.commonFormat == kind && buffer.format.isInterleaved == isInterleaved)
        let (hasFloats, hasShorts, hasLongs) = unsafe (
            buffer.floatChannelData != nil, buffer.int16ChannelData != nil, buffer.int32ChannelData != nil
        )
        expectEqual(hasFloats, (kind == .pcmFormatFloat32))
        expectEqual(hasShorts, (kind == .pcmFormatInt16))
        expectEqual(hasLongs, (kind == .pcmFormatInt32))
    }
}
