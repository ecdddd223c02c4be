// SPDX-License-Identifier: MIT

import Dispatch
import AQThreads

/// The block of a tap, for as long as the tap is installed.
///
/// The plan that a stopped engine keeps has the tap. The block is released nevertheless: a client expects that a file
/// which only the block has is then complete.
final class TapBlock: @unchecked Sendable {
    // SAFETY: the state is behind a lock, which is not held during a call.
    private struct State: @unchecked Sendable {
        // SAFETY: the block is called by one queue, as the client expects, although its type does not say so.
        var block: AVAudioNodeTapBlock?
        var hasEnded = false
    }

    private let state: Monitor<State>

    init(_ block: @escaping AVAudioNodeTapBlock) { state = Monitor(State(block: block)) }

    /// Calls the block, unless the tap was removed.
    func call(_ buffer: AVAudioPCMBuffer, _ time: AVAudioTime) {
        let block = state.withLock { $0.hasEnded ? nil : $0.block }
        block?(buffer, time)
    }

    /// Ends the calls, and releases the block on a queue, after a call in progress: what it keeps alive ends there.
    func end() {
        state.withLock { $0.hasEnded = true }
        DispatchQueue(label: "end of an audio tap").async { [self] in
            let last = state.withLock { state in
                defer { state.block = nil }
                return state.block
            }
            withExtendedLifetime(last) {}
        }
    }
}
