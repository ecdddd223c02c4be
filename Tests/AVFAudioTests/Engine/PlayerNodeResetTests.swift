// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import Synchronization
import AQTestSupport
import Testing

@Suite("Resets and handlers of AVAudioPlayerNode")
struct PlayerNodeResetTests {
    @Test("a new player belongs to no engine, does not play, and changes nothing in a mix")
    func initial() {
        let player = AVAudioPlayerNode()
        #expect(player.engine == nil && !player.isPlaying)
        #expect(player.volume == 1 && player.pan == 0)
        #expect(player.numberOfInputs == 0 && player.numberOfOutputs == 1)
        expectEqual(player.lastRenderTime, nil)
    }

    @Test("a reset drops what is scheduled, calls the handlers, and sets the time to 0")
    func reset() throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        try rig.engine.start()
        let calls = Mutex<[String]>([])
        for name in ["a", "b"] {
            let buffer = try OfflineRig.buffer(100) { _, _ in 0.5 }
            player.scheduleBuffer(buffer) { calls.withLock { $0.append(name) } }
        }
        player.play()
        #expect(try rig.render(50)[0].allSatisfy { $0 == 0.5 })
        player.reset()
        #expect(!player.isPlaying)
        #expect(OfflineRig.wait { calls.withLock { $0 == ["a", "b"] } })
        #expect(try rig.render(200)[0].allSatisfy { $0 == 0 })
        // What is scheduled later begins with its first frame.
        player.scheduleBuffer(
            try OfflineRig.buffer(10) { frame, _ in Float(frame + 1) / 16 }, completionHandler: nil)
        player.play()
        let expected: [Float] = (0..<10).map { Float($0 + 1) / 16 } + [0]
        try expectEqual(rig.render(11)[0], expected)
        let node = try #require(player.lastRenderTime)
        expectEqual(player.playerTime(forNodeTime: node)?.sampleTime, 0)
    }

    @Test(
        "a handler gets the type that it was scheduled with, once, and not before the last frame",
        arguments: [
            AVAudioPlayerNodeCompletionCallbackType.dataConsumed, .dataRendered, .dataPlayedBack,
        ])
    func types(type: AVAudioPlayerNodeCompletionCallbackType) throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        try rig.engine.start()
        let got = Mutex<[AVAudioPlayerNodeCompletionCallbackType]>([])
        let buffer = try OfflineRig.buffer(100) { _, _ in 0.5 }
        player.scheduleBuffer(buffer, completionCallbackType: type) { type in
            got.withLock { $0.append(type) }
        }
        player.scheduleBuffer(buffer, at: nil, options: [], completionCallbackType: type) { type in
            got.withLock { $0.append(type) }
        }
        player.play()
        _ = try rig.render(99)
        #expect(remains(forSeconds: 0.05) { got.withLock { $0.isEmpty } })
        _ = try rig.render(1)
        #expect(OfflineRig.wait { got.withLock { $0 == [type] } })
        _ = try rig.render(99)
        #expect(remains(forSeconds: 0.05) { got.withLock { $0.count } == 1 })
        _ = try rig.render(200)
        #expect(OfflineRig.wait { got.withLock { $0 == [type, type] } })
    }
}
