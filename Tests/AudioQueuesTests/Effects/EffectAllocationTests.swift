// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAllocationMeter
import CoreAudioTypes
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Memory of effects") struct EffectAllocationTests {
        /// Passes all frames.
        private func passingTap(_ kind: QueueTapFlags) -> QueueTap {
            unsafe QueueTap(kind) { frames, timeStamp, flags, audio, source in
                guard !kind.contains(.siphon) else { return frames }
                do throws(QueueError) {
                    let read = try unsafe source.read(frames: frames, timeStamp: &timeStamp, into: audio)
                    flags = read.flags
                    return read.frames
                } catch {
                    return 0
                }
            }
        }

        @Test(
            "running effects allocate no memory",
            .enabled(if: aq_meter_is_live() == 1, "a sanitizer counts allocations itself"),
            arguments: [true, false], [true, false])
        func steady(isBefore: Bool, isSiphon: Bool) {
            let chain = EffectChain(sampleRate: 48000, channels: 2, outputChannels: 2, makeStretcher: nil)
            let kind: QueueTapFlags = isBefore ? .preEffects : .postEffects
            chain.tap = passingTap(isSiphon ? kind.union(.siphon) : kind)
            chain.algorithm = .varispeed
            chain.isTimePitchEnabled = true
            let output = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 1024)
            defer { unsafe output.deallocate() }
            var frames = 0
            func play(chunks: Int) {
                for chunk in 0..<chunks {
                    chain.setRate(chunk % 2 == 0 ? 1.3 : 0.7)
                    chain.setPan(chunk % 3 == 0 ? 0.5 : -0.5)
                    unsafe chain.room(frames: 1152).update(repeating: 0.25, count: 2304)
                    chain.didDecode(frames: 1152)
                    while true {
                        let count = unsafe chain.process(into: output, capacityFrames: 1024, isUrgent: false)
                        if count == 0 { break }
                        frames += count
                    }
                }
            }
            play(chunks: 20)
            let before = aq_meter_allocations()
            play(chunks: 40)
            expectEqual(aq_meter_allocations() - before, 0)
            #expect(frames > 50_000)
        }
    }
}
