// SPDX-License-Identifier: MIT

import BenchKit
import Testing

@Suite("Round trip of a made-up run")
struct RoundTripTests {
    private static let blockFrames = 240
    private static let log = """
        log\t1
        peer\tpeer-test
        amplitude\t0.25
        underruns\t2
        event\tstart\t1000
        usage\tsteady\tself\t1000000000\t100000\t50000\t10\t2\t0\t5000
        usage\tsteady\tchildren\t1000000000\t0\t0\t0\t0\t0\t0
        usage\tlast\tself\t3000000000\t300000\t50000\t110\t4\t0\t6000
        threads\t3
        thread\t1\tother\t0\tpeer
        """

    /// Callbacks every 5 ms whose first frame is audible 7.5 ms later. `change` modifies the recording.
    private func result(
        stalls: [MachineStall]? = nil, recording change: (inout [Float]) -> Void
    ) throws -> OutputResult {
        let count = 800
        let noise = ReferenceNoise(stream: 0, frames: count * Self.blockFrames, amplitude: 0.25)
        var capture = [Float](repeating: 0, count: 4800) + noise.samples
        change(&capture)
        capture += [Float](repeating: 0, count: 4800)
        let fragments = stride(from: 0, to: capture.count, by: 48).map {
            ArrivalClock.Fragment(endFrame: $0 + 48, arrivalNanoseconds: 1e12 + Double($0) * 1e9 / 48000)
        }
        var text = Self.log + "\nlane\t0\tout\t\(count)\t\(count * Self.blockFrames)\t0\t0\t0\t0\t0\n"
        for index in 0..<count {
            let entry = 1_000_000_000_000 + 100_000_000 + index * 5_000_000 - 7_500_000
            text += "out\t\(entry)\t\(index * Self.blockFrames)\t\(Self.blockFrames)\t7600000\n"
        }
        let log = try PeerLog(text: text + "end\n")
        #expect(log.isComplete && log.outputs.count == count && log.underruns == 2)
        var result = OutputResult(
            measure: "test", peer: "test", server: "none",
            setting: BufferSetting(buffers: 3, frames: Self.blockFrames), seconds: 4, isLoaded: false)
        try OutputAnalysis(samples: capture, fragments: fragments, sampleRate: 48000, stalls: stalls)
            .fill(&result, from: log)
        return result
    }

    @Test("latency, prediction and intervals are those of the run")
    func latency() throws {
        let result = try result { _ in }
        let latency = try #require(result.latency)
        #expect(abs(latency.median - 7.5) < 0.001 && abs(latency.largest - 7.5) < 0.001)
        #expect(abs(try #require(result.predictionError).median - 0.1) < 0.001)
        #expect(try #require(result.interval).median == 5)
        #expect(result.isGapFree && latency.repeats > 500)
    }

    @Test("a gap of 3 ms each second is counted with its place and length, and delays what follows")
    func gaps() throws {
        let result = try result { capture in
            for second in [3, 2, 1] {
                let place = 4800 + second * 48000 + 12000
                capture.insert(contentsOf: [Float](repeating: 0, count: 144), at: place)
            }
        }
        #expect(result.gaps.number == 3 && result.startGaps.number == 0)
        #expect(abs(result.gaps.longestMilliseconds - 3) < 0.05)
        #expect(abs(result.gaps.first[0][0] - 1.25) < 0.001)
        #expect(abs(try #require(result.latency).largest - 16.5) < 0.05)
    }

    /// A run with gaps at 3 and 3.5 s, and with stalls.
    private func result(
        stalls: [(seconds: Double, milliseconds: Double)]?
    ) throws -> OutputResult {
        let stalls = stalls?.map { stall in
            let begin = 1e12 + stall.seconds * 1e9
            return MachineStall(beginNanoseconds: begin, endNanoseconds: begin + stall.milliseconds * 1e6)
        }
        return try result(stalls: stalls) { capture in
            for place in [168_000, 144_000] {
                capture.insert(contentsOf: [Float](repeating: 0, count: 144), at: place)
            }
        }
    }

    @Test("a gap that comes with a stall is the machine's, one that comes without is the library's")
    func stalls() throws {
        let result = try result(stalls: [(2.995, 4), (3.2, 9)])
        #expect(result.gaps.number == 2 && result.gaps.besideStalls == 1 && result.gaps.own == 1)
        #expect(!result.isGapFree)
        #expect(abs(result.gapsPerMinute * result.countedSeconds - 60) < 0.01)
        #expect(result.stalls?.number == 2 && result.stalls?.longestMilliseconds == 9)
        #expect(try self.result(stalls: [(2.995, 4), (3.501, 4)]).isGapFree)
    }

    @Test(
        "a stall that is short, long before a gap, or after it, accounts for nothing",
        arguments: [(2.995, 1.9), (2.98, 4.0), (3.003, 4.0)])
    func otherStalls(seconds: Double, milliseconds: Double) throws {
        #expect(try result(stalls: [(seconds, milliseconds)]).gaps.own == 2)
    }

    @Test("runs on a machine that stands still again and again say little, if there are others")
    func disturbed() throws {
        // Not near either gap.
        func stalls(perSecond: Double) -> [(seconds: Double, milliseconds: Double)] {
            stride(from: 1.5, to: 2.5, by: 1 / (3 * perSecond)).map { ($0, 0.2) }
        }
        #expect(try result(stalls: stalls(perSecond: 40)).isDisturbed)
        #expect(try !result(stalls: stalls(perSecond: 2)).isDisturbed)
        #expect(try !result(stalls: nil).isDisturbed)
        // A disturbed run without its own gaps is no reliable result either.
        let disturbed = try result(stalls: stalls(perSecond: 40) + [(2.995, 4), (3.501, 4)])
        #expect(disturbed.isGapFree && disturbed.isDisturbed)
        let calm = try result(stalls: stalls(perSecond: 2))
        #expect([disturbed, calm].leastDisturbed.map(\.isDisturbed) == [false])
        #expect([disturbed].leastDisturbed.count == 1)
    }

    @Test("if stalls were not recorded, every gap counts")
    func unwatched() throws {
        let result = try result(stalls: nil)
        #expect(result.gaps.besideStalls == nil && result.gaps.own == 2 && result.stalls == nil)
    }

    @Test("a recording by which sound came before its callback is refused")
    func lostTime() {
        #expect(throws: BenchError.self) { try result { $0.removeFirst(960) } }
    }

    @Test("what a process used is what it used after its first second")
    func usage() throws {
        let log = try PeerLog(text: Self.log)
        let used = try #require(log.usages["last"]).since(try #require(log.usages["steady"]))
        #expect(abs(used.processorSeconds - 0.2) < 1e-9 && used.voluntarySwitches == 100)
        #expect(log.notes["threads"] == "3" && log.threadPolicies == ["other 0"])
        #expect(!log.isComplete)
    }

    @Test(
        "a log that cannot be read is refused by its line",
        arguments: ["out\t1\t2", "event\tx", "lane\t0", "usage\tx"])
    func badLog(line: String) {
        #expect(throws: BenchError.self) { try PeerLog(text: "log\t1\n\(line)\n") }
    }
}
