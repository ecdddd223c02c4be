// SPDX-License-Identifier: MIT

import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Progress of effects") struct ChainProgressTests {
        @Test("after an answer without frames, only new input or urgency justifies another request")
        func answers() {
            var progress = ChainProgress()
            #expect(progress.isEmpty && !progress.canGive(isUrgent: true))
            progress.didGet(frames: 100)
            #expect(progress.canGive(isUrgent: false) && progress.hasWork)
            progress.didGive(frames: 0, isUrgent: false, pendingFrames: 100)
            #expect(
                !progress.canGive(isUrgent: false) && progress.canGive(isUrgent: true) && progress.needsInput)
            progress.didGive(frames: 0, isUrgent: true, pendingFrames: 100)
            #expect(!progress.canGive(isUrgent: true) && progress.isExhausted && !progress.isEmpty)
            progress.didGet(frames: 1)
            #expect(progress.canGive(isUrgent: false) && !progress.isExhausted)
        }

        @Test("a sequence ends when nothing is left before its mark")
        func end() {
            var progress = ChainProgress()
            progress.didGet(frames: 100)
            progress.didMarkEnd()
            progress.didGive(frames: 100, isUrgent: true, pendingFrames: 1)
            #expect(progress.isEnding && !progress.isEmpty)
            progress.didGive(frames: 0, isUrgent: true, pendingFrames: 1)
            #expect(!progress.isEnding && progress.isEmpty)
        }

        @Test("a restart clears everything except that the tap is being removed")
        func restart() {
            var progress = ChainProgress()
            progress.didGet(frames: 100)
            progress.didMarkEnd()
            progress.dropsTap = true
            progress.restart()
            #expect(progress.isEmpty && !progress.isEnding && !progress.hasWork && progress.dropsTap)
        }
    }
}
