import AudioCodecs
import AudioDevices
import CoreAudioTypes

/// Decoding ahead, on the engine's thread.
extension OutputCore {
    /// What to decode next; nil when nothing waits, or when enough was decoded.
    func nextDecodeJob(_ state: inout OutputState) -> DecodeJob? {
        guard let cursor, state.machine.isActive, state.resets.isEmpty else { return nil }
        if let replacement = state.nextDecoder {
            cursor.replaceDecoder(replacement)
            state.nextDecoder = nil
        }
        while let item = state.waiting.first, item.buffer == nil {
            // The end of a sequence: what follows has nothing to do with what came before.
            cursor.restart()
            _ = state.waiting.popFirst()
        }
        if state.waiting.isEmpty || state.decoded?.isChunkComplete == true { closeChunk(&state) }
        guard let item = state.waiting.first, state.decoded?.isFull == false else {
            startIfDecoded(&state)
            return nil
        }
        do throws(QueueError) {
            guard let room = try unsafe state.decoded?.room() else {
                startIfDecoded(&state)
                return nil
            }
            return unsafe DecodeJob(item: item, output: room.output, roomFrames: room.frames)
        } catch {
            fail(error, &state)
            return nil
        }
    }

    /// Decodes, without the lock, then enters the result.
    func finish(_ job: DecodeJob) {
        guard let cursor else { return }
        do throws(CodecError) {
            let outcome = try unsafe cursor.decode(
                job.item, into: job.output, roomFrames: job.roomFrames,
                bytesPerFrame: deviceFormat.bytesPerFrame)
            locked { state in
                state.damagedPackets += outcome.damagedPackets
                // A stop or a reset came between: its answer returns the buffer and drops the chunk.
                guard state.resets.isEmpty, state.waiting.first?.number == job.item.number else { return }
                state.decoded?.add(frames: outcome.frames)
                if outcome.isItemFinished {
                    _ = state.waiting.popFirst()
                    state.giveBack(job.item)
                }
            }
        } catch {
            locked { state in
                let failure = QueueError(.codecNotFound, error.message)
                state.converterError = failure
                state.add(.changed(.converterError))
                fail(failure, &state)
            }
        }
    }

    private func closeChunk(_ state: inout OutputState) {
        guard let segment = state.decoded?.closeChunk() else { return }
        // There are fewer chunks than the feed has room for.
        if feed.enqueue(segment) { stream.dataAvailable() }
        startIfDecoded(&state)
    }

    private func startIfDecoded(_ state: inout OutputState) {
        guard state.startsWhenDecoded else { return }
        state.startsWhenDecoded = false
        stream.start()
    }
}

extension OutputCore {
    func setMagicCookie(_ cookie: [UInt8]) throws(QueueError) {
        try perform(.configure) { (state: inout OutputState) throws(QueueError) in
            guard let cursor else {
                state.magicCookie = cookie
                return
            }
            do throws(CodecError) {
                state.nextDecoder = try cursor.replacement(makeDecoder(format, cookie))
            } catch {
                throw QueueError(codec: error)
            }
            state.magicCookie = cookie
        }
    }
}
