import Glibc
import Synchronization

/// The process's connection to one sound server: a context on a loop thread, shared by all streams.
///
/// Connects when it is made, and again when a stream needs the server. If the server dies, the running streams are
/// notified, and the connection is attempted again at growing intervals until the server is back or the last stream has
/// given up.
@safe final class PulseConnection: @unchecked Sendable {
    // SAFETY: everything but `loop` and `server` belongs to the loop's thread.

    /// The connections, by the address of the server; the default server has none.
    private static let connections = Monitor<[String: PulseConnection]>([:])
    /// An attempt that takes longer is given up: a server that hangs does not answer.
    private static let attemptNanoseconds: UInt64 = 3_000_000_000
    private static let firstRetryNanoseconds: UInt64 = 10_000_000
    private static let longestRetryNanoseconds: UInt64 = 200_000_000
    /// Between two attempts when nobody but observers waits for the server, who may do so for days.
    private static let idleRetryNanoseconds: UInt64 = 5_000_000_000

    let loop: PulseLoop
    private let server: String?
    private(set) var context: PulseContextCalls?
    private(set) var isReady = false
    /// Whether the server has said that it is PipeWire's, which it does when it is asked (``askForNews()``).
    private(set) var isPipeWire = false
    private var hasAskedForKind = false
    /// Whether the server tells of changes.
    private var isSubscribed = false
    private var clients: [any PulseConnectionClient] = [] {
        didSet {
            references.replace(with: clients.map(\.reference))
            loop.streams = clients.count
        }
    }
    /// The clients once more, for the audio path.
    private var references = PulseStreamReferences()
    /// Who hears of every change of the server's devices.
    private var observers: [PulseConnectionObserver] = []
    private var waiting: [(DeviceError?) -> Void] = []
    /// The questions that the server has yet to answer.
    private var listings: [PulseListing] = []
    private var operations = PulseOperations()
    private var retryAt = UInt64.max
    private var retryNanoseconds = PulseConnection.firstRetryNanoseconds
    private var attemptEnds = UInt64.max
    /// The connection to a server, which is made unless it exists; nil is the default server.
    ///
    /// Returns at once: the server is contacted on the loop's thread.
    ///
    /// - Throws: ``DeviceError/Code/refused`` without descriptors, memory or threads, and in a forked child, in which the
    ///   parent's connections have no threads.
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
            guard let mainloop = PulseMainloop.make() else {
                throw DeviceError(.refused, "cannot connect to a sound server: out of descriptors or memory")
            }
            let loop = PulseLoop(mainloop)
            let made = PulseConnection(loop: loop, server: server)
            guard loop.start() else {
                throw DeviceError(.refused, "cannot start the sound server's thread: out of resources")
            }
            made.perform { made.connect() }
            connections[server ?? ""] = made
            return made
        }
    }

    /// Runs `body` on the loop's thread, after everything posted before. From any thread.
    func perform(_ body: @escaping @Sendable () -> Void) { loop.perform(body) }

    /// - Parameter loop: Not started yet.
    init(loop: PulseLoop, server: String?) {
        self.loop = loop
        self.server = server
        unsafe loop.owner = .passUnretained(self)
    }

    // MARK: Loop thread

    /// Calls `body` once the server answers or is found not to, with the reason then.
    func whenConnected(_ body: @escaping (DeviceError?) -> Void) {
        if isReady {
            body(nil)
        } else {
            waiting.append(body)
            connectIfNeeded()
        }
    }

    /// Keeps what asks the server, and has it fail should that be lost.
    func add(_ listing: PulseListing) { listings.append(listing) }

    func remove(_ listing: PulseListing) { listings.removeAll { $0 === listing } }

    /// Those who wait for the server, or for its answer.
    private func takeQuestions() -> [(DeviceError?) -> Void] {
        let questions = waiting + listings.map { listing in { listing.finish($0) } }
        waiting = []
        listings = []
        return questions
    }

    /// Begins to connect, unless that was done.
    private func connectIfNeeded() {
        if context == nil { connect() }
    }

    func add(_ client: any PulseConnectionClient) {
        if !clients.contains(where: { $0 === client }) { clients.append(client) }
    }

    func remove(_ client: any PulseConnectionClient) { clients.removeAll { $0 === client } }

    /// Adds an observer, who is told of what changes from now on.
    func add(_ observer: PulseConnectionObserver) {
        observers.append(observer)
        guard isReady else { return connectIfNeeded() }
        if observers.count == 1 { subscribe() }
    }

    func remove(_ observer: PulseConnectionObserver) {
        observers.removeAll { $0 === observer }
        // Streams are to be woken for changes of the server alone.
        if observers.isEmpty, isReady { subscribe() }
    }

    private func tellObservers() { for observer in observers { observer.tell() } }

    /// The names of the sinks, or sources, on which a stream of this process runs.
    func namesInUse(ofSinks: Bool) -> [String] {
        clients.compactMap { ofSinks ? $0.runningSink : $0.runningSource }
    }

    /// Tries again soon: a client waits for the server.
    func retry() { retry(within: PulseConnection.longestRetryNanoseconds) }

    private func retry(within longest: UInt64) {
        guard context == nil else { return }
        let wait = min(retryNanoseconds, longest)
        let wanted = loop.now + wait
        // A client may come while an observer waits for long.
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
        // A failure found at once was told already, which let go of the context.
        if made.isSame(as: context) { finishConnecting(errorNumber: made.errorNumber) }
    }

    /// The server answers, refuses or dies.
    func stateChanged() {
        guard let context else { return }
        switch context.state {
        case .ready:
            isReady = true
            attemptEnds = .max
            retryNanoseconds = PulseConnection.firstRetryNanoseconds
            let ready = waiting
            waiting = []
            for body in ready { body(nil) }
            // Streams that waited are to begin as early as can be, and ask for themselves after that.
            if !observers.isEmpty { subscribe() }
            for client in clients { client.serverIsBack() }
            tellObservers()
            // The end of the attempt would wake the loop for nothing.
            loop.forgetDeadlines()
            checkDeadlines()
        case .failed: finishConnecting(errorNumber: context.errorNumber)
        case .connecting: break
        }
    }

    /// The server refused, died or hangs: lets go of it and tells everybody.
    private func finishConnecting(errorNumber: Int32?) {
        dropContext()
        let name = server.map { "'\($0)'" } ?? PulseConnection.usualAddress
        let error =
            errorNumber.map {
                DeviceError.pulse(.noServer, "no sound server answers at \(name)", errorNumber: $0)
            } ?? DeviceError(.noServer, "no sound server answers at \(name): out of memory")
        let failed = takeQuestions()
        for client in clients { client.serverIsLost() }
        for body in failed { body(error) }
        tellObservers()
        // Nobody else may be there who waits for the server.
        if !observers.isEmpty { retry(within: PulseConnection.idleRetryNanoseconds) }
    }

    /// Where a server is looked for of which nothing is told, for messages.
    private static var usualAddress: String {
        // SAFETY: nothing in this process changes the environment.
        guard let value = unsafe getenv("PULSE_SERVER"), unsafe value.pointee != 0 else {
            return "the default address"
        }
        return unsafe "'\(String(cString: value))' (PULSE_SERVER)"
    }

    private func dropContext() {
        isReady = false
        isPipeWire = false
        hasAskedForKind = false
        isSubscribed = false
        attemptEnds = .max
        operations.callOff()
        guard let old = context else { return }
        context = nil
        old.disconnect()
    }

    /// Asks to hear of changes of the default sink, which a stream on a suspended sink follows; for observers of all.
    private func subscribe() {
        isSubscribed = true
        unsafe context?.subscribe(toDevices: !observers.isEmpty, .passUnretained(self))
    }

    /// A default of the server's is another one.
    func serverChanged() {
        tellDefaultSink()
        tellObservers()
    }

    /// Some device came, went, or changed.
    func devicesChanged() { tellObservers() }

    /// Asks the server, and calls `answer` unless the connection is lost before.
    func ask(_ question: PulseQuestion, _ answer: @escaping (PulseAnswer) -> Void) {
        operations.append(context?.ask(question, answer))
    }

    /// Tells the clients that wait to know it which sink is the default now.
    func tellDefaultSink() {
        guard context != nil, clients.contains(where: { $0.awaitsDefaultSink }) else { return }
        // First, so that no change falls between the two.
        if isReady, !isSubscribed { subscribe() }
        ask(.server) { [self] answer in
            guard case .server(let info) = answer, !info.defaultSink.isEmpty else { return }
            for client in clients { client.defaultSinkIs(info.defaultSink) }
        }
    }

    /// Asks to hear of changes, and what the server is, unless it was asked; tells the clients if it is PipeWire's.
    ///
    /// To be called once a stream is on its way, which the answers would hold up.
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

    /// Lets every stream go on that waited for its client. REAL-TIME.
    @_noLocks func feedStreams() { references.feed() }

    /// Does what has become due.
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
