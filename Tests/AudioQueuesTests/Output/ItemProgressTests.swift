// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Progress of items") struct ItemProgressTests {
        private let format = AudioStreamBasicDescription.signedInteger(
            bits: 16, channels: 1, sampleRate: 48000)

        private func item(_ number: UInt64, frames: Int, at startFrames: Double? = nil) -> OutputItem {
            var item = unsafe OutputItem(
                number: number, buffer: nil, data: nil, byteCount: 2 * frames, descriptions: [],
                audibleFrames: 0..<frames)
            item.startFrames = startFrames
            return item
        }

        @Test("times are frame numbers that do not decrease until the progress is cleared")
        func times() throws {
            var progress = ItemProgress()
            progress.didEnqueue(startFrames: 10)
            try progress.check(startFrames: 10)
            for frames in [9, .nan, .infinity, 1e14] {
                expectEqual(code { try progress.check(startFrames: frames) }, .invalidArgument)
            }
            progress = ItemProgress()
            try progress.check(startFrames: -5)
        }

        @Test("an item follows the previous ones, which are partly decoded or wait for a time")
        func expected() {
            var progress = ItemProgress()
            let last = item(3, frames: 1)
            let waiting = [item(1, frames: 100), item(2, frames: 50, at: 400)][...]
            func frame(_ item: OutputItem, _ waiting: ArraySlice<OutputItem>, from next: Double) -> Double? {
                progress.expectedFrame(of: item, behind: waiting, from: next, format)
            }
            expectEqual(frame(last, [], from: 7), 7)
            expectEqual(frame(last, waiting.prefix(1), from: 7), 107)
            expectEqual(frame(last, waiting, from: 7), 450)
            expectEqual(frame(item(3, frames: 1, at: 1000), waiting, from: 7), 1000)
            // 30 frames of the first were decoded, and 5 frames of silence are missing before the rest.
            progress.begin(waiting[0], silentFrames: 8)
            progress.didMakeSilence(frames: 3)
            progress.didDecode(frames: 30)
            #expect(progress.hasBegun(waiting[0]) && !progress.hasBegun(last) && progress.silentFrames == 5)
            expectEqual(frame(last, waiting.prefix(1), from: 40), 115)
        }
    }
}
