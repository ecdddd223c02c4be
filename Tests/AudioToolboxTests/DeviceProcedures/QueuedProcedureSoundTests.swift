// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import Dispatch
import Glibc
import AQSoundHarness
import Synchronization
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// Blocks that a dispatch queue calls, on a private server.
@Suite("Procedures on dispatch queues", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct QueuedProcedureSoundTests {
    private let server: PulseServer
    private let rig: ProcedureRig
    private let queue = DispatchQueue(label: "test procedure", qos: .userInteractive)

    init() throws {
        server = try PulseServer()
        rig = ProcedureRig(server)
    }

    private var submit: SendableSubmit { SendableSubmit { [queue] in queue.async(execute: $0) } }

    @Test("play each frame that they return in time") func play() throws {
        try rig.set(kAudioDevicePropertyBufferFrameSize, of: "test", to: 2048)
        let signal = SignalProcedure(frames: 48_000)
        let id = try rig.add(to: "test", submit: submit) { signal($0) }
        let capture = try MonitorCapture(server)
        try rig.registry.start(id, of: "test")
        #expect(capture.waitForSignal(47_000))
        let runs = TestSignal.runs(in: capture.stop())
        try rig.registry.remove(id, of: "test")
        // On a busy machine a block may be late, whose frames are then not played.
        #expect(runs.map(\.frames).reduce(0, +) >= 40_000)
        #expect(signal.cycles.allSatisfy { $0.frames == 2048 && $0.isPlain })
    }

    @Test("that are late are silent and reported, and play again when they return") func late() throws {
        let reports = Tally()
        try rig.listen(kAudioDeviceProcessorOverload, of: "test") { reports.add() }
        let calls = Tally()
        let id = try rig.add(to: "test", submit: submit) { cycle in
            cycle.play(0.5)
            if calls.add() == 20 { usleep(200_000) }
        }
        let capture = try MonitorCapture(server)
        try rig.registry.start(id, of: "test")
        #expect(HostClock.poll(upToSeconds: 10) { calls.now > 60 && reports.now > 0 })
        try rig.registry.remove(id, of: "test")
        let played = capture.stop()
        #expect(!played.gaps(minimumFrames: 2_400).isEmpty)
        try rig.endListening(kAudioDeviceProcessorOverload, of: "test")
    }

    @Test("capture while the queue waits, with memory that stays valid") func capture() throws {
        let player = try rig.add(to: "test") { $0.play(0.25) }
        let slices = Mutex<[(sampleTime: Double, isEven: Bool)]>([])
        let id = try rig.add(to: "test.monitor", submit: submit) { cycle in
            // The queue is late, and catches up.
            let isFirst = slices.withLock { $0.isEmpty }
            if isFirst { usleep(100_000) }
            let samples = cycle.captured
            let isEven = Set(samples.map { ($0 * 1000).rounded() }).count == 1
            slices.withLock { $0.append((cycle.inputTime.mSampleTime, isEven)) }
        }
        try rig.registry.start(player, of: "test")
        usleep(300_000)
        try rig.registry.start(id, of: "test.monitor")
        #expect(HostClock.poll(upToSeconds: 10) { slices.withLock { $0.count } > 50 })
        try rig.registry.remove(id, of: "test.monitor")
        try rig.registry.remove(player, of: "test")
        let all = slices.withLock { $0 }
        let gaps = zip(all, all.dropFirst()).count { $1.sampleTime != $0.sampleTime + 512 }
        #expect(gaps <= 2, "\(gaps) gaps")
        #expect(all.suffix(20).filter(\.isEven).count >= 15)
    }

    @Test("may stop themselves, and are not called after a stop") func stop() throws {
        let (calls, id) = (Tally(), Tally())
        let registry = rig.registry
        id.now = Int(
            try rig.add(to: "test", submit: submit) { _ in
                guard calls.add() == 5 else { return }
                let start = HostClock.now
                #expect(throws: Never.self) { try registry.stop(UInt(id.now), of: "test") }
                #expect(HostClock.now - start < 1_000_000_000)
            })
        try registry.start(UInt(id.now), of: "test")
        #expect(HostClock.poll(upToSeconds: 5) { registry.line(of: "test") == nil })
        try registry.start(UInt(id.now), of: "test")
        #expect(HostClock.poll(upToSeconds: 5) { calls.now > 10 })
        // The queue that would call the block makes the call.
        queue.sync { #expect(throws: Never.self) { try registry.stop(UInt(id.now), of: "test") } }
        let count = calls.now
        usleep(50_000)
        expectEqual(calls.now, count)
        try registry.remove(UInt(id.now), of: "test")
    }
}
