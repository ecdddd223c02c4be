// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AQSoundHarness
import Synchronization
import AQTestTraits
import Testing

/// A player whose sound is heard later, by a delay.
private struct LateSound {
    let player = AVAudioPlayerNode()
    let delay = AVAudioUnitDelay()

    init(_ engine: AVAudioEngine, seconds: Double) {
        delay.delayTime = seconds
        delay.feedback = 0
        delay.lowPassCutoff = 24_000
        delay.wetDryMix = 100
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)
        engine.attach(player)
        engine.attach(delay)
        engine.connect(player, to: delay, format: format)
        engine.connect(delay, to: engine.mainMixerNode, format: format)
    }
}

@Suite("Reset of nodes") struct NodeResetTests {
    @Test("of an effect drops what it holds, and the player goes on")
    func effect() throws {
        let rig = try OfflineRig()
        let sound = LateSound(rig.engine, seconds: 0.1)
        try rig.engine.start()
        sound.player.scheduleBuffer(try OfflineRig.buffer(9_600) { frame, _ in Float(frame) / 16_384 })
        sound.player.play()
        #expect(try rig.render(4_800)[0].allSatisfy { $0 == 0 })
        sound.delay.reset()
        #expect(try rig.render(4_800)[0].allSatisfy { $0 == 0 })
        let rest = try rig.render(4_800)[0]
        #expect(rest.indices.allSatisfy { abs(rest[$0] - Float(4_800 + $0) / 16_384) < 1e-5 })
    }

    @Test("of an engine drops what effects hold, and stops the players")
    func all() throws {
        let rig = try OfflineRig()
        let sound = LateSound(rig.engine, seconds: 0.1)
        try rig.engine.start()
        sound.player.scheduleBuffer(try OfflineRig.buffer(9_600) { _, _ in 0.5 })
        sound.player.play()
        _ = try rig.render(2_400)
        rig.engine.reset()
        #expect(!sound.player.isPlaying)
        #expect(try rig.render(14_400)[0].allSatisfy { $0 == 0 })
    }

    @Test("by code that renders has its effect with the next slice")
    func rendering() throws {
        let rig = try OfflineRig()
        let sound = LateSound(rig.engine, seconds: 0.1)
        let delay = sound.delay
        let slices = Atomic<Int>(0)
        let source = unsafe AVAudioSourceNode { _, _, _, list in
            if slices.wrappingAdd(1, ordering: .relaxed).newValue == 10 { delay.reset() }
            let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
            for index in unsafe buffers.indices {
                unsafe buffers[index].mData?.initializeMemory(
                    as: UInt8.self, repeating: 0, count: Int(buffers[index].mDataByteSize))
            }
            return noErr
        }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: nil)
        try rig.engine.start()
        sound.player.scheduleBuffer(try OfflineRig.buffer(4_800) { _, _ in 0.5 })
        sound.player.play()
        #expect(try rig.render(14_400, slice: 480)[0].allSatisfy { $0 == 0 })
        expectEqual(slices.load(ordering: .relaxed), 30)
    }
}

@Suite("Reset of nodes, on a server", .serialized, .besideOthers, .engineServer, .timeLimit(.minutes(2)))
struct NodeResetSoundTests {
    @Test("of an effect drops what it holds while a device renders", arguments: [false, true])
    func effect(isReset: Bool) throws {
        let engine = AVAudioEngine()
        let sound = LateSound(engine, seconds: 1.5)
        let capture = try MonitorCapture(EngineServer.current())
        try engine.start()
        let isPlayed = Atomic<Bool>(false)
        sound.player.scheduleBuffer(
            try OfflineRig.buffer(4_800) { _, _ in 0.5 }, completionCallbackType: .dataRendered
        ) { _ in isPlayed.store(true, ordering: .releasing) }
        sound.player.play()
        #expect(OfflineRig.wait(5) { isPlayed.load(ordering: .acquiring) })
        if isReset { sound.delay.reset() }
        HostClock.wait(until: HostClock.time(inSeconds: 2))
        engine.stop()
        expectEqual(capture.stop().samples.contains { $0 != 0 }, !isReset)
    }
}
