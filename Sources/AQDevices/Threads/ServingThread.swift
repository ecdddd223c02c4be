// SPDX-License-Identifier: MIT

/// A device's thread that serves one stream, or the two of an I/O unit, and runs the code of their client between its
/// turns.
///
/// The client then needs no thread that is woken for each event. Code that blocks delays only this stream.
public struct ServingThread: Sendable {
    private let loop: PulseLoop
    /// The connection that is available to other streams after the service. Nil in tests, and in ``current``.
    let owner: PulseOwnConnection?

    init(_ loop: PulseLoop, of owner: PulseOwnConnection?) {
        self.loop = loop
        self.owner = owner
    }

    /// Calls `service` after each turn in which there may be an event in `feed` or `secondFeed`, and after each
    /// ``wake()``, until it returns false.
    ///
    /// ``takeTurn(until:)`` may call `service` again while it runs.
    public func serve(
        _ feed: StreamFeed, _ secondFeed: StreamFeed? = nil, _ service: @escaping @Sendable () -> Bool
    ) {
        let service = LoopService(feed, secondFeed, service, of: owner)
        loop.perform { [loop] in loop.setService(service) }
    }

    /// Makes the thread call the service soon. From any thread.
    public func wake() { loop.wakeService() }

    /// The calling thread; nil if it is not a serving thread.
    public static var current: ServingThread? {
        PulseLoop.serving.current.map { ServingThread($0, of: nil) }
    }

    /// Whether code on this thread may call ``takeTurn(until:)``: not while it renders a slice (``SliceSource``), which
    /// is part of a turn.
    public var allowsTurn: Bool { loop.allowsTurnInService }

    /// Waits for work until `deadline` (host time, nanoseconds) at most, does the device's work, and calls the service
    /// once if there is an event or ``wake()`` was called. Only on this thread, for code of the service that has to
    /// wait.
    public func takeTurn(until deadline: UInt64) { loop.takeTurnInService(until: deadline) }
}
