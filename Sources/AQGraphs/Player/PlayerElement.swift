// SPDX-License-Identifier: MIT

import AQDevices
import Synchronization

/// A node that plays items one after the other.
///
/// Any thread may call it. The calls take effect at the beginning of the next slice, in their order.
package final class PlayerElement: GraphElement {
    /// When a player starts.
    package enum Start: Sendable, Equatable {
        case now
        /// At a time of the node.
        case nodeTime(Int64)
        /// When its first frame is to be heard.
        case hostTime(UInt64)
    }

    private let port: PlayerPort
    private let kernel: PlayerKernel
    private let playing = Atomic<Bool>(false)
    /// The number of calls to ``play(_:)``, ``pause()`` and ``stop()``.
    private let calls = Atomic<Int>(0)

    package init() {
        port = PlayerPort()
        kernel = PlayerKernel(port)
    }

    package func makeKernel(_ setup: KernelSetup) -> (any GraphKernel)? { kernel }

    /// Whether the player plays, or would if it had something to play.
    package var isPlaying: Bool { playing.load(ordering: .acquiring) }

    package func schedule(_ item: PlayItem) { port.commands.add(PlayerCommand(.add(item))) }

    package func play(_ start: Start) {
        playing.store(true, ordering: .releasing)
        calls.add(1, ordering: .releasing)
        port.commands.add(PlayerCommand(.play(start)))
    }

    package func pause() {
        playing.store(false, ordering: .releasing)
        calls.add(1, ordering: .releasing)
        port.commands.add(PlayerCommand(.pause))
    }

    /// Stops, drops all items, and sets the player's time to 0.
    package func stop() {
        playing.store(false, ordering: .releasing)
        calls.add(1, ordering: .releasing)
        port.commands.add(PlayerCommand(.stop))
    }

    /// Obeys the calls while nothing is rendered.
    ///
    /// - Parameter time: The node's time of the next slice; nil if it is not known.
    package func obey(at time: Int64? = nil) { kernel.obey(at: time) }

    /// Whether all calls were obeyed.
    package var hasObeyed: Bool { timing.calls == calls.load(ordering: .acquiring) }

    /// Returns the player's time for a time of the node; nil unless the player plays.
    package func playerTime(forNodeTime nodeTime: Int64) -> Int64? {
        origin.map { nodeTime - $0 }
    }

    /// Returns the node's time for a time of the player; nil unless the player plays.
    package func nodeTime(forPlayerTime playerTime: Int64) -> Int64? {
        origin.map { playerTime + $0 }
    }

    /// The node's time at the player's time 0, also of a start that is still to come; nil unless the player plays, or
    /// before a call was obeyed.
    private var origin: Int64? {
        let reading = timing
        return reading.isRunning && reading.calls == calls.load(ordering: .acquiring) ? reading.origin : nil
    }

    private var timing: PlayerPort.Timing {
        var reading = PlayerPort.Timing()
        port.timing.read(into: &reading)
        return reading
    }
}
