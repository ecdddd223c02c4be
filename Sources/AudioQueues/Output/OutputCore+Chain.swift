import AudioDevices
import CoreAudioTypes

/// Effects between the decoder and the device, on the engine's thread.
extension OutputCore {
    /// What to do next with effects: have them process what they hold, or decode more for them.
    func nextChainJob(
        _ path: OutputPath, _ cursor: DecodeCursor, _ chain: EffectChain, _ state: inout OutputState
    ) throws(QueueError) -> EngineJob? {
        if state.chain.dropsTap, chain.tap != nil { chain.dropTap() }
        while !state.chain.isEnding, state.items.takeEndMark() {
            // The end of a sequence: what follows has nothing to do with what came before.
            cursor.restart()
            chain.markEnd()
            state.chain.didMarkEnd()
        }
        if path.decoded?.isChunkComplete == true || state.items.isEmpty && state.chain.isEmpty {
            closeChunk(path, &state)
        }
        guard path.decoded?.isFull == false else {
            state.chain.didFindNoWork()
            startIfDecoded(&state)
            return nil
        }
        if let job = try nextProcessJob(path, chain, &state) { return job }
        // What does not come out of effects for now must not hold up what did.
        if state.items.isEmpty { closeChunk(path, &state) }
        let frames = max(cursor.packetFrames, OutputPath.chunkFrames(sampleRate: format.mSampleRate))
        // More than effects can be asked for only waits in them.
        let isWanted = chain.wantsInput || state.chain.needsInput
        guard isWanted, !state.chain.isEnding, let item = state.items.first, item.buffer != nil,
            begin(item, path, chain, &state)
        else {
            state.chain.didFindNoWork()
            startIfDecoded(&state)
            return nil
        }
        let room = unsafe UnsafeMutableRawPointer(chain.room(frames: frames))
        return unsafe .decode(
            DecodeJob(
                item: item, output: room, roomFrames: frames,
                silentFrames: min(state.progress.silentFrames, frames)))
    }

    /// Has effects process what they hold: whole chunks, so that those that look at more than a frame see what
    /// they need, or whatever there is when a sequence ends or the device is about to run dry.
    private func nextProcessJob(
        _ path: OutputPath, _ chain: EffectChain, _ state: inout OutputState
    ) throws(QueueError) -> EngineJob? {
        let chunkFrames = OutputPath.chunkFrames(sampleRate: format.mSampleRate)
        let isUrgent =
            state.chain.isEnding || beginsWithVolume(state)
            || isRunningDry(path, chunkFrames: chunkFrames, state)
        guard isUrgent || !chain.wantsInput, state.chain.canGive(isUrgent: isUrgent) else { return nil }
        guard let room = try unsafe path.decoded?.room() else { return nil }
        chain.move(toQueueFrame: state.otherFrames)
        state.chain.beginProcessing()
        let output = unsafe room.output.bindMemory(
            to: Float.self, capacity: room.frames * path.deviceFormat.channels)
        return unsafe .process(ProcessJob(output: output, roomFrames: room.frames, isUrgent: isUrgent))
    }

    /// Whether the item that comes next changes the volume with its first frame: all before has to be out then.
    private func beginsWithVolume(_ state: OutputState) -> Bool {
        guard let item = state.items.first, !state.progress.hasBegun(item) else { return false }
        return item.deviceChange(hasChain: true) != nil
    }

    /// Whether the device needs what there is, since nothing waits to be decoded.
    private func isRunningDry(
        _ path: OutputPath, chunkFrames: Int, _ state: OutputState
    ) -> Bool {
        guard state.items.isEmpty, let decoded = path.decoded, decoded.framesAhead <= chunkFrames else {
            return false
        }
        // A callback that is due may enqueue what then follows.
        return !path.isOffline || state.delivery.isEmpty
    }

    /// Notes what changes with an item, and the silence before it.
    ///
    /// - Returns: False while what comes before it has to come out first.
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

    /// Has effects process, without the lock, then enters the result.
    func finish(_ job: ProcessJob, _ path: OutputPath) {
        guard let chain = path.chain else { return }
        let frames = unsafe chain.process(
            into: job.output, capacityFrames: job.roomFrames, isUrgent: job.isUrgent)
        locked { state in
            state.rendering.endWork()
            state.chain.endProcessing()
            // A stop or a reset came between: its answer drops the chunk.
            guard path === state.path, state.resets.isEmpty else { return }
            state.chain.didGive(
                frames: frames, isUrgent: job.isUrgent, pendingFrames: chain.pendingFrames)
            path.decoded?.add(frames: frames)
        }
    }
}
