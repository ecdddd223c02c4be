// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes

/// Jobs for decoding ahead, on the engine's thread.
extension OutputCore {
    /// Returns the next job without the lock; nil if no item waits, or enough is decoded.
    func nextJob(_ path: OutputPath, _ state: inout OutputState) -> EngineJob? {
        guard let cursor = path.cursor, state.machine.isActive, state.resets.isEmpty else { return nil }
        if let replacement = state.nextDecoder {
            cursor.replaceDecoder(replacement)
            state.nextDecoder = nil
        }
        do throws(QueueError) {
            if let chain = path.chain { return try nextChainJob(path, cursor, chain, &state) }
            return try nextDecodeJob(path, cursor, &state)
        } catch {
            fail(error, &state)
            return nil
        }
    }

    /// Returns the next job without effects, which decodes into the device's memory.
    private func nextDecodeJob(
        _ path: OutputPath, _ cursor: DecodeCursor, _ state: inout OutputState
    ) throws(QueueError) -> EngineJob? {
        // A sequence has ended, and the next packets are independent of it.
        while state.items.takeEndMark() { cursor.restart() }
        if state.items.isEmpty || path.decoded?.isChunkComplete == true { closeChunk(path, &state) }
        guard let item = state.items.first, path.decoded?.isFull == false,
            begin(item, path, &state)
        else {
            startIfDecoded(&state)
            return nil
        }
        guard let room = try unsafe path.decoded?.room() else {
            startIfDecoded(&state)
            return nil
        }
        return unsafe .decode(DecodeJob(item: item, output: room.output, roomFrames: room.frames))
    }

    /// Passes on the silence before an item, and records the item's changes.
    ///
    /// - Returns: False if the device accepts no audio now.
    private func begin(_ item: OutputItem, _ path: OutputPath, _ state: inout OutputState) -> Bool {
        guard !state.progress.hasBegun(item) else { return true }
        let change = item.deviceChange(hasChain: false)
        let silentFrames = state.silence(before: item)
        if change != nil || silentFrames > 0 {
            // Silence and changes apply from the first frame of a chunk.
            closeChunk(path, &state)
            guard path.decoded?.openFrames == 0 else { return false }
        }
        if silentFrames > 0 {
            guard handOnSilence(frames: silentFrames, path, &state) else { return false }
        }
        if let change { addChange(change, path) }
        state.settings.note(item.events, hasChain: false)
        state.progress.begin(item)
        return true
    }

    /// Applies a change from the first frame of the next chunk, in addition to changes of buffers without a frame.
    func addChange(_ change: SegmentChange, _ path: OutputPath) {
        guard var earlier = path.decoded?.change else {
            path.decoded?.change = change
            return
        }
        if let startGain = change.startGain { earlier.setVolume(startGain, rampSeconds: 0) }
        if let gain = change.gain { earlier.setVolume(gain, rampSeconds: change.rampSeconds) }
        if let pan = change.pan { earlier.setPan(pan) }
        if let gain = change.sourceGain { earlier.sourceGain = gain }
        path.decoded?.change = earlier
    }

    /// Does a job without the lock, then records the result.
    func finish(_ job: EngineJob, _ path: OutputPath) {
        switch job {
        case .decode(let job): finish(job, path)
        case .process(let job): finish(job, path)
        }
    }

    private func finish(_ job: DecodeJob, _ path: OutputPath) {
        guard let cursor = path.cursor else { return }
        do throws(CodecError) {
            var outcome = DecodeCursor.Outcome()
            if job.silentFrames > 0 {
                outcome.frames = job.silentFrames
                unsafe job.output.initializeMemory(
                    as: UInt8.self, repeating: 0, count: job.silentFrames * cursor.bytesPerFrame)
            } else {
                outcome = try unsafe cursor.decode(
                    job.item, into: job.output, roomFrames: job.roomFrames)
            }
            locked { state in
                state.rendering.isWorking = false
                state.status.damagedPackets += outcome.damagedPackets
                // After a stop or a reset meanwhile, the device's answer returns the buffer and drops the chunk.
                guard path === state.path, state.resets.isEmpty,
                    state.items.first?.number == job.item.number
                else { return }
                add(outcome, of: job, path, &state)
            }
        } catch {
            locked { state in
                state.rendering.isWorking = false
                let failure = QueueError(.codecNotFound, error.message)
                state.status.converterError = failure
                state.delivery.add(.changed(.converterError))
                fail(failure, &state)
            }
        }
    }

    private func add(
        _ outcome: DecodeCursor.Outcome, of job: DecodeJob, _ path: OutputPath, _ state: inout OutputState
    ) {
        if let chain = path.chain {
            chain.didDecode(frames: outcome.frames)
            state.chain.didGet(frames: outcome.frames)
        } else {
            path.decoded?.add(frames: outcome.frames)
        }
        state.timeline.framesOnTheWay += outcome.frames
        if job.silentFrames > 0 {
            state.progress.didMakeSilence(frames: outcome.frames)
            return
        }
        state.progress.didDecode(frames: outcome.frames)
        if outcome.isItemFinished {
            state.items.dropFirst()
            guard path.isOffline, path.chain == nil, let decoded = path.decoded else {
                state.giveBack(job.item)
                return
            }
            state.rendering.hold(job.item, openFrames: decoded.openFrames)
            state.giveBackRendered()
        }
    }

    func closeChunk(_ path: OutputPath, _ state: inout OutputState) {
        guard let segment = path.decoded?.closeChunk() else { return }
        // The number of chunks is less than the capacity of the feed.
        if path.feed.enqueue(segment) {
            state.rendering.framesInDevice += segment.byteCount / path.deviceFormat.bytesPerFrame
            path.stream.dataAvailable()
        }
        startIfDecoded(&state)
    }

    func startIfDecoded(_ state: inout OutputState) {
        if state.requests.takeStart() { startStream(&state) }
    }
}

extension OutputCore {
    func setMagicCookie(_ cookie: [UInt8]) throws(QueueError) {
        try perform(.configure) { (state: inout OutputState) throws(QueueError) in
            guard let cursor = state.path.cursor else {
                state.settings.magicCookie = cookie
                return
            }
            do throws(CodecError) {
                state.nextDecoder = try cursor.replacement(fixture.makeDecoder(format, cookie))
            } catch {
                throw QueueError(codec: error)
            }
            state.settings.magicCookie = cookie
        }
    }
}
