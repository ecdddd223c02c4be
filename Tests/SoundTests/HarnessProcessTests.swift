// SPDX-License-Identifier: MIT

import AQExpectations
import AQSoundHarness
import Testing

@Suite("Child process")
struct HarnessProcessTests {
    @Test("reports output, status and resources")
    func result() throws {
        let result = try ChildProcess.run(
            "sh", ["-c", "cat; echo \"$AQ_WORD\" >&2; exit 7"],
            environment: ["AQ_WORD": "word", "HOME": nil],
            standardInput: Array("in".utf8), deadlineSeconds: 30)
        expectEqual(result.exitStatus, 7)
        expectEqual(result.signal, 0)
        expectEqual(result.standardOutput, "in")
        expectEqual(result.standardError, "word\n")
        #expect(result.peakResidentBytes > 100_000)
        #expect(result.wallSeconds > 0)
        #expect(!result.isTimedOut)
    }

    @Test("a removed variable is not set")
    func environment() throws {
        let result = try ChildProcess.run(
            "sh", ["-c", "echo ${PATH+set}${AQ_X-unset}"], environment: ["AQ_X": nil])
        expectEqual(result.standardOutput, "setunset\n")
    }

    @Test("is killed at its deadline")
    func deadline() throws {
        let result = try ChildProcess.run("sleep", ["60"], deadlineSeconds: 0.05)
        #expect(result.isTimedOut)
        expectEqual(result.signal, 9)
        expectEqual(result.exitStatus, 137)
    }

    @Test("takes a signal")
    func signal() throws {
        let process = try ChildProcess("sleep", ["60"])
        #expect(process.isRunning)
        process.signal(15)
        expectEqual(process.wait(deadlineSeconds: 30).exitStatus, 143)
        #expect(!process.isRunning)
    }

    @Test("a program that is not there is an error with its name")
    func missing() {
        #expect(throws: HarnessError.self) { try ChildProcess("no-such-program-here") }
    }

    @Test("releasing it ends the process")
    func release() throws {
        let identifier = try ChildProcess("sleep", ["60"]).processIdentifier
        let isGone = try HostClock.poll(upToSeconds: 30) {
            try ChildProcess.run("sh", ["-c", "kill -0 \(identifier)"]).exitStatus != 0
        }
        #expect(isGone)
    }
}
