/// A device's thread that serves one stream, and runs the code of its client between its turns.
///
/// The client then needs no thread that is woken for each event. Code that blocks delays only this stream.
public struct ServingThread: Sendable {
    private let loop: PulseLoop
    /// Gets the thread back after the service. Nil in tests, and for code of a service.
    private let owner: PulseOwnConnection?

    init(_ loop: PulseLoop, of owner: PulseOwnConnection?) {
        self.loop = loop
        self.owner = owner
    }

    /// Calls `service` after each turn in which there may be an event in `feed`, and after each ``wake()``, until it
    /// returns false.
    ///
    /// It may be called within itself, by ``takeTurn(until:)``.
    public func serve(_ feed: StreamFeed, _ service: @escaping @Sendable () -> Bool) {
        let service = LoopService(feed, service, of: owner)
        loop.perform { [loop] in loop.setService(service) }
    }

    /// Calls the service soon. From any thread.
    public func wake() { loop.wakeService() }

    /// The calling thread; nil if it is none of these.
    public static var current: ServingThread? {
        PulseLoop.serving.current.map { ServingThread($0, of: nil) }
    }

    /// Does the device's work and calls the service, once, waiting for work at most until `deadline` (host time,
    /// nanoseconds). Only on this thread, for code of the service that has to wait.
    public func takeTurn(until deadline: UInt64) { loop.takeTurnInService(until: deadline) }
}
