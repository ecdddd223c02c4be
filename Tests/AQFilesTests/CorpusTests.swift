// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import AQSoundHarness
import Testing

/// Compares the readers with the manifest of a folder of real files.
@Suite("Corpus", .enabled(if: CorpusManifest.folder != nil, "make test-corpus"))
struct CorpusTests {
    @Test(
        "opens every well-formed file of packets with the manifest's frames",
        arguments: CorpusManifest.wellFormed)
    func wellFormed(row: CorpusManifest.Row) throws {
        let file = try AudioFile.open(path: row.path)
        expectEqual(file.format.mSampleRate, row.sampleRate)
        expectEqual(file.format.mChannelsPerFrame, UInt32(row.channels))
        expectEqual(file.channelLabels.count, Int(file.format.mChannelsPerFrame))
        let frames = row.frames.map(Int64.init)
        expectEqual(file.frameCount, frames)
        try expectEqual(file.countFrames(), frames)
        let contents = try Contents(of: file, roomBytes: room(for: file))
        expectEqual(Int64(contents.packets), (try file.countPackets()))
        let packetBytes = Int(file.format.mBytesPerPacket)
        #expect(packetBytes == 0 || contents.bytes.count == contents.packets * packetBytes)
    }

    @Test("refuses every malformed file or warns of it", arguments: CorpusManifest.malformed)
    func malformed(row: CorpusManifest.Row) throws {
        do {
            let file = try AudioFile.open(path: row.path)
            let contents = try Contents(of: file, roomBytes: room(for: file))
            // A file whose tag alone is wrong is read to its last frame.
            #expect(!file.warnings.isEmpty || contents.packets == row.frames)
        } catch let error as AudioFileError {
            #expect(error.message.hasPrefix("cannot open '"))
        }
    }

    @Test("opens or refuses everything else", arguments: CorpusManifest.others)
    func others(row: CorpusManifest.Row) throws {
        guard let file = try? AudioFile.open(path: row.path) else { return }
        #expect(try Contents(of: file, roomBytes: room(for: file)).packets > 0)
    }

    private func room(for file: AudioFile) -> Int { max(file.packetSizeUpperBound + 7, 4096) }
}

extension CorpusManifest {
    private static let packetKinds: Set = ["wav", "aiff", "caf", "mp3"]
    fileprivate static let wellFormed = rows.filter { packetKinds.contains($0.kind) && $0.frames != nil }
    fileprivate static let malformed = rows.filter(\.isMalformed)
    fileprivate static let others = rows.filter { !packetKinds.contains($0.kind) && !$0.isMalformed }
}
