// SPDX-License-Identifier: MIT

import AQExpectations
import Glibc
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqinfo

@Suite("The file of an image")
struct ImageFileTests {
    private let folder: ScratchFolder
    private let sound = RIFFBytes.wave([0, 100, -100])

    init() throws {
        folder = ScratchFolder()
        try folder.write(sound, to: "a.wav")
    }

    @Test("is not the audio file, under any name", arguments: ["a.wav", "link.png", "second.png"])
    func input(name: String) throws {
        unsafe expectEqual(symlink("a.wav", folder.file("link.png")), 0)
        unsafe expectEqual(link(folder.file("a.wav"), folder.file("second.png")), 0)
        let run = Run(["-y", "-w", folder.file(name), folder.file("a.wav")])
        expectEqual(run.status, .inputOutput)
        expectEqual(
            run.complaints, ["cannot write '\(folder.file(name))': it is the input file"])
        expectEqual(folder.bytes(of: "a.wav"), sound)
    }

    @Test("is not standard input, which may be a file")
    func standardInput() async throws {
        await #expect(processExitsWith: .exitCode(74)) { [path = folder.file("a.wav") as String] in
            let descriptor = unsafe open(path, O_RDONLY)
            dup2(descriptor, 0)
            exit(Run(["-y", "-w", path, "-"]).status.rawValue)
        }
        expectEqual(folder.bytes(of: "a.wav"), sound)
    }

    @Test("is not another audio file, nor any other file that is no image")
    func others() throws {
        let contents = [sound, Array("some text".utf8), [0x89, 0x50]]
        for other in contents {
            try folder.write(other, to: "b.wav")
            let run = Run(["-y", "-w", folder.file("b.wav"), folder.file("a.wav")])
            expectEqual(run.status, .inputOutput)
            expectEqual(
                run.complaints,
                [
                    "cannot write '\(folder.file("b.wav"))': it is not a PNG image; "
                        + "'--overwrite' replaces only PNG images"
                ])
            expectEqual(folder.bytes(of: "b.wav"), other)
        }
    }

    @Test("is an image, an empty file, or a new one, and a longer one is replaced completely")
    func images() throws {
        expectEqual(
            Run(["-w", folder.file("a.png"), "-s", "640x480", folder.file("a.wav")]).status, .success)
        let large = folder.bytes(of: "a.png")
        try folder.write([], to: "empty.png")
        for name in ["a.png", "empty.png", "new.png"] {
            expectEqual(
                Run(["-y", "-w", folder.file(name), "-s", "16x16", folder.file("a.wav")]).status, .success)
            let small = folder.bytes(of: name)
            #expect(small.starts(with: large.prefix(8)) && small.count < large.count)
        }
        expectEqual(folder.bytes(of: "a.png"), folder.bytes(of: "new.png"))
        expectEqual(Run(["-y", "-w", "/dev/null", folder.file("a.wav")]).status, .success)
    }
}
