// SPDX-License-Identifier: MIT

import AQDevices

/// The state that a player and its kernel share: calls for the rendering thread, and the times that it returns.
final class PlayerPort: Sendable {
    /// The relation of the times of player and node.
    struct Timing: BitwiseCopyable {
        /// The node's time at the player's time 0.
        var origin: Int64 = 0
        var isRunning = false
        /// The number of starts, pauses and stops that were obeyed.
        var calls = 0
    }

    let commands = PassedObjectList()
    let timing = SequenceLock(Timing())
}
