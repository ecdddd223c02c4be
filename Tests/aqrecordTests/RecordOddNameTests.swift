// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Glibc
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqrecord

@Suite("Names that are not UTF-8, aqrecord")
struct RecordOddNameTests {
    @Test("are recorded from and into, and numbered")
    func recorded() async throws {
        let folder = ScratchFolder()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            alarm(60)
            let stem = FilePath("\(path)/x") + FilePath(bytes: [0xE9])
            let length: [FilePath] = ["-q", "-y", "-n", "48000"]
            guard RecordTool.run(length + ["-d", "virtual:sequence,fast", stem + ".wav"]) == .success else {
                exit(1)
            }
            // The same name except for its invalid bytes.
            let other = FilePath("\(path)/x") + FilePath(bytes: [0xE8]) + ".wav"
            let source = FilePath("virtual:file=") + stem + ".wav,fast"
            exit(RecordTool.run(["-q", "--split", "0.5", "-d", source, other]).rawValue)
        }
        let names = [[0xE9], [0xE8, 0x2D, 0x30, 0x30, 0x31], [0xE8, 0x2D, 0x30, 0x30, 0x32]].map {
            (odd: [UInt8]) in FilePath("\(folder.path)/x") + FilePath(bytes: odd) + ".wav"
        }
        for (name, frames) in zip(names, [48_000, 24_000, 24_000]) {
            try expectEqual(AudioFile.open(path: name).frameCount, Int64(frames))
            unsafe _ = unlink(name.cString)
        }
        expectEqual(folder.names, [])
    }
}
