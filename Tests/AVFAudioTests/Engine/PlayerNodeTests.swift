// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import Synchronization
import Testing

@Suite("AVAudioPlayerNode")
struct PlayerNodeTests {
    /// A number for each frame, exact as a float.
    private static func ramp(_ from: Int) -> (Int, Int) -> Float {
        { frame, channel in Float(from + frame + 1) / 65_536 * (channel == 0 ? 1 : -1) }
    }

    @Test("plays buffers one after the other, frame for frame, on both channels")
    func backToBack() throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        try rig.engine.start()
        for (start, length) in [(0, 100), (100, 1), (101, 700), (801, 1_024)] {
            player.scheduleBuffer(try OfflineRig.buffer(length, Self.ramp(start)), completionHandler: nil)
        }
        player.play()
        let samples = try rig.render(2_000)
        let expected = (0..<2_000).map { $0 < 1_825 ? Float($0 + 1) / 65_536 : 0 }
        expectEqual(samples[0], expected)
        expectEqual(samples[1], expected.map { -$0 })
    }

    @Test("joins buffers of another rate without a click")
    func otherRate() throws {
        let rig = try OfflineRig()
        let player = try rig.player(sampleRate: 24_000, channels: 1)
        try rig.engine.start()
        let step = 2 * Double.pi * 440 / 24_000
        for part in 0..<40 {
            player.scheduleBuffer(
                try OfflineRig.buffer(301, sampleRate: 24_000, channels: 1) { frame, _ in
                    Float(0.5 * sin(step * Double(part * 301 + frame)))
                }, completionHandler: nil)
        }
        player.play()
        let samples = try rig.render(24_000)
        let differences = (200..<23_000).map { frame in
            abs(Double(samples[0][frame]) - 0.5 * sin(step / 2 * Double(frame)))
        }
        #expect((differences.max() ?? 1) < 1e-3, "\(differences.max() ?? 1)")
        expectEqual(samples[0], samples[1])
    }

    @Test("loops until another buffer interrupts, at once or at the end of the loop")
    func loops() throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        try rig.engine.start()
        let loop = try OfflineRig.buffer(100) { frame, _ in Float(frame + 1) / 1_024 }
        let next = try OfflineRig.buffer(50) { _, _ in 0.5 }
        player.scheduleBuffer(loop, at: nil, options: .loops, completionHandler: nil)
        player.play()
        try expectEqual(rig.render(250)[0], (0..<250).map { Float($0 % 100 + 1) / 1_024 })
        player.scheduleBuffer(next, at: nil, options: .interruptsAtLoop, completionHandler: nil)
        let rest = try rig.render(110)[0]
        #expect(rest[..<50].elementsEqual((0..<50).map { Float($0 + 51) / 1_024 }))
        #expect(rest[50..<100].allSatisfy { $0 == 0.5 } && rest[100...].allSatisfy { $0 == 0 })
        player.scheduleBuffer(loop, at: nil, options: .loops, completionHandler: nil)
        try expectEqual(rig.render(130)[0][129], 30.0 / 1_024)
        player.scheduleBuffer(next, at: nil, options: .interrupts, completionHandler: nil)
        try expectEqual(rig.render(51)[0], Array(repeating: 0.5, count: 50) + [0])
    }

    @Test("plays buffers at times of the player, and starts at a time of the node")
    func times() throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        try rig.engine.start()
        let click = try OfflineRig.buffer(1) { _, _ in 1 }
        for time in [1_000, 1_500, 3_000] {
            player.scheduleBuffer(
                click, at: AVAudioTime(sampleTime: Int64(time), atRate: 48_000), options: [],
                completionHandler: nil)
        }
        player.play(at: AVAudioTime(sampleTime: 700, atRate: 48_000))
        let samples = try rig.render(4_000)[0]
        expectEqual(samples.indices.filter { samples[$0] != 0 }, [1_700, 2_200, 3_700])
        let node = try #require(player.lastRenderTime)
        let time = try #require(player.playerTime(forNodeTime: node))
        expectEqual(time.sampleTime, node.sampleTime - 700)
        expectEqual(player.nodeTime(forPlayerTime: time)?.sampleTime, node.sampleTime)
    }

    @Test("stands still while it is paused, and begins at 0 after a stop")
    func pause() throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        try rig.engine.start()
        player.scheduleBuffer(try OfflineRig.buffer(1_000, Self.ramp(0)), completionHandler: nil)
        player.play()
        _ = try rig.render(300)
        player.pause()
        #expect(!player.isPlaying)
        #expect(try rig.render(200)[0].allSatisfy { $0 == 0 })
        player.play()
        try expectEqual(rig.render(100)[0], (0..<100).map { Float(300 + $0 + 1) / 65_536 })
        let node = try #require(player.lastRenderTime)
        expectEqual(player.playerTime(forNodeTime: node)?.sampleTime, 300)
        player.stop()
        player.scheduleBuffer(try OfflineRig.buffer(10, Self.ramp(0)), completionHandler: nil)
        player.play()
        try expectEqual(rig.render(10)[0], (0..<10).map { Float($0 + 1) / 65_536 })
        expectEqual(player.lastRenderTime.flatMap { player.playerTime(forNodeTime: $0) }?.sampleTime, 0)
    }

    @Test("calls each handler once: when played, stopped, interrupted, and without an engine")
    func handlers() throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        try rig.engine.start()
        let calls = Mutex<[String]>([])
        func schedule(_ name: String, _ options: AVAudioPlayerNodeBufferOptions = []) throws {
            player.scheduleBuffer(
                try OfflineRig.buffer(100) { _, _ in 0.1 }, at: nil, options: options,
                completionCallbackType: .dataPlayedBack
            ) { type in calls.withLock { $0.append(type == .dataPlayedBack ? name : "wrong type") } }
        }
        try schedule("a")
        try schedule("b")
        player.play()
        _ = try rig.render(150)
        #expect(OfflineRig.wait { calls.withLock { $0 == ["a"] } })
        try schedule("c", .interrupts)
        _ = try rig.render(50)
        #expect(OfflineRig.wait { calls.withLock { $0 == ["a", "b"] } })
        try schedule("d")
        player.stop()
        #expect(OfflineRig.wait { calls.withLock { $0 == ["a", "b", "c", "d"] } })
        rig.engine.detach(player)
        try schedule("e")
        player.stop()
        #expect(OfflineRig.wait { calls.withLock { $0.last == "e" } })
        expectEqual(calls.withLock { $0.count }, 5)
    }

    @Test("may be stopped by a handler, and schedules the next buffer there")
    func handlerCalls() throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        try rig.engine.start()
        nonisolated(unsafe) let (node, engine) = (player, rig.engine)
        let isDone = Atomic<Bool>(false)
        let next = try OfflineRig.buffer(10) { _, _ in 0.25 }
        nonisolated(unsafe) let buffer = next
        player.scheduleBuffer(try OfflineRig.buffer(10) { _, _ in 0.5 }) {
            unsafe node.scheduleBuffer(buffer) {
                unsafe node.stop()
                unsafe engine.stop()
                isDone.store(true, ordering: .releasing)
            }
        }
        player.play()
        #expect(
            OfflineRig.wait {
                _ = try? rig.render(10)
                return isDone.load(ordering: .acquiring)
            })
        #expect(!rig.engine.isRunning)
    }
}
