// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CAQAudioToolbox
import CoreAudioTypes
import Testing

@testable import AQToolboxFunctions

/// Results of streams that cannot be parsed.
@Suite struct StreamResultTests {
    @Test("an unknown coding in a known file type")
    func unsupportedFormat() {
        var bytes = StreamBytes.wave(frames: 10)
        // The format tag, after the headers of RIFF and the chunk.
        bytes[20] = 0x99
        bytes[21] = 0x99
        expectEqual(StreamProbe().parse(bytes), kAudioFileStreamError_UnsupportedDataFormat)
    }

    @Test("a file whose index comes after the audio")
    func indexAtTheEnd() {
        let type = [0, 0, 0, 16] + Array("ftypM4A ".utf8) + [0, 0, 0, 0]
        let sound = [0, 0, 1, 0] + Array("mdat".utf8) + [UInt8](repeating: 0, count: 248)
        expectEqual(StreamProbe().parse(type + sound), kAudioFileStreamError_NotOptimized)
    }

    @Test("all other failures have a result too")
    func unspecified() {
        let error = AudioFileStreamError(.unspecified, "cannot parse it")
        expectEqual(error.status, kAudioFileStreamError_UnspecifiedError)
    }
}
