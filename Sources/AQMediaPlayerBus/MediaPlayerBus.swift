// SPDX-License-Identifier: MIT

import AQDevices
import Glibc
public import AQToolSupport

/// Shows a player to other programs on a message bus, and takes their commands (MPRIS D-Bus Interface
/// Specification 2.2).
///
/// A thread of its own connects and answers, so no call here waits for the bus. If there is no bus, libdbus is missing,
/// the name is taken or the bus disconnects, the thread ends, and nothing else changes.
///
/// Calls from other programs are answered from the last state. A command waits until ``finishCommand()``, at most half
/// a second, so that its caller finds the new state after the reply.
public final class MediaPlayerBus: Sendable {
    struct Shared {
        var state = MediaPlayerState()
        /// Whether the position has jumped since the last announcement.
        var hasJumped = false
        var commands: [MediaPlayerCommand] = []
        /// The numbers of commands that were queued and finished, from the first on.
        var queuedCommands = 0
        var finishedCommands = 0
        var isClosed = false
    }

    /// The largest number of commands that wait for the player.
    private static let mostCommands = 16
    /// The time for which a caller waits for the player.
    private static let commandNanoseconds: UInt64 = 500_000_000

    let identity: String
    let position: @Sendable () -> Int64
    let events: EventPipe
    let artwork: ArtworkFile
    private let shared = Monitor(Shared())
    private let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - identity: The name of the program, which is also that of its desktop file. ASCII letters only.
    ///   - artworkFolder: The folder for a temporary folder with the picture of the track; nil for the usual one.
    ///   - wake: Wakes the player's thread to call ``nextCommand()``. Called on the bus's thread.
    ///   - position: Returns the audible position in microseconds. Called on the bus's thread.
    /// - Throws: ``SystemError`` if the process is out of descriptors.
    public init(
        identity: String, artworkFolder: String? = nil, wake: @escaping @Sendable () -> Void,
        position: @escaping @Sendable () -> Int64
    ) throws(SystemError) {
        self.identity = identity
        self.wake = wake
        self.position = position
        events = try EventPipe()
        artwork = ArtworkFile(in: artworkFolder ?? ArtworkFile.defaultParent, program: identity)
    }

    /// The name on the bus.
    public var name: String { "org.mpris.MediaPlayer2.\(identity).instance\(getpid())" }

    // MARK: The player's thread

    /// Connects to a bus in the background. Called once.
    ///
    /// - Parameter address: The D-Bus address of the bus; see ``SessionBus``.
    public func start(address: String, state: MediaPlayerState) {
        shared.withLock { $0.state = state }
        _ = DetachedThread.start(named: "aq media") { [self] in BusService(self).run(address: address) }
    }

    /// Sets the state, and announces its changes.
    ///
    /// - Parameter hasJumped: Whether the position has changed otherwise than by playing: by a seek, or because a track
    ///   does not begin at its start.
    public func update(_ state: MediaPlayerState, hasJumped: Bool = false) {
        let isNew = shared.withLock { shared in
            guard hasJumped || shared.state != state else { return false }
            shared.state = state
            if hasJumped { shared.hasJumped = true }
            return true
        }
        if isNew { events.post(0) }
    }

    /// The command that ``nextCommand()`` returns next; nil if none waits.
    public var firstCommand: MediaPlayerCommand? { shared.withLock { $0.commands.first } }

    /// Returns the next command, for which ``finishCommand()`` must be called; nil if none waits.
    public func nextCommand() -> MediaPlayerCommand? {
        shared.withLock { $0.commands.isEmpty ? nil : $0.commands.removeFirst() }
    }

    /// Reports that the last command was executed, and that ``update(_:hasJumped:)`` has set its result.
    public func finishCommand() {
        shared.withLock { $0.finishedCommands += 1 }
        shared.notifyAll()
    }

    /// Ends the thread without waiting for it, and removes the temporary file.
    public func close() {
        shared.withLock { $0.isClosed = true }
        shared.notifyAll()
        events.post(0)
        artwork.remove()
    }

    // MARK: The bus's thread

    var isClosed: Bool { shared.withLock { $0.isClosed } }

    /// The state, and whether the position has jumped since the last call; nil if the bus is closed.
    func takeState() -> (state: MediaPlayerState, hasJumped: Bool)? {
        shared.withLock { shared in
            defer { shared.hasJumped = false }
            return shared.isClosed ? nil : (shared.state, shared.hasJumped)
        }
    }

    /// Passes a command to the player, and waits for its end if `isAwaited`.
    ///
    /// - Throws: ``BusFailure`` if too many commands wait.
    func execute(_ command: MediaPlayerCommand, isAwaited: Bool) throws(BusFailure) {
        let number = shared.withLock { shared -> Int? in
            guard shared.commands.count < Self.mostCommands else { return nil }
            shared.commands.append(command)
            shared.queuedCommands += 1
            return shared.queuedCommands
        }
        guard let number else { throw BusFailure(.limitsExceeded, "the player is busy") }
        wake()
        guard isAwaited else { return }
        let deadline = UInt64(MonotonicClock.seconds * 1e9) + Self.commandNanoseconds
        _ = shared.wait(until: deadline) { $0.finishedCommands < number && !$0.isClosed }
    }
}
