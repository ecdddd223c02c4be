import AudioCodecs
import AudioDevices
import CoreAudioTypes

/// The client's code: called here, and only here.
extension InputCore {
    /// Makes the next callback.
    ///
    /// Knows nothing of the thread that it runs on, nor of who takes notices: what later runs callbacks
    /// elsewhere calls this from there.
    ///
    /// - Returns: False when there is none to make.
    func deliverNext() -> Bool {
        guard let event = monitor.withLock({ $0.events.begin() }) else { return false }
        CallbackScope.run { deliver(event) }
        locked { state in
            state.events.finish()
            releaseIfEnded(&state)
        }
        return true
    }

    private func deliver(_ event: InputState.Event) {
        // Without the client's handle nobody is left to be told.
        guard let queue = handle else { return }
        switch event {
        case .bufferFilled(let filled): deliver(filled, to: queue)
        case .encode(let number):
            if let maker { encode(through: number, with: maker, for: queue) }
        case .changed(let property): tellListeners(of: property, on: queue)
        case .ended(let ticket, let failure):
            locked { state in
                state.returning.remove(ticket)
                if state.ending == ticket { state.ending = nil }
                // The client may have started anew.
                if let failure, state.machine.state == .stopped { state.failure = failure }
            }
        case .returnEnded(let ticket):
            monitor.withLock { _ = $0.returning.remove(ticket) }
        }
    }

    private func deliver(_ filled: FilledBuffer, to queue: InputQueue) {
        let byteCount = bringHome(filled)
        let callback = monitor.withLock { state in
            filled.buffer.byteCount = byteCount
            state.pool.move(filled.buffer, to: .client)
            return state.onBufferFilled
        }
        callback?.call(queue, filled.buffer, filled.info)
    }

    /// Sees to it that the client's buffer holds what was captured, in its format.
    ///
    /// - Returns: The bytes that it holds.
    private func bringHome(_ filled: FilledBuffer) -> Int {
        guard let converter else { return filled.capturedBytes }
        let captured = unsafe UnsafeRawBufferPointer(start: filled.room, count: filled.capturedBytes)
        do throws(CodecError) {
            // SAFETY: the buffer is the queue's until it is moved to the client, and cannot be freed.
            let frames = try unsafe converter.convert(captured, into: filled.buffer.bytes)
            return frames * Int(format.mBytesPerFrame)
        } catch {
            // Not for whole frames that fit, which these are.
            return 0
        }
    }

    private func tellListeners(of property: InputQueue.Property, on queue: InputQueue) {
        for listener in monitor.withLock({ $0.listeners.listeners(for: property) }) {
            // Another listener, or another thread, may have removed it meanwhile.
            let isWanted = monitor.withLock { !$0.machine.isDisposed && $0.listeners.contains(listener) }
            if isWanted { listener.body(queue) }
        }
    }
}
