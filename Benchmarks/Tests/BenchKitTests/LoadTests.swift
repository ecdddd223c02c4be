// SPDX-License-Identifier: MIT

import BenchKit
import Testing

@Suite("Gaps beside busy processes")
struct LoadTests {
    private func run(
        _ peer: String, frames: Int, latency: Double, gaps: Int = 0, seconds: Double = 7.5
    ) -> OutputResult {
        var result = OutputResult(
            measure: Measure.load.rawValue, peer: peer, server: "pulseaudio",
            setting: BufferSetting(buffers: 3, frames: frames), seconds: seconds, isLoaded: true)
        result.latency = Summary([latency])
        result.countedSeconds = seconds
        result.gaps.number = gaps
        result.gaps.totalMilliseconds = Double(gaps) * 2
        result.gaps.longestMilliseconds = gaps > 0 ? 2 : 0
        return result
    }

    @Test("runs of one setting are taken together, and counted for a minute of what was counted")
    func points() {
        let points = LoadPoint.points([
            run("a", frames: 80, latency: 4, gaps: 3), run("a", frames: 80, latency: 4.2),
            run("a", frames: 80, latency: 9), run("a", frames: 40, latency: 2),
        ])
        #expect(points.map(\.setting.frames) == [40, 80])
        #expect(points.last?.latencyMilliseconds == 4.2)
        #expect(points.last?.gaps == 3)
        #expect(points.last?.gapMilliseconds == 6)
        #expect(points.last?.gapsPerMinute == 8)
    }

    @Test("gaps during stalls of the machine are counted separately")
    func stalls() {
        var stalled = run("a", frames: 80, latency: 4, gaps: 3)
        stalled.gaps.besideStalls = 2
        let points = LoadPoint.points([stalled, run("a", frames: 80, latency: 4, gaps: 1)])
        #expect(points.map(\.gaps) == [2])
        #expect(points.map(\.gapsBesideStalls) == [2])
    }

    @Test("a run that failed, or was not audible, is not a point")
    func failures() {
        var failed = run("a", frames: 80, latency: 4)
        failed.failure = "it did not start"
        var inaudible = run("a", frames: 40, latency: 4)
        inaudible.latency = nil
        #expect(LoadPoint.points([failed, inaudible]).isEmpty)
    }

    @Test("who is not near a latency is not compared at it")
    func nearest() {
        let points = LoadPoint.points([
            run("a", frames: 80, latency: 4), run("a", frames: 40, latency: 2),
            run("a", frames: 9, latency: -30),
        ])
        #expect(LoadPoint.nearest(4.5, in: points)?.setting.frames == 80)
        #expect(LoadPoint.nearest(1.7, in: points)?.setting.frames == 40)
        #expect(LoadPoint.nearest(7.5, in: points) == nil)
        #expect(LoadPoint.nearest(2.8, in: points) == nil)
        #expect(LoadPoint.nearest(4, in: []) == nil)
    }

    @Test("ours, libpulse and cubeb are counted for half a minute at each latency")
    func long() {
        let schedule = Schedule(effort: .full)
        let peers = PeerTraits.allNames.map(PeerTraits.init(name:))
        let rounds = schedule.loadRounds(peers)
        for peer in peers where peer.isContender {
            let runs = rounds.filter { $0.contains(peer) }.count
            #expect(Double(runs) * (schedule.loadSeconds - 1.3) >= 30)
            #expect(schedule.load(of: peer, sampleRate: 48000).count == Schedule.loadLatencies.count)
        }
        #expect(rounds.allSatisfy { !$0.isEmpty })
        #expect(rounds.last?.count == 3)
    }

    @Test("settings are chosen so that latencies are alike")
    func alike() {
        let schedule = Schedule(effort: .full)
        for name in PeerTraits.allNames {
            let peer = PeerTraits(name: name)
            for setting in schedule.load(of: peer, sampleRate: 48000) {
                let latency = Double(setting.frames) * peer.latencyInBuffers / 48
                // Lengths are multiples of 12 frames, a large step if buffers are short.
                let halfStep = 6 * peer.latencyInBuffers / 48
                let nearness = max(0.12 * latency, halfStep + 0.01)
                #expect(Schedule.loadLatencies.contains { abs($0 - latency) < nearness })
            }
        }
    }
}
