// SPDX-License-Identifier: MIT

import CoreAudioTypes
import Synchronization

/// Everything that an initialized unit renders with. The settings never change: other settings make another plan.
///
/// Used by one rendering thread at a time, except where marked.
@safe final class RenderPlan: @unchecked Sendable {
    // SAFETY: the unit admits one rendering thread at a time, and other threads use constants and atomics only.

    let maximumFrames: Int
    let lendsMemory: Bool
    let inputs: [InputBus?]
    let output: SliceBuffers
    private let stage: any PullStage
    private let needsReset = Atomic<Bool>(false)

    init(
        maximumFrames: Int, lendsMemory: Bool, inputs: [InputBus?], output: SliceBuffers,
        stage: any PullStage
    ) {
        self.maximumFrames = maximumFrames
        self.lendsMemory = lendsMemory
        self.inputs = inputs
        self.output = output
        self.stage = stage
    }

    /// Makes the next render drop the audio that is held. May be called from any thread.
    func reset() { needsReset.store(true, ordering: .releasing) }

    /// Renders a slice into a list that was checked.
    @unsafe func render(
        into list: UnsafeMutableAudioBufferListPointer, frames: Int,
        _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>,
        given: UnsafeMutableAudioBufferListPointer?
    ) -> Int32 {
        if needsReset.exchange(false, ordering: .acquiring) {
            stage.reset()
            for index in inputs.indices { inputs[index]?.reset() }
        }
        // The output's sizes, which the list gets next, may be smaller than those of the input.
        if let given = unsafe given { unsafe inputs[0]?.take(given) }
        do throws(UnitError) {
            try unsafe output.prepare(list, frames: frames, lendsMemory: lendsMemory)
        } catch {
            return error.code.rawValue
        }
        return unsafe stage.render(
            PulledSlice(
                inputs: inputs, list: list, frames: frames, actions: actions, time: time,
                isGiven: given != nil))
    }
}
