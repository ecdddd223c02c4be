// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// Players of files and streams.
@Suite("Programs that play files", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct ProgramPlayerSoundTests {
    private let rig: ProgramRig

    init() throws { rig = try ProgramRig() }

    @Test(
        "play a file completely and once, in one piece, and end",
        arguments: ["classic_player", "short_player", "RadioStreamer"])
    func wholeFile(program: String) throws {
        let (_, sound) = try rig.hear(program, [rig.writeSignal(frames: 120_007)])
        // Its six buffers have 128 frames each: 16 ms, for which a server may have to wait, and little more than a period of
        // PipeWire.
        if program == "RadioStreamer" {
            #expect(sound.isWhole(frames: 120_007))
        } else {
            expectEqual(sound.parts, [[0, 120_007]])
        }
    }

    @Test("play a file that is shorter than a buffer", arguments: ["classic_player", "short_player"])
    func shortFile(program: String) throws {
        let (_, sound) = try rig.hear(program, [rig.writeSignal(frames: 77)])
        expectEqual(sound.parts, [[0, 77]])
    }

    @Test("play a stream in pieces of any size", arguments: ["1", "1000", "65536"])
    func stream(bytes: String) throws {
        // A byte at a time takes a while.
        let frames = bytes == "1" ? 22_001 : 120_007
        let (_, sound) = try rig.hear("stream_ring", [rig.writeSignal(frames: frames), bytes])
        #expect(sound.isWhole(frames: frames))
    }

    @Test("seek in a stream while it plays") func streamSeek() throws {
        let frames = 6 * 44_100
        let (_, sound) = try rig.hear("stream_ring", [rig.writeSignal(frames: frames), "4096", "4"])
        let runs = TestSignal.runs(in: sound)
        expectEqual(runs.first?.position, 0)
        let last = try #require(runs.last)
        expectEqual(last.position + last.frames, frames)
        let resumed = try #require(runs.first { $0.position >= 3 * 44_100 })
        #expect(abs(resumed.position - 4 * 44_100) < 4410)
    }

    @Test("play MP3 to the last packet, as a file and as a stream") func mp3() throws {
        let path = ToolPaths.fixture("tune-cbr.mp3")
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let file = try rig.hear("classic_player", [path]).sound.soundFrames()
        let stream = try rig.hear("RadioStreamer", standardInput: bytes).sound.soundFrames()
        #expect(file > 44_100)
        // A stream does not state its padding frames.
        #expect(abs(stream - file) < 3 * 1152)
    }

    @Test("report input that is not a stream") func noStream() throws {
        let result = try rig.run("RadioStreamer", standardInput: [UInt8](repeating: 0x20, count: 50_000))
        expectEqual(result.exitStatus, 1)
        // 'typ?'
        expectEqual(result.standardOutput, "cannot parse: 1954115647\n")
    }

    @Test("play files one after another at the volume that was set") func playlist() throws {
        let first = try rig.writeSignal(frames: 60_003)
        let second = try rig.writeSignal(frames: 50_001, name: "second.wav")
        let (_, sound) = try rig.hear("queue_player", [first, second])
        let loudFrames = (0..<sound.frames).filter { abs(sound.samples[2 * $0]) > 0.1 }.count
        expectEqual(loudFrames, 110_004)
        #expect(abs(sound.peak - 0.8 * 0.75) < 0.001)
    }

    @Test("pause under the callback's lock, and resume at the same position") func pause() throws {
        let (output, sound) = try rig.hear("UnmanagedPlayer", [rig.writeSignal(frames: 120_007)])
        // A pause fades out with repeated frames of the file; no frame is lost, and none is played twice.
        let parts = sound.parts
        try #require(parts.count == 2, "\(parts)")
        let firstEnd = parts[0][0] + parts[0][1]
        #expect(parts[0][0] == 0 && (0...441).contains(parts[1][0] - firstEnd), "\(parts)")
        expectEqual(parts[1][0] + parts[1][1], 120_007)
        let pausedAt = try #require(output.numbers.first)
        #expect((0...0.3).contains(pausedAt))
    }

    @Test("report the time in the file through pauses and seeks") func seek() throws {
        let path = try rig.writeSignal(frames: 6 * 44_100)
        let commands = "w 500\nt\np\nw 200\nt\nw 300\nt\np\n+2\nw 300\nt\nv 50\nt\nq\n"
        // It prints each discontinuity to standard error.
        let result = try rig.run("seek_player", [path], standardInput: Array(commands.utf8))
        expectEqual(result.exitStatus, 0)
        let output = result.standardOutput
        let lines = output.split(separator: "\n").map { String($0).numbers }
        try #require(lines.count == 5 && lines.allSatisfy { $0.count == 2 }, "\(output)")
        let times = lines.map { $0[0] }
        #expect((0.2...0.6).contains(times[0]))
        expectEqual(times[2], times[1])
        #expect((2...2.6).contains(times[3] - times[2]))
        #expect(times[4] >= times[3])
        expectEqual(lines[4][1], 0.5)
    }

    @Test("play from a pipe") func pipe() throws {
        let frames = 60_003
        let signal = TestSignal.make(sampleRate: 44_100, frames: frames)
        let bytes = signal.samples.flatMap { sample -> [UInt8] in
            let bits = UInt16(bitPattern: Int16(sample * 32_768))
            return [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
        }
        let (_, sound) = try rig.hear("pipe_player", standardInput: bytes)
        #expect(sound.isWhole(frames: frames))
    }

    @Test("stop while the callback waits for a writer that stalls") func stalledPipe() throws {
        let script = #"mkfifo "$2" && sleep 8 >"$2" & while [ ! -p "$2" ]; do :; done; exec "$1" 1 <"$2""#
        let result = try ChildProcess.run(
            "sh", ["-c", script, "sh", ProgramRig.executable("pipe_player"), rig.path("stalled")],
            environment: rig.server.environment, deadlineSeconds: 20)
        expectEqual(result.exitStatus, 0)
        expectEqual(result.standardError, "deadline\n")
        // The deadline is one second. Stop waits two for the callback, and Dispose does not wait again.
        #expect(result.wallSeconds < 4)
    }

    @Test("end although a callback waits for ever", arguments: ["stop", "dispose", "pause"])
    func stuck(how: String) throws {
        let (output, sound) = try rig.hear("stuck_callback", [how, "1"])
        // The wait for a callback has a limit.
        #expect((output.numbers.first ?? 9) < 2.5)
        expectEqual(sound.gaps(minimumFrames: 441), [])
        #expect(abs(sound.frequency - 500) < 5)
    }
}
