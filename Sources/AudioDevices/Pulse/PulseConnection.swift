import CPulse
import CRealTime
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
    private(set) var context: OpaquePointer?
    private(set) var isReady = false
    /// Whether the server has said that it is PipeWire's, which it does when it is asked (``askForNews()``).
    private(set) var isPipeWire = false
    private var hasAskedForKind = false
    /// Whether the server tells of changes.
    private var isSubscribed = false
    private var clients: [any PulseConnectionClient] = [] {
        didSet {
            fedStreams.replace(with: clients.map(\.fedStream))
            loop.streams = clients.count
        }
    }
    /// The clients once more, for the audio path.
    private var fedStreams = PulseFedStreams()
    /// Who hears of every change of the server's devices.
    private var observers: [PulseConnectionObserver] = []
    private var waiting: [(DeviceError?) -> Void] = []
    /// The questions that the server has yet to answer.
    private var listings: [PulseListing] = []
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
            guard let loop = PulseLoop() else {
                throw DeviceError(.refused, "cannot connect to a sound server: out of descriptors or memory")
            }
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

    private init(loop: PulseLoop, server: String?) {
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
        if unsafe context == nil { connect() }
    }

    func add(_ client: any PulseConnectionClient) {
        if !clients.contains(where: { $0 === client }) { clients.append(client) }
    }

    func remove(_ client: any PulseConnectionClient) { clients.removeAll { $0 === client } }

    /// Adds an observer, who is told of what changes from now on.
    func add(_ observer: PulseConnectionObserver) {
        observers.append(observer)
        guard isReady, let context = unsafe context else { return connectIfNeeded() }
        if observers.count == 1 { unsafe subscribe(context) }
    }

    func remove(_ observer: PulseConnectionObserver) {
        observers.removeAll { $0 === observer }
        // Streams are to be woken for changes of the server alone.
        guard observers.isEmpty, isReady, let context = unsafe context else { return }
        unsafe subscribe(context)
    }

    private func tellObservers() { for observer in observers { observer.tell() } }

    /// The names of the sinks, or sources, on which a stream of this process runs.
    func namesInUse(ofSinks: Bool) -> [String] {
        clients.compactMap { ofSinks ? $0.runningSink : $0.runningSource }
    }

    /// Tries again soon: a client waits for the server.
    func retry() { retry(within: PulseConnection.longestRetryNanoseconds) }

    private func retry(within longest: UInt64) {
        guard unsafe context == nil else { return }
        let wait = min(retryNanoseconds, longest)
        let wanted = aq_host_time() + wait
        // A client may come while an observer waits for long.
        guard wanted < retryAt else { return }
        retryAt = wanted
        retryNanoseconds = min(wait * 2, longest)
        loop.wakeUp(at: retryAt)
    }

    private func connect() {
        retryAt = .max
        // Without a name and properties of its own, libpulse takes the user's and the program's name.
        guard let made = unsafe pa_context_new(loop.api, nil) else {
            return finishConnecting(errorNumber: nil)
        }
        unsafe context = unsafe made
        // SAFETY: connections live as long as the process.
        let connection = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe pa_context_set_state_callback(
            made,
            { _, connection in
                guard let connection = unsafe connection else { return }
                unsafe Unmanaged<PulseConnection>.fromOpaque(connection).takeUnretainedValue().stateChanged()
            }, connection)
        attemptEnds = aq_host_time() + PulseConnection.attemptNanoseconds
        loop.wakeUp(at: attemptEnds)
        let status = unsafe pa_context_connect(made, server, PA_CONTEXT_NOFLAGS, nil)
        // A failure found at once was told to the state callback already, which let go of the context.
        if unsafe status < 0 && context == made {
            unsafe finishConnecting(errorNumber: pa_context_errno(made))
        }
    }

    private func stateChanged() {
        guard let context = unsafe context else { return }
        switch unsafe pa_context_get_state(context) {
        case PA_CONTEXT_READY:
            isReady = true
            attemptEnds = .max
            retryNanoseconds = PulseConnection.firstRetryNanoseconds
            let ready = waiting
            waiting = []
            for body in ready { body(nil) }
            // Streams that waited are to begin as early as can be, and ask for themselves after that.
            if !observers.isEmpty { unsafe subscribe(context) }
            for client in clients { client.serverIsBack() }
            tellObservers()
            // The end of the attempt would wake the loop for nothing.
            loop.forgetDeadlines()
            checkDeadlines()
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED:
            finishConnecting(errorNumber: unsafe pa_context_errno(context))
        default: break
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
        guard let old = unsafe context else { return }
        unsafe context = nil
        unsafe pa_context_set_state_callback(old, nil, nil)
        unsafe pa_context_set_subscribe_callback(old, nil, nil)
        unsafe pa_context_disconnect(old)
        unsafe pa_context_unref(old)
    }

    /// Asks to hear of changes of the default sink, which a stream on a suspended sink follows; for observers of all.
    private func subscribe(_ context: OpaquePointer) {
        isSubscribed = true
        let connection = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe pa_context_set_subscribe_callback(
            context,
            { _, event, _, connection in
                guard let connection = unsafe connection else { return }
                unsafe Unmanaged<PulseConnection>.fromOpaque(connection).takeUnretainedValue().changed(event)
            }, connection)
        var mask = PA_SUBSCRIPTION_MASK_SERVER.rawValue
        if !observers.isEmpty {
            mask |= PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SOURCE.rawValue
        }
        unsafe PulseOperations.release(
            pa_context_subscribe(context, pa_subscription_mask_t(rawValue: mask), nil, nil))
    }

    private func changed(_ event: pa_subscription_event_type_t) {
        switch event.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue {
        case PA_SUBSCRIPTION_EVENT_SERVER.rawValue:
            tellDefaultSink()
            tellObservers()
        case PA_SUBSCRIPTION_EVENT_SINK.rawValue, PA_SUBSCRIPTION_EVENT_SOURCE.rawValue: tellObservers()
        default: break
        }
    }

    /// Tells the clients that wait to know it which sink is the default now.
    func tellDefaultSink() {
        guard let context = unsafe context, clients.contains(where: { $0.awaitsDefaultSink }) else { return }
        // First, so that no change falls between the two.
        if isReady, !isSubscribed { unsafe subscribe(context) }
        let connection = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe PulseOperations.release(
            pa_context_get_server_info(
                context,
                { _, info, connection in
                    guard let connection = unsafe connection,
                        let name = unsafe info?.pointee.default_sink_name
                    else { return }
                    let target = unsafe Unmanaged<PulseConnection>.fromOpaque(connection)
                        .takeUnretainedValue()
                    let defaultSink = unsafe String(cString: name)
                    for client in target.clients { client.defaultSinkIs(defaultSink) }
                }, connection))
    }

    /// Asks to hear of changes, and what the server is, unless it was asked; tells the clients if it is PipeWire's.
    ///
    /// To be called once a stream is on its way, which the answers would hold up.
    func askForNews() {
        guard isReady, let context = unsafe context else { return }
        if !isSubscribed { unsafe subscribe(context) }
        guard !hasAskedForKind else { return }
        hasAskedForKind = true
        let connection = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe PulseOperations.release(
            pa_context_get_server_info(
                context,
                { _, info, connection in
                    guard let connection = unsafe connection, let name = unsafe info?.pointee.server_name,
                        unsafe strstr(name, "PipeWire") != nil
                    else { return }
                    let target = unsafe Unmanaged<PulseConnection>.fromOpaque(connection)
                        .takeUnretainedValue()
                    target.isPipeWire = true
                    for client in target.clients { client.serverIsPipeWire() }
                }, connection))
    }

    /// Lets every stream go on that waited for its client. REAL-TIME.
    @_noLocks func feedStreams() { fedStreams.feed() }

    /// Does what has become due.
    func checkDeadlines() {
        let now = aq_host_time()
        if now >= attemptEnds { finishConnecting(errorNumber: Int32(PA_ERR_TIMEOUT.rawValue)) }
        if now >= retryAt {
            retryAt = .max
            connectIfNeeded()
        }
        for client in clients { client.checkDeadline(now) }
        loop.wakeUp(at: min(attemptEnds, retryAt))
    }
}
