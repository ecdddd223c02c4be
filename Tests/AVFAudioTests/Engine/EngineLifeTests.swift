// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import Synchronization
import Testing

/// Starts and stops of engines that a caller renders.
@Suite("The life of AVAudioEngine")
struct EngineLifeTests {
    /// A number for each frame, exact as a float.
    private func ramp(_ frames: Int) throws -> AVAudioPCMBuffer {
        try OfflineRig.buffer(frames) { frame, _ in Float(frame + 1) / 1_024 }
    }

    /// The code of the error of rendering; nil if frames were rendered.
    private func failure(_ rig: OfflineRig) throws -> Int? {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: rig.format, frameCapacity: 64))
        return thrownCode { _ = try rig.engine.renderOffline(64, to: buffer) }
    }

    private static let notRunning = -80_802

    @Test("a new engine is empty, and does not start without connections")
    func empty() {
        let engine = AVAudioEngine()
        #expect(engine.attachedNodes.isEmpty && !engine.isRunning)
        #expect(!engine.isInManualRenderingMode)
        expectEqual(thrownCode { try engine.start() }, -10_875)
        #expect(!engine.isRunning)
    }

    @Test("a prepared engine does not run, and starts with the first frame")
    func prepare() throws {
        let rig = try OfflineRig()
        rig.engine.prepare()
        let player = try rig.player()
        player.scheduleBuffer(try ramp(100), completionHandler: nil)
        player.play()
        rig.engine.prepare()
        #expect(!rig.engine.isRunning)
        try expectEqual(failure(rig), Self.notRunning)
        try rig.engine.start()
        #expect(rig.engine.isRunning)
        let samples = try rig.render(101)[0]
        let expected: [Float] = (0..<100).map { Float($0 + 1) / 1_024 } + [0]
        expectEqual(samples, expected)
    }

    @Test("a paused engine renders nothing, and goes on with the next frame")
    func pause() throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        try rig.engine.start()
        player.scheduleBuffer(try ramp(1_000), completionHandler: nil)
        player.play()
        try expectEqual(rig.render(300)[0].last, 300.0 / 1_024)
        #expect(player.lastRenderTime != nil)
        rig.engine.pause()
        #expect(!rig.engine.isRunning && player.isPlaying)
        expectEqual(player.lastRenderTime, nil)
        try expectEqual(failure(rig), Self.notRunning)
        try rig.engine.start()
        #expect(rig.engine.isRunning)
        let expected: [Float] = (300..<400).map { Float($0 + 1) / 1_024 }
        try expectEqual(rig.render(100)[0], expected)
        expectEqual(rig.engine.manualRenderingSampleTime, 400)
    }

    @Test("a stopped engine drops what players play, and a second stop does nothing")
    func stop() throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        try rig.engine.start()
        let isDone = Atomic<Bool>(false)
        player.scheduleBuffer(try ramp(1_000)) { isDone.store(true, ordering: .releasing) }
        player.play()
        try expectEqual(rig.render(100)[0].last, 100.0 / 1_024)
        rig.engine.stop()
        rig.engine.stop()
        #expect(!rig.engine.isRunning && !player.isPlaying)
        #expect(OfflineRig.wait { isDone.load(ordering: .acquiring) })
        try expectEqual(failure(rig), Self.notRunning)
        try rig.engine.start()
        #expect(try rig.render(100)[0].allSatisfy { $0 == 0 })
    }

    @Test(
        "a reset drops what is scheduled and what effects hold, and the engine still runs",
        arguments: [true, false])
    func reset(isReset: Bool) throws {
        let rig = try OfflineRig()
        let (player, delay) = (AVAudioPlayerNode(), AVAudioUnitDelay())
        (delay.delayTime, delay.feedback) = (0.01, 0)
        rig.engine.attach(player)
        rig.engine.attach(delay)
        rig.engine.connect(player, to: delay, format: rig.format)
        rig.engine.connect(delay, to: rig.engine.mainMixerNode, format: nil)
        try rig.engine.start()
        let isDone = Atomic<Bool>(false)
        player.scheduleBuffer(try OfflineRig.buffer(10_000) { _, _ in 0.5 }) {
            isDone.store(true, ordering: .releasing)
        }
        player.play()
        // The echo follows after 480 frames.
        #expect(try rig.render(240)[0].allSatisfy { $0 == 0 })
        if isReset { rig.engine.reset() }
        let rest = try rig.render(960).flatMap(\.self)
        let peak = rest.map { abs($0) }.max() ?? 0
        #expect(isReset ? peak == 0 : peak > 0.2, "\(peak)")
        #expect(rig.engine.isRunning && player.isPlaying == !isReset)
        expectEqual(OfflineRig.wait(isReset ? 2 : 0) { isDone.load(ordering: .acquiring) }, isReset)
        expectEqual(rig.engine.manualRenderingSampleTime, (isReset ? 960 : 1_200))
    }
}
