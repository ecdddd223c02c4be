// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// The process's connection to one sound server: a context on a loop thread, shared by all streams.
///
/// It connects when it is made, and again when a stream needs the server. If the server dies, the running streams are
/// notified, and the connection is retried at growing intervals until the server answers or no stream waits for it.
@safe final class PulseConnection: @unchecked Sendable {
    // SAFETY: everything except `loop` and `server` belongs to the loop's thread.

    /// The connections, by the address of the server; the empty address is the default server.
    private static let connections = Monitor<[String: PulseConnection]>([:])
    /// The time after which an attempt to connect is cancelled, because a server that hangs never answers.
    private static let attemptNanoseconds: UInt64 = 3_000_000_000
    private static let firstRetryNanoseconds: UInt64 = 10_000_000
    private static let longestRetryNanoseconds: UInt64 = 200_000_000
    /// The retry interval if only observers wait for the server, perhaps for days.
    private static let idleRetryNanoseconds: UInt64 = 5_000_000_000

    let loop: PulseLoop
    private let server: String?
    private(set) var context: PulseContextCalls?
    private(set) var isReady = false
    /// Whether the server is PipeWire's; known after ``askForNews()``.
    private(set) var isPipeWire = false
    private var hasAskedForKind = false
    /// Whether the connection has subscribed to changes on the server.
    private var isSubscribed = false
    private var clients: [any PulseConnectionClient] = [] {
        didSet {
            references.replace(with: clients.map(\.reference))
            loop.streams += clients.count - oldValue.count
        }
    }
    /// The same clients, for the audio path.
    private var references = PulseStreamReferences()
    /// The observers of changes of the server's devices.
    private var observers: [PulseConnectionObserver] = []
    private var waiting: [(DeviceError?) -> Void] = []
    /// The requests for devices that the server has not answered.
    private var listings: [PulseListing] = []
    private var operations = PulseOperations()
    private var retryAt = UInt64.max
    private var retryNanoseconds = PulseConnection.firstRetryNanoseconds
    private var attemptEnds = UInt64.max
    /// Whether the server was reached, and has not yet accepted this client. REAL-TIME.
    private(set) var isHandshake = false
    /// The number of lost connections: what the server has numbered before is no longer valid.
    let losses = Atomic<Int>(0)

    /// Returns the connection to a server, and makes it if there is none. Nil is the default server.
    ///
    /// Returns at once: the loop's thread contacts the server.
    ///
    /// - Throws: ``DeviceError/Code/refused`` if there are no descriptors, memory or threads, and in a forked child,
    ///   where the parent's connections have no threads.
    static func connection(to server: String?) throws(DeviceError) -> PulseConnection {
        if ForkedChild.isCurrent {
            throw DeviceError(
                .refused, "cannot connect to a sound server: the process was forked after its parent did")
        }
        return try connections.withLock { connections throws(DeviceError) in
            if let known = connections[server ?? ""] {
                known.perform { known.connectIfNeeded() }
                return known
            }
            let made = try make(to: server)
            connections[server ?? ""] = made
            return made
        }
    }

    /// Makes a connection, which lives as long as the process.
    ///
    /// - Parameter servesClient: Whether the connection's thread runs the code of a client.
    static func make(to server: String?, servesClient: Bool = false) throws(DeviceError) -> PulseConnection {
        guard let mainloop = PulseMainloop.make() else {
            throw DeviceError(.refused, "cannot connect to a sound server: out of descriptors or memory")
        }
        let loop = PulseLoop(mainloop, servesClient: servesClient)
        let made = PulseConnection(loop: loop, server: server)
        guard loop.start() else {
            throw DeviceError(.refused, "cannot start the sound server's thread: out of resources")
        }
        made.perform { made.connectIfNeeded() }
        return made
    }

    /// Runs `body` on the loop's thread, after all work posted before. From any thread.
    func perform(_ body: @escaping @Sendable () -> Void) { loop.perform(body) }

    /// - Parameter loop: A loop that is not started.
    init(loop: PulseLoop, server: String?) {
        self.loop = loop
        self.server = server
        loop.add(self)
    }

    /// Makes a second connection to the same server, on the same thread. It lives as long as the process.
    init(beside first: PulseConnection) {
        loop = first.loop
        server = first.server
        perform { [self] in loop.add(self) }
    }

    // MARK: Loop thread

    /// Calls `body` with nil when the server has answered, or with an error if it does not answer.
    func whenConnected(_ body: @escaping (DeviceError?) -> Void) {
        if isReady {
            body(nil)
        } else {
            waiting.append(body)
            connectIfNeeded()
        }
    }

    /// Keeps a request for devices, which fails if the connection is lost.
    func add(_ listing: PulseListing) { listings.append(listing) }

    func remove(_ listing: PulseListing) { listings.removeAll { $0 === listing } }

    /// Removes and returns all callbacks that wait for the server or its answer.
    private func takeQuestions() -> [(DeviceError) -> Void] {
        let questions =
            waiting.map { body in { body($0) } }
            + listings.map { listing in { listing.finish(.failure($0)) } }
        waiting = []
        listings = []
        return questions
    }

    /// Connects, unless there is a connection or an attempt.
    func connectIfNeeded() {
        if context == nil { connect() }
    }

    func add(_ client: any PulseConnectionClient) {
        if !clients.contains(where: { $0 === client }) { clients.append(client) }
    }

    func remove(_ client: any PulseConnectionClient) { clients.removeAll { $0 === client } }

    /// Adds an observer of later changes.
    func add(_ observer: PulseConnectionObserver) {
        observers.append(observer)
        guard isReady else { return connectIfNeeded() }
        if !isSubscribed { subscribe() }
    }

    func remove(_ observer: PulseConnectionObserver) { observers.removeAll { $0 === observer } }

    private func notifyObservers() { for observer in observers { observer.notify() } }

    /// The names of the sinks, or sources, used by running streams of this process.
    func namesInUse(ofSinks: Bool) -> [String] {
        let shared = clients.compactMap { ofSinks ? $0.runningSink : $0.runningSource }
        return ofSinks ? shared + PulseOwnConnection.sinksInUse(of: server) : shared
    }

    /// Disconnects from the server until a stream needs it. Does nothing if there are clients.
    func disconnect() {
        guard clients.isEmpty else { return }
        retryAt = .max
        dropContext()
    }

    /// Retries soon, because a client waits for the server.
    func retry() { retry(within: PulseConnection.longestRetryNanoseconds) }

    private func retry(within longest: UInt64) {
        guard context == nil else { return }
        let wait = min(retryNanoseconds, longest)
        let wanted = loop.now + wait
        // A client that is added during an observer's long wait must not wait as long.
        guard wanted < retryAt else { return }
        retryAt = wanted
        retryNanoseconds = min(wait * 2, longest)
        loop.wakeUp(at: retryAt)
    }

    private func connect() {
        retryAt = .max
        guard let made = loop.makeContext() else { return finishConnecting(errorNumber: nil) }
        context = made
        attemptEnds = loop.now + PulseConnection.attemptNanoseconds
        loop.wakeUp(at: attemptEnds)
        if unsafe made.connect(to: server, .passUnretained(self)) { return }
        // The state callback may already have reported the failure and released the context.
        if made.isSame(as: context) { finishConnecting(errorNumber: made.errorNumber) }
    }

    /// Handles a change of the context's state: the server has answered, refused or died.
    func stateChanged() {
        guard let context else { return }
        let state = context.state
        isHandshake = state == .handshake
        switch state {
        case .ready:
            isReady = true
            attemptEnds = .max
            retryNanoseconds = PulseConnection.firstRetryNanoseconds
            let ready = waiting
            waiting = []
            for body in ready { body(nil) }
            // Requested after the waiting streams, which should start as early as possible. Without observers, the
            // streams subscribe later themselves.
            if !observers.isEmpty { subscribe() }
            for client in clients { client.serverIsBack() }
            notifyObservers()
            // The attempt's deadline would otherwise wake the loop without need.
            loop.renewDeadlines()
        case .failed: finishConnecting(errorNumber: context.errorNumber)
        case .connecting, .handshake: break
        }
    }

    /// Handles the end of the server's side of the connection during the handshake.
    func handshakeEnded() {
        if isHandshake { finishConnecting(errorNumber: PulseError.connectionTerminated) }
    }

    /// Releases the connection after the server refused, died or hung, and notifies all clients.
    private func finishConnecting(errorNumber: Int32?) {
        let wasReady = isReady
        dropContext()
        let name = server.map { "'\($0)'" } ?? PulseConnection.usualAddress
        let error =
            errorNumber.map {
                DeviceError.pulse(.noServer, "no sound server answers at \(name)", errorNumber: $0)
            } ?? DeviceError(.noServer, "no sound server answers at \(name): out of memory")
        let failed = takeQuestions()
        for client in clients { client.serverIsLost() }
        for body in failed { body(error) }
        if wasReady { notifyObservers() }
        // Unlike clients, observers do not request attempts themselves.
        if !observers.isEmpty { retry(within: PulseConnection.idleRetryNanoseconds) }
    }

    /// The default address of a server, for messages.
    private static var usualAddress: String {
        // SAFETY: nothing in this process changes the environment.
        guard let value = unsafe getenv("PULSE_SERVER"), unsafe value.pointee != 0 else {
            return "the default address"
        }
        return unsafe "'\(String(cString: value))' (PULSE_SERVER)"
    }

    private func dropContext() {
        isReady = false
        isHandshake = false
        isPipeWire = false
        hasAskedForKind = false
        isSubscribed = false
        attemptEnds = .max
        operations.callOff()
        guard let old = context else { return }
        context = nil
        losses.add(1, ordering: .relaxed)
        old.disconnect()
    }

    /// Subscribes to changes of the server's defaults, because streams on a suspended sink move to the default sink, and
    /// of devices, because streams end with their device.
    private func subscribe() {
        isSubscribed = true
        unsafe context?.subscribe(.passUnretained(self))
    }

    /// Handles a change of the server's defaults.
    func serverChanged() {
        reportDefaultSink()
        notifyObservers()
    }

    /// Handles a device that was added or changed.
    func devicesChanged() { notifyObservers() }

    /// Handles a device that was removed.
    func deviceIsRemoved(isSink: Bool, index: UInt32) {
        for client in clients { client.server.deviceIsRemoved(isSink: isSink, index: index) }
        notifyObservers()
    }

    /// Asks the server, and calls `answer` unless the connection is lost first.
    func ask(_ question: PulseQuestion, _ answer: @escaping (PulseAnswer) -> Void) {
        operations.append(context?.ask(question, answer))
    }

    /// Asks for the name of the default sink, and passes it to the clients that wait for it.
    func reportDefaultSink() {
        guard context != nil, clients.contains(where: { $0.awaitsDefaultSink }) else { return }
        // Subscribes before the question, so that no change is missed.
        if isReady, !isSubscribed { subscribe() }
        ask(.server) { [self] answer in
            guard case .server(let info) = answer, !info.defaultSink.isEmpty else { return }
            for client in clients { client.defaultSinkIs(info.defaultSink) }
        }
    }

    /// Subscribes to changes, and asks whether the server is PipeWire's, once. If it is, notifies the clients.
    ///
    /// Called after a stream has been requested, because the answers would delay the stream.
    func askForNews() {
        guard isReady else { return }
        if !isSubscribed { subscribe() }
        guard !hasAskedForKind else { return }
        hasAskedForKind = true
        ask(.server) { [self] answer in
            guard case .server(let info) = answer, info.isPipeWire else { return }
            isPipeWire = true
            for client in clients { client.serverIsPipeWire() }
        }
    }

    /// Feeds every stream that has waited for its client. REAL-TIME.
    @_noLocks func feedStreams() { references.feed() }

    /// Does everything that is due.
    func checkDeadlines() {
        let now = loop.now
        if now >= attemptEnds { finishConnecting(errorNumber: PulseError.timeout) }
        if now >= retryAt {
            retryAt = .max
            connectIfNeeded()
        }
        for client in clients { client.checkDeadline(now) }
        loop.wakeUp(at: min(attemptEnds, retryAt))
    }
}
