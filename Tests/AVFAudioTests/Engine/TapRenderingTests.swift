// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import Synchronization
import Testing

/// Taps of an engine that a caller renders.
@Suite("Taps in manual rendering", .timeLimit(.minutes(20)))
struct TapRenderingTests {
    @Test("get every frame of slices of any length", arguments: [512, 31_999, 40_000])
    func slices(maximumFrames: Int) throws {
        let rig = try OfflineRig(sampleRate: 16_000, channels: 1, maximumFrames: UInt32(maximumFrames))
        let player = try rig.player()
        let got = Mutex<[Float]>([])
        rig.engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1_024, format: nil) { buffer, _ in
            guard let data = unsafe buffer.floatChannelData else { return }
            let samples = unsafe Array(UnsafeBufferPointer(start: data[0], count: Int(buffer.frameLength)))
            got.withLock { $0 += samples }
        }
        try rig.engine.start()
        let frames = 3 * 40_000
        player.scheduleBuffer(
            try OfflineRig.buffer(frames, sampleRate: 16_000, channels: 1) { frame, _ in
                Float(frame) / 262_144
            }, completionHandler: nil)
        player.play()
        let rendered = try rig.render(frames, slice: maximumFrames)[0]
        let tapped = got.withLock { $0 }
        expectEqual(tapped.count, frames / 1_024 * 1_024)
        let isExact = tapped.elementsEqual(rendered.prefix(tapped.count))
        #expect(isExact)
    }

    @Test("may render another engine in their block")
    func nested() throws {
        let (outer, inner) = try (OfflineRig(), OfflineRig())
        let player = try inner.player()
        try inner.engine.start()
        player.play()
        let heard = Mutex<[Float]>([])
        let block = { (buffer: AVAudioPCMBuffer, _: AVAudioTime) in
            player.scheduleBuffer(buffer, completionHandler: nil)
            let samples = try? inner.render(Int(buffer.frameLength))[0]
            heard.withLock { $0 += samples ?? [] }
        }
        outer.engine.mainMixerNode.installTap(onBus: 0, bufferSize: 480, format: nil, block: block)
        let source = try outer.player()
        try outer.engine.start()
        source.scheduleBuffer(try OfflineRig.buffer(4_800) { _, _ in 0.25 }, completionHandler: nil)
        source.play()
        _ = try outer.render(4_800, slice: 480)
        expectEqual(heard.withLock { $0 }, [Float](repeating: 0.25, count: 4_800))
    }

    @Test("do not wait for the taps of another engine")
    func others() throws {
        let (slow, other) = try (OfflineRig(), OfflineRig())
        let hasBegun = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        slow.engine.mainMixerNode.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in
            hasBegun.signal()
            goesOn.wait()
        }
        try slow.engine.start()
        nonisolated(unsafe) let slowRig = slow
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? unsafe slowRig.render(512)
            isDone.signal()
        }
        expectEqual(hasBegun.wait(timeout: .now() + 10), .success)
        try other.engine.start()
        try expectEqual(other.render(512)[0].count, 512)
        goesOn.signal()
        expectEqual(isDone.wait(timeout: .now() + 10), .success)
    }
}
