// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AQSessions
import Foundation
import AQSoundHarness
import Synchronization
import Testing

extension RecordingTests {
    @Suite("The input of an engine", .engineServer)
    struct EngineInput {
        /// Counts the buffers of a tap with sound, and without.
        private final class Counter: Sendable {
            let sounding = Atomic<Int>(0)
            let silent = Atomic<Int>(0)

            func count(_ buffer: AVAudioPCMBuffer) {
                guard let data = unsafe buffer.floatChannelData else { return }
                let hasSound = (0..<Int(buffer.frameLength)).contains { unsafe data[0][$0] != 0 }
                _ =
                    hasSound
                    ? sounding.wrappingAdd(1, ordering: .relaxed) : silent.wrappingAdd(1, ordering: .relaxed)
            }
        }

        /// Plays a constant while an engine captures; returns the counts of its tap.
        private func capture(_ prepare: () throws -> Void) throws -> Counter {
            let (player, recorder, counter) = (AVAudioEngine(), AVAudioEngine(), Counter())
            let source = unsafe AVAudioSourceNode { _, _, _, list in
                let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
                for index in unsafe buffers.indices {
                    unsafe buffers[index].mData?.assumingMemoryBound(to: Float.self).update(
                        repeating: 0.25, count: Int(buffers[index].mDataByteSize) / 4)
                }
                return noErr
            }
            player.attach(source)
            player.connect(source, to: player.mainMixerNode, format: nil)
            try player.start()
            HostClock.wait(until: HostClock.time(inSeconds: 0.2))
            try prepare()
            recorder.inputNode.installTap(onBus: 0, bufferSize: 480, format: nil) { buffer, _ in
                counter.count(buffer)
            }
            try recorder.start()
            _ = OfflineRig.wait(3) {
                counter.sounding.load(ordering: .relaxed) + counter.silent.load(ordering: .relaxed) > 60
            }
            recorder.stop()
            player.stop()
            return counter
        }

        @Test("is silent while the program has muted it, and sounds otherwise", arguments: [true, false])
        func mute(isMuted: Bool) throws {
            defer { try? AVAudioApplication.shared.setInputMuted(false) }
            let counter = try capture { try AVAudioApplication.shared.setInputMuted(isMuted) }
            let (sounding, silent) = (
                counter.sounding.load(ordering: .relaxed), counter.silent.load(ordering: .relaxed)
            )
            #expect(isMuted ? sounding == 0 && silent > 50 : sounding > 40, "\(sounding), \(silent)")
        }

        @Test("is the microphone that the session prefers")
        func preferred() throws {
            try EngineServer.current().addMicrophone("quiet", channels: 1)
            defer { AudioSession.shared.change { $0.preferredInput = nil } }
            let counter = try capture { AudioSession.shared.change { $0.preferredInput = "quiet" } }
            expectEqual(counter.sounding.load(ordering: .relaxed), 0)
            #expect(counter.silent.load(ordering: .relaxed) > 50)
        }
    }
}
