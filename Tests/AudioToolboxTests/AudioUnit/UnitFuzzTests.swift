// SPDX-License-Identifier: MIT

import CAQRealTime
import Foundation
import AQSoundHarness
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQDevices

/// Random calls on units whose device has no hardware. AQ_LONG=1 makes 10,000 sequences; AQ_SEED is the first seed.
@Suite("Random calls on units", .serialized, .timeLimit(.minutes(60))) struct UnitFuzzTests {
    static let sequences = Environment.isLong ? 10_000 : 200

    /// The callbacks of all sequences.
    struct Calls {
        let outputs = Tally()
        let inputs = Tally()
    }

    /// Runs one sequence on a thread of its own; returns false if it hangs.
    static func run(
        _ seed: UInt64, output: any OutputDevice, input: any InputDevice, _ calls: Calls
    ) -> Bool {
        let isDone = Tally()
        let problems = Monitor<[String]>([])
        Thread.detachNewThread {
            var random = SplitMix(seed)
            let sequence = UnitFuzzSequence(&random)
            sequence.run(output: output, input: input, random: &random)
            calls.outputs.add(sequence.outputs.now)
            calls.inputs.add(sequence.inputs.now)
            let found = sequence.problems.withLock { $0 }
            problems.withLock { $0 = found }
            isDone.now = 1
        }
        guard eventually(within: 60, { isDone.now == 1 }) else {
            Issue.record("seed \(seed) hangs")
            return false
        }
        let found = problems.withLock { $0 }
        #expect(found.isEmpty, "seed \(seed)")
        return true
    }

    /// Interrupts, resumes and fails streams.
    private static func disturb(_ device: LoopDevice, _ seed: UInt64, until isDone: Tally) {
        var random = SplitMix(~seed)
        while isDone.now == 0 {
            usleep(UInt32.random(in: 0..<3000, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: device.fail(outputs: random.chance(2), inputs: random.chance(2))
            case 1, 2: device.interrupt()
            default: device.resume()
            }
        }
    }

    @Test("random sequences of calls, from threads and callbacks, end without a trap, a hang or a leak")
    func sequences() {
        let device = LoopDevice()
        let calls = Calls()
        for index in 0..<Self.sequences {
            let seed = Environment.firstSeed + UInt64(index)
            let isDone = Tally()
            let hasEnded = Tally()
            // Every other sequence is disturbed.
            if index % 2 == 1 {
                Thread.detachNewThread {
                    Self.disturb(device, seed, until: isDone)
                    hasEnded.now = 1
                }
            } else {
                hasEnded.now = 1
            }
            defer {
                isDone.now = 1
                // The next sequence must not be disturbed by this thread.
                _ = eventually { hasEnded.now == 1 }
            }
            guard Self.run(seed, output: device, input: device, calls) else { return }
            guard eventually({ device.openStreams == 0 }) else {
                Issue.record("seed \(seed) leaves streams")
                return
            }
        }
        #expect(calls.outputs.now > Self.sequences, "\(calls.outputs.now)")
        #expect(calls.inputs.now > Self.sequences / 4, "\(calls.inputs.now)")
    }
}

/// The same calls on units of a private server.
@Suite("Random calls on units of a server", .serialized, .besideOthers, .timeLimit(.minutes(30)))
struct UnitFuzzSoundTests {
    private static let sequences = Environment.isLong ? 1000 : 60

    @Test("random sequences of calls leave no stream at the server")
    func sequences() throws {
        let server = try PulseServer()
        let calls = UnitFuzzTests.Calls()
        let address = "unix:\(server.socketPath)"
        for index in 0..<Self.sequences {
            let seed = Environment.firstSeed + UInt64(index)
            let output = try PulseDevice(server: address)
            let input = try PulseSource(source: "test.monitor", server: address)
            guard UnitFuzzTests.run(seed, output: output, input: input, calls) else { return }
        }
        #expect(calls.outputs.now > 0 && calls.inputs.now > 0)
        #expect(try eventually(within: 10) { try server.properties(of: .playing).isEmpty })
        // The server's own test recorder may be there.
        #expect(try eventually(within: 10) { try server.properties(of: .recording).count <= 1 })
    }
}
