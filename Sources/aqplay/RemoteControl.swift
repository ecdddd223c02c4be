// SPDX-License-Identifier: MIT

import AudioQueues
import Glibc
import AQMediaPlayerBus
import Synchronization
import AQToolSupport

/// The player on the session's message bus, for media keys and panels: what the player's thread knows of it.
final class RemoteControl {
    /// The audible position, which the bus's thread computes from the queue's clock.
    private struct Position {
        var queue: OutputQueue?
        /// The difference between the frame of the track and the frames that the queue has played.
        var offset: Int64 = 0
        var sampleRate = 1.0
        var totalFrames: Int64?
        /// The last frame, for the time in which the queue has no position.
        var frame: Int64 = 0

        mutating func microseconds() -> Int64 {
            do throws(QueueError) {
                if let queue { frame = offset + Int64(try queue.currentTime().playedFrames) }
            } catch {
                // The queue is not running, or has failed.
            }
            let audible = min(max(0, frame), totalFrames ?? .max)
            return Int64(clamping: Double(audible) / sampleRate * 1e6)
        }
    }

    /// The facts about the audible track that change with it only.
    struct Facts {
        var track: MediaTrack
        var surroundings: TrackSequence.Surroundings
    }

    private final class Clock: Sendable {
        let position = Mutex(Position())
    }

    private let address: String
    private let bus: MediaPlayerBus
    private let clock = Clock()
    private(set) var isStarted = false
    private var lastFacts: (current: Feeder.CurrentTrack, facts: Facts)?
    private var published: MediaTrack?
    /// Whether the position was changed by a jump since the last state.
    private var hasJumped = false
    /// Whether the player was stopped, which is a pause at the start of the track.
    var isStopped = false
    /// The end of the time in which a command waits for a file that is being read, in seconds of the monotonic clock;
    /// nil if none waits.
    var commandDeadline: Double?
    /// Whether the command that waits was executed, and its result is not published.
    var isObeyed = false

    /// Returns nil if there is no bus. No connection is made.
    ///
    /// - Parameter events: Gets an event when there is a command.
    init?(waking events: EventPipe) {
        guard let address = SessionBus.address else { return nil }
        do throws(SystemError) {
            bus = try MediaPlayerBus(
                identity: "aqplay", wake: { events.post(0) },
                position: { [clock] in clock.position.withLock { $0.microseconds() } })
        } catch {
            return nil
        }
        self.address = address
    }

    /// The first command that waits.
    var firstCommand: MediaPlayerCommand? { bus.firstCommand }

    /// Removes the first command.
    func finishCommand() {
        (commandDeadline, isObeyed) = (nil, false)
        _ = bus.nextCommand()
        bus.finishCommand()
    }

    func close() { bus.close() }

    /// Records that playback continues at another position.
    func didJump() { (hasJumped, isStopped) = (true, false) }

    // MARK: The state

    /// Forgets the facts, after a change of the order.
    func invalidateFacts() { lastFacts = nil }

    /// Whether the facts about a track are up to date.
    func hasFacts(about current: Feeder.CurrentTrack) -> Bool {
        guard let last = lastFacts?.current else { return false }
        return last.step == current.step && last.title == current.title
            && last.totalFrames == current.totalFrames
    }

    /// Returns the facts about the audible track.
    ///
    /// - Parameter fetch: Returns new facts; nil if a file is being read. Called if the track, its title or its length
    ///   has changed. If it returns nil, the last facts about the same track remain.
    func facts(about current: Feeder.CurrentTrack, fetch: () -> Facts?) -> Facts? {
        if let lastFacts, hasFacts(about: current) { return lastFacts.facts }
        guard let facts = fetch() else {
            return lastFacts.flatMap { $0.current.step == current.step ? $0.facts : nil }
        }
        lastFacts = (current, facts)
        return facts
    }

    func setPosition(_ current: Feeder.CurrentTrack, in queue: OutputQueue, playedFrames: Int64) {
        clock.position.withLock { position in
            position = Position(
                queue: queue, offset: current.frame - playedFrames, sampleRate: current.sampleRate,
                totalFrames: current.totalFrames, frame: current.frame)
        }
    }

    /// Publishes the state. The first time, the connection to the bus is made in the background.
    ///
    /// - Parameter seconds: The audible position.
    func publish(_ state: MediaPlayerState, seconds: Double) {
        // Programs expect a new track to begin at its start.
        let isAhead = state.track?.number != published?.number && seconds > 1
        let isJump = hasJumped && state.track?.number == published?.number
        (hasJumped, published) = (false, state.track)
        if isStarted {
            bus.update(state, hasJumped: isJump || isAhead)
        } else {
            isStarted = true
            bus.start(address: address, state: state)
        }
    }
}

extension Int64 {
    /// The nearest integer in range; 0 for a value that is not a number.
    init(clamping value: Double) {
        self = Int64(exactly: value.rounded()) ?? (value > 0 ? .max : value < 0 ? .min : 0)
    }
}
