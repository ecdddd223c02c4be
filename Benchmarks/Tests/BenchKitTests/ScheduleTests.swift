// SPDX-License-Identifier: MIT

import BenchKit
import Testing

@Suite("Schedule and budget")
struct ScheduleTests {
    private let peers = PeerTraits.allNames.map(PeerTraits.init(name:))

    private func minutes(_ schedule: Schedule, _ measures: [Measure] = Measure.allCases) -> Double {
        measures.map { schedule.estimate($0, peers: peers, tools: 20, sampleRate: 48000).seconds }
            .reduce(0, +) / 60
    }

    @Test("a full schedule fits into an hour and a half on PulseAudio and 23 minutes on PipeWire")
    func full() {
        #expect(minutes(Schedule(effort: .full)) < 90)
        #expect(minutes(Schedule(effort: .full, hasFixedPeriod: true)) < 23)
    }

    @Test("a quick schedule takes five minutes")
    func quick() {
        #expect(minutes(Schedule(effort: .quick), Schedule.measures(of: .quick)) < 5)
    }

    @Test("a full schedule sweeps from two buffers to eight, and from 0.5 ms to 100 ms")
    func range() {
        let settings = Schedule(effort: .full).sweep(of: PeerTraits(name: PeerTraits.ours))
        #expect(Set(settings.map(\.buffers)) == [2, 3, 8])
        #expect(settings.contains(BufferSetting(buffers: 8, frames: 4800)))
        #expect(settings.contains(BufferSetting(buffers: 2, frames: 24)))
        #expect(Set(settings).count == settings.count)
    }

    @Test("a library is not measured twice with settings that are equal to it")
    func deduplicated() {
        let schedule = Schedule(effort: .full)
        let lengths = schedule.sweep(of: PeerTraits(name: "sdl2")).map(\.frames)
        #expect(Set(lengths).count == lengths.count)
        let totals = schedule.sweep(of: PeerTraits(name: "soundio")).map(\.totalFrames).sorted()
        #expect(zip(totals, totals.dropFirst()).allSatisfy { Double($1) > Double($0) * 1.05 })
    }

    @Test("runs have at least fifty callbacks, but for the sweep")
    func repeats() {
        for schedule in [Schedule(effort: .full), Schedule(effort: .quick)] {
            for runs in [schedule.roundTrip, schedule.input] {
                for setting in runs.settings {
                    let callbacks = (runs.seconds - 1.3) * 48000 / Double(setting.frames)
                    #expect(callbacks >= 50)
                }
            }
        }
    }

    @Test("the command line overrides the defaults")
    func overrides() {
        let setting = BufferSetting(buffers: 5, frames: 100)
        let schedule = Schedule(
            effort: .full, overrides: .init(settings: [setting], seconds: 2, repeats: 7))
        #expect(schedule.roundTrip.settings == [setting])
        #expect(schedule.roundTrip.seconds == 2)
        #expect(schedule.roundTrip.repeats == 7)
        #expect(schedule.load(of: peers[0], sampleRate: 48000) == [setting])
        #expect(schedule.loadRounds(peers).map(\.count) == [Int](repeating: peers.count, count: 7))
        #expect(schedule.sweep(of: peers[0]) == [setting])
        #expect(schedule.estimate(.roundtrip, peers: [peers[0]], tools: 0, sampleRate: 48000).runs == 7)
    }
}

@Suite("Tries for the frontier")
struct FrontierTriesTests {
    private func candidates(_ latencies: [Double]) -> [FrontierTries.Candidate] {
        latencies.enumerated().map {
            .init(setting: BufferSetting(buffers: 3, frames: 10 + $0.offset), latencyMilliseconds: $0.element)
        }
    }

    /// Returns the latencies that are tried if all below `least` have gaps.
    private func tried(_ latencies: [Double], least: Double, tries: Int, isFine: Bool) -> [Double] {
        var state = FrontierTries(candidates(latencies), tries: tries, isFine: isFine)
        var all: [Double] = []
        while let next = state.next {
            all.append(next.latencyMilliseconds)
            state.finish(next.latencyMilliseconds >= least ? .held : .failed)
        }
        return all
    }

    @Test("the lowest latency comes first, and nothing after one that held")
    func lowest() {
        #expect(tried([5, 2, 3], least: 0, tries: 5, isFine: true) == [2])
        #expect(tried([5, 2, 3], least: 3, tries: 5, isFine: true) == [2, 3])
    }

    @Test("after a failure, settings within three percent are left out")
    func near() {
        #expect(tried([2, 2.01, 2.05, 2.1], least: 2.1, tries: 5, isFine: true) == [2, 2.1])
    }

    @Test("no more is tried than may be, and nothing twice")
    func bounded() {
        let all = stride(from: 1.0, to: 50, by: 0.5).map { $0 }
        #expect(tried(all, least: 1000, tries: 5, isFine: false).count == 5)
        #expect(tried(all, least: 1000, tries: 1, isFine: false) == [1])
        #expect(tried(all, least: 1000, tries: 9, isFine: true).count == 9)
        #expect(tried([1, 1], least: 1000, tries: 5, isFine: true) == [1])
        #expect(tried([], least: 0, tries: 5, isFine: true).isEmpty)
    }

    @Test("what nearly held is tried again, as often as may be, and what failed is not")
    func repeated() {
        var state = FrontierTries(candidates([1, 2]), tries: 5, isFine: true, repeats: 2)
        for _ in 0..<3 {
            #expect(state.next?.latencyMilliseconds == 1)
            state.finish(.nearlyHeld)
        }
        #expect(state.next?.latencyMilliseconds == 2)
        state.finish(.nearlyHeld)
        #expect(state.next?.latencyMilliseconds == 2)
        state.finish(.failed)
        #expect(state.next == nil)
        #expect(state.best == nil)
    }

    @Test("a setting is tried for longer and longer, up to the time that counts")
    func stages() {
        #expect(Schedule(effort: .full).frontierStages == [5, 15, 60])
        #expect(Schedule(effort: .full, overrides: .init(seconds: 10)).frontierStages == [5, 10])
        #expect(Schedule(effort: .quick).frontierStages == [Schedule(effort: .quick).frontierSeconds])
    }

    @Test("coarse steps get far in a few tries")
    func coarse() {
        let all = stride(from: 1.0, to: 50, by: 0.5).map { $0 }
        #expect(tried(all, least: 3.5, tries: 5, isFine: false) == [1, 1.5, 2, 3.5])
    }
}

@Suite("Records")
struct RecordTests {
    @Test("a resumed record repeats only incomplete measures")
    func resume() {
        var completion = Completion()
        completion.add(.sweep, on: "pulseaudio")
        completion.add(.sweep, on: "pulseaudio")
        #expect(completion.left(of: [.roundtrip, .sweep, .load], on: "pulseaudio") == [.roundtrip, .load])
        #expect(completion.left(of: [.sweep], on: "pipewire") == [.sweep])
    }

    @Test("JSON keeps its strings and whole numbers, and few decimals")
    func compact() {
        let json = #"{"a":[1.25,3.14159265,2.00001,1e-7,1.5e-7,-0.1],"b.123456":"1.23456\"7.891011"}"#
        let text = String(decoding: CompactJSON.text(json.utf8, decimals: 4, depth: 0), as: UTF8.self)
        #expect(
            text == #"{"a":[1.25,3.1415,2,1e-7,1.5e-7,-0.1],"b.123456":"1.23456\"7.891011"}"# + "\n")
    }

    @Test("JSON has a line for each result")
    func lines() {
        let text = String(
            decoding: CompactJSON.text(#"{"a":[{"x":[1,2]},{"x":[3]}]}"#.utf8, depth: 2), as: UTF8.self)
        #expect(text == "{\n\"a\":[\n{\"x\":[1,2]},\n{\"x\":[3]}]}\n")
    }
}
