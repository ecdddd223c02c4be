// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Glibc
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqplay

@Suite("Names that are not UTF-8, aqplay")
struct PlayOddNameTests {
    @Test("are followed in folders and lists, and shown with escapes")
    func lists() throws {
        let scratch = ScratchFolder()
        let folder = FilePath(scratch.path).joined(FilePath(bytes: [0x64, 0xFF, 0xFE]))
        unsafe _ = mkdir(folder.cString, 0o700)
        let names = [[0x61, 0xE8], [0x61, 0xE9]].map { FilePath(bytes: $0 + Array(".wav".utf8)) }
        let latin = FilePath("ü.wav")
        for name in names + [latin] {
            close(unsafe open(folder.joined(name).cString, O_CREAT | O_WRONLY, 0o600))
        }
        let list = folder.joined("l.m3u")
        let text =
            Array("#EXTINF:1,".utf8) + [0xFC, 0x0A] + names[1].bytes + [0x0A, 0xFC]
            + Array(".wav\nfile:".utf8) + folder.bytes + Array("/a%E8.wav\n".utf8)
        let descriptor = unsafe open(list.cString, O_CREAT | O_WRONLY, 0o600)
        unsafe _ = write(descriptor, text, text.count)
        close(descriptor)
        let found = TrackList(operands: [folder, list])
        #expect(found.problems.isEmpty)
        // The list has the raw bytes of one, Latin-1 for the next, and a URL for the last.
        expectEqual(
            found.tracks.map(\.path),
            [names[0], names[1], latin, names[1], latin, names[0]].map { folder.joined($0) })
        expectEqual(found.tracks[3].title, "ü")
        expectEqual(Playback.title(of: found.tracks[0], tags: AudioFileTags()), "a\\xe8.wav")
        let json = TrackReport(file: folder.joined(names[0])).json
        #expect(json.contains(#"/d\\xff\\xfe/a\\xe8.wav","fileBytes":"\#(scratch.path)/"#))
        #expect(json.contains(#"/d%FF%FE/a%E8.wav""#))
    }
}
