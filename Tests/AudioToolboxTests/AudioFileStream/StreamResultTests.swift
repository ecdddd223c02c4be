import AudioFiles
import CAudioToolbox
import CoreAudioTypes
import Testing

@testable import AudioToolboxFunctions

/// Results of streams that cannot be parsed.
@Suite struct StreamResultTests {
    @Test("a coding that nobody knows in a kind of file that is known")
    func unsupportedFormat() {
        var bytes = StreamBytes.wave(frames: 10)
        // The tag of the format, behind RIFF's header and the chunk's.
        bytes[20] = 0x99
        bytes[21] = 0x99
        #expect(StreamProbe().parse(bytes) == kAudioFileStreamError_UnsupportedDataFormat)
    }

    @Test("a file whose index comes behind the sound")
    func indexAtTheEnd() {
        let type = [0, 0, 0, 16] + Array("ftypM4A ".utf8) + [0, 0, 0, 0]
        let sound = [0, 0, 1, 0] + Array("mdat".utf8) + [UInt8](repeating: 0, count: 248)
        #expect(StreamProbe().parse(type + sound) == kAudioFileStreamError_NotOptimized)
    }

    @Test("whatever else happens has a result too")
    func unspecified() {
        let error = AudioFileStreamError(.unspecified, "cannot parse it")
        #expect(error.status == kAudioFileStreamError_UnspecifiedError)
    }
}
