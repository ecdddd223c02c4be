import Foundation
import SoundHarness
import Testing

/// What a recorder leaves behind that is killed in mid-recording, or whose reader stalls.
///
/// The virtual source is recorded, of which each sample tells its place; no server is needed.
@Suite("Recording that is killed or held up", .serialized, .timeLimit(.minutes(10)))
struct RecordingKillTests {
    /// AQ_LONG=1 kills fifty times, as long as that takes.
    private static let kills = Environment.value("AQ_LONG") == "1" ? 50 : 3

    /// Ten at a time, so that the machine keeps up.
    @Test("a kill at a random moment costs less than a second", arguments: ["aif", "wav", "caf"])
    func kill(pathExtension: String) throws {
        let folder = try TestFolder()
        for first in stride(from: 0, to: Self.kills, by: 10) {
            let numbers = first..<min(first + 10, Self.kills)
            let recorders = try numbers.map { number in
                (
                    path: "\(folder.path)/\(number).\(pathExtension)",
                    process: try ChildProcess(
                        ToolPaths.tool("aqrecord"),
                        ["--quiet", "--device=virtual:sequence", "\(folder.path)/\(number).\(pathExtension)"]),
                    seconds: Double.random(in: 0.6...2)
                )
            }
            for recorder in recorders.sorted(by: { $0.seconds < $1.seconds }) {
                let moment = recorder.process.startHostTime + UInt64(recorder.seconds * 1e9)
                HostClock.wait(seconds: max(0, HostClock.seconds(from: HostClock.now, to: moment)))
                recorder.process.signal(SIGKILL)
            }
            for recorder in recorders {
                let result = recorder.process.wait()
                #expect(result.signal == SIGKILL && result.standardError == "")
                let file = try RecordedFile(recorder.path)
                let lost = result.wallSeconds - Double(file.frames) / 48_000
                #expect(lost >= 0 && lost < 1, "\(lost) s are lost of \(result.wallSeconds) s")
                file.expectSequence()
                try file.expectReadable(uncountedFrames: 24_000)
            }
        }
    }

    /// A pipe holds a third of a second, so the rest of the stall is the queue's to bridge.
    @Test("a reader that stalls for two seconds costs no frame")
    func stalledReader() throws {
        let folder = try TestFolder()
        let path = "\(folder.path)/stream"
        let result = try ChildProcess.run(
            "sh",
            [
                "-c",
                "\"$0\" --device=virtual:sequence --seconds=3.5 --json --wav=- | { sleep 2.3; cat > \"$1\"; }",
                ToolPaths.tool("aqrecord"), path,
            ])
        #expect(result.exitStatus == 0)
        #expect(result.standardError.contains("\"frames\":168000"), "\(result.standardError)")
        #expect(result.standardError.contains("\"overruns\":0,\"lostFrames\":0"), "\(result.standardError)")
        #expect(result.wallSeconds < 4.3, "took \(result.wallSeconds) s")
        let file = try RecordedFile(path)
        #expect(file.frames == 168_000)
        file.expectSequence()
    }

    @Test("a reader that goes away ends the recording, and is told of")
    func brokenPipe() throws {
        let folder = try TestFolder()
        let result = try ChildProcess.run(
            "sh",
            [
                "-c",
                "{ \"$0\" --device=virtual:sequence --buffer-duration=100ms --wav=-; echo $? > \"$1\"; } "
                    + "| head -c 100000 > \"$2\"; sleep 0.3",
                ToolPaths.tool("aqrecord"), "\(folder.path)/status", "\(folder.path)/stream",
            ], deadlineSeconds: 10)
        #expect(!result.isTimedOut)
        let line = "aqrecord: cannot write standard output: broken pipe"
        #expect(
            result.standardError.hasPrefix(line) && result.standardError.split(separator: "\n").count == 1)
        let status = try String(contentsOfFile: "\(folder.path)/status", encoding: .utf8)
        #expect(status == "74\n")
    }
}
