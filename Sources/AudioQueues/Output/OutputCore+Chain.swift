// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes

/// Jobs for the effects between the decoder and the device, on the engine's thread.
extension OutputCore {
    /// Returns the next job for the effects: processing their frames, or decoding further frames for them.
    func nextChainJob(
        _ path: OutputPath, _ cursor: DecodeCursor, _ chain: EffectChain, _ state: inout OutputState
    ) throws(QueueError) -> EngineJob? {
        if state.chain.dropsTap, chain.tap != nil { chain.dropTap() }
        while !state.chain.isEnding, state.items.takeEndMark() {
            // A sequence has ended, and the next packets are independent of it.
            cursor.restart()
            chain.markEnd()
            state.chain.didMarkEnd()
        }
        if path.decoded?.isChunkComplete == true || state.items.isEmpty && state.chain.isEmpty {
            closeChunk(path, &state)
        }
        guard path.decoded?.isFull == false else {
            state.chain.hasWork = false
            startIfDecoded(&state)
            return nil
        }
        if let job = try nextProcessJob(path, chain, &state) { return job }
        // Frames that effects hold back must not delay those that they have output.
        if state.items.isEmpty { closeChunk(path, &state) }
        let frames = max(cursor.packetFrames, OutputPath.chunkFrames(sampleRate: format.mSampleRate))
        // Frames beyond those that the effects' input can hold would only wait there.
        let isWanted = chain.wantsInput || state.chain.needsInput
        guard isWanted, !state.chain.isEnding, let item = state.items.first, item.buffer != nil,
            begin(item, path, chain, &state)
        else {
            state.chain.hasWork = false
            startIfDecoded(&state)
            return nil
        }
        let room = unsafe UnsafeMutableRawPointer(chain.room(frames: frames))
        return unsafe .decode(
            DecodeJob(
                item: item, output: room, roomFrames: frames,
                silentFrames: min(state.progress.silentFrames, frames)))
    }

    /// Returns a job that processes whole chunks, because some effects need many frames at once; at the end of a
    /// sequence, or if an underrun is imminent, all available frames.
    private func nextProcessJob(
        _ path: OutputPath, _ chain: EffectChain, _ state: inout OutputState
    ) throws(QueueError) -> EngineJob? {
        let chunkFrames = OutputPath.chunkFrames(sampleRate: format.mSampleRate)
        let isUrgent =
            state.chain.isEnding || beginsWithVolume(state)
            || isNearUnderrun(path, chunkFrames: chunkFrames, state)
        guard isUrgent || !chain.wantsInput, state.chain.canGive(isUrgent: isUrgent) else { return nil }
        guard let room = try unsafe path.decoded?.room() else { return nil }
        chain.move(toQueueFrame: state.otherFrames)
        state.chain.isProcessing = true
        let output = unsafe room.output.bindMemory(
            to: Float.self, capacity: room.frames * path.deviceFormat.channels)
        return unsafe .process(ProcessJob(output: output, roomFrames: room.frames, isUrgent: isUrgent))
    }

    /// Returns whether the next item changes the volume at its first frame. Then all frames before have to be
    /// processed first.
    private func beginsWithVolume(_ state: OutputState) -> Bool {
        guard let item = state.items.first, !state.progress.hasBegun(item) else { return false }
        return item.deviceChange(hasChain: true) != nil
    }

    /// Returns whether the device needs all frames, because none wait to be decoded.
    private func isNearUnderrun(
        _ path: OutputPath, chunkFrames: Int, _ state: OutputState
    ) -> Bool {
        guard state.items.isEmpty, let decoded = path.decoded, decoded.framesAhead <= chunkFrames else {
            return false
        }
        // A pending callback may enqueue further frames.
        return !path.isOffline || state.delivery.isEmpty
    }

    /// Records the changes of an item, and the silence before the item.
    ///
    /// - Returns: False while previous frames have to be processed first.
    private func begin(
        _ item: OutputItem, _ path: OutputPath, _ chain: EffectChain, _ state: inout OutputState
    ) -> Bool {
        guard !state.progress.hasBegun(item) else { return true }
        if let change = item.deviceChange(hasChain: true) {
            guard state.chain.isEmpty || state.chain.isExhausted else { return false }
            closeChunk(path, &state)
            guard path.decoded?.openFrames == 0 else { return false }
            addChange(change, path)
        }
        state.progress.begin(item, silentFrames: state.silence(before: item))
        if !item.events.isEmpty { chain.mark(item.events) }
        state.settings.note(item.events, hasChain: true)
        return true
    }

    /// Processes frames with the effects, without the lock, then records the result.
    func finish(_ job: ProcessJob, _ path: OutputPath) {
        guard let chain = path.chain else { return }
        let frames = unsafe chain.process(
            into: job.output, capacityFrames: job.roomFrames, isUrgent: job.isUrgent)
        locked { state in
            state.rendering.isWorking = false
            state.chain.isProcessing = false
            // After a stop or a reset meanwhile, the device's answer drops the chunk.
            guard path === state.path, state.resets.isEmpty else { return }
            state.chain.didGive(
                frames: frames, isUrgent: job.isUrgent, pendingFrames: chain.pendingFrames)
            path.decoded?.add(frames: frames)
        }
    }
}
