// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Glibc
import Testing

@testable import AQFiles

/// Compares streams with the readers of files, for a folder of real ones: enabled by `AQ_CORPUS_DIR`.
@Suite("Streams of a corpus", .enabled(if: StreamCorpus.folder != nil, "make test-corpus"))
struct StreamCorpusTests {
    @Test("returns the file reader's packets, or a reason", arguments: StreamCorpus.files)
    func same(path: String) throws {
        let input = bytes(ofFile: path, atMost: 64 << 20)
        let whole = StreamRecord(input, pieceBytes: .max)
        expectEqual(StreamRecord(input, pieceBytes: 4099).difference(from: whole), nil)
        guard whole.failure == nil, let file = try? AudioFile.open(path: path) else {
            // A corpus has files of every type; a refused stream must have a reason.
            #expect(whole.failure != nil || whole.packets > 0)
            return
        }
        let contents = try Contents(of: file, roomBytes: 1 << 20)
        if file.warnings.isEmpty, whole.warnings.isEmpty, file.format.mFormatID == whole.formatID {
            expectEqual(whole.packets, contents.packets)
            expectEqual(whole.bytes, contents.bytes)
            expectEqual(whole.sizes, contents.descriptions.map(\.mDataByteSize))
            expectEqual(whole.packetTable, file.packetTable)
            expectEqual(whole.labels, file.channelLabels)
        }
    }
}

/// The files of the corpus with a supported stream type.
enum StreamCorpus {
    static let folder: String? = unsafe getenv("AQ_CORPUS_DIR").map { unsafe String(cString: $0) }

    static let files: [String] = {
        guard let folder else { return [] }
        return ["wav", "aiff", "caf", "mp3", "aac", "mp4", "malformed"].flatMap { kind in
            names(in: folder + "/" + kind).map { folder + "/" + kind + "/" + $0 }
        }
    }()

    private static func names(in folder: String) -> [String] {
        guard let entries = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(entries) }
        var names: [String] = []
        while let entry = unsafe readdir(entries) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
                unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
