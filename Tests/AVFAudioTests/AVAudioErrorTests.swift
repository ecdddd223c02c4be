// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import AQTestSupport
import Testing

@Suite("Errors of AVFAudio")
struct AVAudioErrorTests {
    private let folder = ScratchFolder()

    private func reason(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return error.localizedDescription
        }
    }

    private func write(_ bytes: [UInt8], _ name: String) throws -> URL {
        let url = URL(fileURLWithPath: folder.file(name))
        try Data(bytes).write(to: url)
        return url
    }

    @Test("say the reason, not only four characters") func reasons() throws {
        let text = try write(Array("no audio at all".utf8), "notes.txt")
        let missing = URL(fileURLWithPath: folder.file("missing.wav"))
        for body in [
            { _ = try AVAudioFile(forReading: text) }, { _ = try AVAudioPlayer(contentsOf: text) },
        ] as [() throws -> Void] {
            expectEqual(reason(body), "cannot open 'notes.txt': unknown file type ('typ?')")
        }
        expectEqual(
            reason { _ = try AVAudioFile(forReading: missing) },
            "cannot open 'missing.wav': no such file (-43)")
        let damaged = try write(Array("RIFF\u{24}\0\0\0WAVE".utf8), "damaged.wav")
        let words = try #require(reason { _ = try AVAudioFile(forReading: damaged) })
        #expect(words.hasPrefix("cannot open 'damaged.wav': the file is damaged"), "\(words)")
        let data = try #require(reason { _ = try AVAudioPlayer(data: Data("no audio".utf8)) })
        expectEqual(data, "cannot open the data: unknown file type ('typ?')")
        let unknown = try #require(
            reason {
                _ = try AVAudioFile(forWriting: URL(fileURLWithPath: folder.file("a.xyz")), settings: [:])
            })
        #expect(!unknown.contains("error "), "\(unknown)")
    }
}
