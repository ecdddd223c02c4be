// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import AQSoundHarness
import Testing

/// Compares the reader with real files of many encoders; see ``CorpusTests``.
@Suite("Corpus of MPEG-4", .enabled(if: CorpusManifest.folder != nil, "make test-corpus"))
struct MP4CorpusTests {
    @Test("has the manifest's frames", arguments: CorpusManifest.rows(of: "mp4"))
    func frames(row: CorpusManifest.Row) throws {
        let file = try AudioFile.open(path: row.path)
        expectEqual(file.format.mSampleRate, row.sampleRate)
        #expect(file.warnings.isEmpty)
        expectEqual(Int64(try Contents(of: file, roomBytes: 1 << 16).packets), (try file.countPackets()))
        // If decoders differ in the length, the edit list decides.
        if let frames = row.frames { expectEqual(file.frameCount, Int64(frames)) }
    }
}
