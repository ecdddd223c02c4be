// SPDX-License-Identifier: MIT

import AQExpectations
import Glibc
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqinfo

@Suite("aqinfo's table of packets")
struct PacketTests {
    @Test("a row for each, with offset, size, length and time")
    func pcm() throws {
        let folder = ScratchFolder()
        let path = try folder.write(RIFFBytes.wave([1, 2, 3, 4], channels: 2), to: "a.wav")
        let run = Run(["--packets", path])
        expectEqual(run.status, .success)
        expectEqual(
            run.lines.map { $0.split(separator: " ").joined(separator: " ") },
            [
                "packet at byte bytes frames time", "0 44 4 1 0:00:00.000", "1 48 4 1 0:00:00.000", "",
            ])
    }

    #if HAVE_MPEG_AUDIO
    @Test("the time counts from the first frame after the priming")
    func priming() {
        let run = Run(["--packets", "--limit=2", ToolPaths.fixture("tune-cbr.mp3")])
        expectEqual(run.lines.count, 4)
        #expect(run.lines[1].hasSuffix("-0:00:00.025"))
        #expect(run.lines[2].hasSuffix(" 0:00:00.001"))
        let cells = run.lines[1...2].map { $0.split(separator: " ").compactMap { Int($0) } }
        // Each begins where the previous one ends.
        expectEqual(cells[0][1] + cells[0][2], cells[1][1])
    }
    #endif

    #if HAVE_MPEG_AUDIO
    @Test("all packets are listed, and as many from a pipe as from the file")
    func pipe() async throws {
        let folder = ScratchFolder()
        let source = ToolPaths.fixture("tune-vbr.mp3")
        let pipe = folder.file("pipe")
        unsafe expectEqual(mkfifo(pipe, 0o600), 0)
        let child = startCopy(of: source, into: pipe)
        let piped = Run(["--packets", pipe])
        waitForEnd(of: child)
        let direct = Run(["--packets", source])
        #expect(direct.lines.count > 10)
        expectEqual(piped.status, .success)
        expectEqual(piped.lines.count, direct.lines.count)
    }
    #endif

    #if HAVE_MPEG_AUDIO
    @Test("a pipe is read to its end to measure its length")
    func pipedReport() throws {
        let folder = ScratchFolder()
        let source = ToolPaths.fixture("tune-vbr.mp3")
        let pipe = folder.file("pipe")
        unsafe expectEqual(mkfifo(pipe, 0o600), 0)
        let child = startCopy(of: source, into: pipe)
        let piped = Run([pipe])
        waitForEnd(of: child)
        let direct = Run([source])
        expectEqual(piped.field("Packets"), direct.field("Packets"))
        expectEqual(piped.field("Duration"), direct.field("Duration"))
    }
    #endif
}

/// Starts a process that copies a file into a pipe.
private func startCopy(of source: String, into pipe: String) -> pid_t {
    var child = pid_t()
    let words = ["/bin/sh", "-c", "cat \"$1\" > \"$2\"", "sh", source, pipe]
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    defer { unsafe arguments.forEach { unsafe free($0) } }
    let failure = unsafe posix_spawn(&child, "/bin/sh", nil, nil, arguments, environ)
    return failure == 0 ? child : -1
}

private func waitForEnd(of child: pid_t) {
    guard child > 0 else { return }
    var status: Int32 = 0
    unsafe _ = waitpid(child, &status, 0)
}
