// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import CoreAudioTypes
import AQMPEGAudio

extension MPEGFrameHeader {
    var format: AudioStreamBasicDescription {
        .encoded(
            [kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3][layer - 1],
            framesPerPacket: samplesPerFrame, channels: channels, sampleRate: Double(sampleRate))
    }

    /// The size of the layer's longest packet; the rate may change within a stream.
    func mostPacketBytes(firstFrameBytes: Int) -> Int {
        [1540, 2881, max(1441, firstFrameBytes + 1)][layer - 1]
    }
}

extension MPEGInfoTag.Kind {
    var name: String {
        switch self {
        case .xing: "Xing"
        case .info: "Info"
        case .vbri: "VBRI"
        }
    }
}
#endif
