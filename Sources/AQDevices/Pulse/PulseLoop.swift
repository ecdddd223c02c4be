// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// The thread that runs libpulse's main loop, and the mailbox through which other threads pass work to it.
///
/// Only this thread calls libpulse, so it needs no lock and never waits for another thread. Work is posted in a
/// lock-free list.
@safe final class PulseLoop: @unchecked Sendable {
    // SAFETY: `mainloop` and the deadline belong to the loop's thread, except `wakeUp` of the main loop, which any
    // thread may call; the mailbox is atomic.

    @safe private final class Work {
        // SAFETY: owns its body; only the loop's thread follows the link.
        let body: () -> Void
        var next: Unmanaged<Work>?
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    private let mainloop: PulseMainloop
    /// Whether the thread runs the code of a client.
    private let servesClient: Bool
    private let mailbox = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
    private let hasKick = Atomic<Bool>(false)
    private let isServiceAsked = Atomic<Bool>(false)
    /// The thread's `pthread_t`; 0 before it runs.
    private let thread = Atomic<UInt>(0)

    /// The host time of the next ``PulseConnection/checkDeadlines()``. Loop thread only.
    private var deadline = UInt64.max
    private var earliest = UInt64.max
    /// Whether a stream has more data than was fed. Loop thread only.
    private var mustFeed = false
    private var realTime: RealTimeGuard?
    // REAL-TIME: a closure or a counted reference would be retained for each call.
    /// The loop's connections, which live as long as the process: the first, and that of a client's second stream.
    private var connections: (first: Unmanaged<PulseConnection>?, second: Unmanaged<PulseConnection>?)

    /// The client's code that the thread runs; nil if the queues' own threads run it. Loop thread only.
    private var service: LoopService?
    // REAL-TIME: unretained, like `connections`.
    private var serviceFeed: Unmanaged<StreamFeed>?
    /// The feed of a second stream that the same client uses.
    private var secondFeed: Unmanaged<StreamFeed>?
    /// Whether a stream has written data that the next turn sends. Loop thread only.
    private var hasWritten = false
    /// The loop's thread, while ``ServiceWatch`` checks its real-time priority. Loop thread only.
    private var watched: ServiceWatch.Thread?
    /// Whether the kernel has refused real-time priority for the service. Loop thread only.
    private var isRefused = false

    /// Whether client code renders a slice. Loop thread only.
    private var isRendering = false
    /// The number of streams of the connections, which share a limit on position requests. Loop thread only.
    var streams = 0

    init(_ mainloop: PulseMainloop, servesClient: Bool = false) {
        self.mainloop = mainloop
        self.servesClient = servesClient
    }

    deinit { mainloop.free() }

    /// The host time that deadlines are compared with. REAL-TIME.
    var now: UInt64 { @_noLocks get { mainloop.now } }

    /// Adds a connection, the first before ``start()``, and at most one more. Loop thread only after the start.
    func add(_ connection: PulseConnection) {
        if unsafe connections.first == nil {
            unsafe connections.first = .passUnretained(connection)
        } else {
            unsafe connections.second = .passUnretained(connection)
        }
    }

    /// Makes a context that is not connected; nil if memory is insufficient.
    func makeContext() -> PulseContextCalls? { mainloop.makeContext() }

    /// Starts the thread, which lives as long as the process.
    ///
    /// - Returns: False if the system cannot create a thread.
    func start() -> Bool {
        // A client's code may need a large stack.
        DetachedThread.start(named: "aq pulse", stackBytes: (servesClient ? 512 : 256) * 1024) { [self] in
            thread.store(pthread_self(), ordering: .relaxed)
            if servesClient { PulseLoop.serving.set(self) }
            run()
        } == 0
    }

    /// The calling thread's loop, if it runs the code of a client.
    static let serving = ThreadLocal<PulseLoop>()

    /// Whether the calling thread is the loop's thread.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    // MARK: The thread

    /// Takes turns until libpulse's loop ends. REAL-TIME.
    @_noLocks private func run() {
        while takeTurnAndServe() { realTime?.didTurn(at: now) }
    }

    /// Takes a turn, and runs the client's code if it is due. REAL-TIME.
    ///
    /// - Returns: False if libpulse's loop has ended, like ``takeTurn()``.
    @_noLocks func takeTurnAndServe() -> Bool {
        if !takeTurn() { return false }
        if isServiceDue {
            serveAfterSending()
        } else if unsafe serviceFeed == nil {
            // After the end of a service, its client may still call `wakeService()`.
            isServiceAsked.store(false, ordering: .relaxed)
        }
        return true
    }

    /// Waits until something is due, and does it. REAL-TIME.
    ///
    /// - Returns: False if libpulse's loop has ended.
    @_noLocks func takeTurn() -> Bool {
        if !turn() { return false }
        if now >= min(deadline, earliest) {
            deadline = .max
            earliest = .max
            checkDeadlines()
        }
        return true
    }

    @_noLocks private func turn() -> Bool {
        // The server gets the last turn's data before the streams are fed again.
        let feedsAgain = mustFeed
        hasWritten = false
        let timeout = microsecondsToDeadline()
        if !mainloop.prepare(microseconds: timeout) { return false }
        // QUIRK: preparing discards wake-ups that were made after the mailbox was last checked.
        if timeout != 0, isAsked { mainloop.wakeUpAgain() }
        var hasEnded = false
        if !mainloop.poll(isHandshake: isHandshake, hasEnded: &hasEnded) { return false }
        if !mainloop.dispatch() { return false }
        if hasEnded { endHandshakes() }
        if hasWork { runWork() }
        feedIfKicked(again: feedsAgain)
        return true
    }

    /// Runs `body` on the loop's thread, after all work posted before. From any thread.
    func perform(_ body: @escaping @Sendable () -> Void) {
        let work = Work(body)
        let node = unsafe Unmanaged.passRetained(work).toOpaque()
        var head = unsafe mailbox.load(ordering: .relaxed)
        while true {
            unsafe work.next = unsafe head.map { unsafe Unmanaged<Work>.fromOpaque($0) }
            let (done, current) = unsafe mailbox.weakCompareExchange(
                expected: head, desired: node, ordering: .acquiringAndReleasing)
            if done { break }
            unsafe head = unsafe current
        }
        mainloop.wakeUp()
    }

    /// Makes the loop feed its streams soon. From any thread; cheaper than ``perform(_:)``.
    func kick() {
        // In the service, the loop's own thread checks the flag afterwards, so it needs no wake-up.
        if !hasKick.exchange(true, ordering: .acquiringAndReleasing), !isCurrent { mainloop.wakeUp() }
    }

    /// Records that a stream has written data. Loop thread only. REAL-TIME.
    @_noLocks func didWrite() { hasWritten = true }

    /// Makes the loop feed its streams again after this turn. Loop thread only. REAL-TIME.
    @_noLocks func feedAgain() { mustFeed = true }

    /// Makes the connections check their deadlines at `hostTime`, or before if an earlier time was requested. Loop thread
    /// only. REAL-TIME.
    ///
    /// - Parameter earliest: The time from which a wake-up for something else is used too.
    @_noLocks func wakeUp(at hostTime: UInt64, orFrom earliest: UInt64 = .max) {
        if hostTime < deadline { deadline = hostTime }
        if earliest < self.earliest { self.earliest = earliest }
    }

    /// Cancels all requests made with ``wakeUp(at:)``, and makes the connections check their deadlines. Loop thread
    /// only.
    func renewDeadlines() {
        (deadline, earliest) = (.max, .max)
        checkDeadlines()
    }

    /// Feeds the streams if ``kick()`` was called or `again` is true. REAL-TIME.
    @_noLocks private func feedIfKicked(again: Bool) {
        let isKicked = hasKick.exchange(false, ordering: .acquiringAndReleasing)
        if !isKicked, !again { return }
        mustFeed = false
        if let first = unsafe connections.first { unsafe first._withUnsafeGuaranteedRef { $0.feedStreams() } }
        if let second = unsafe connections.second {
            unsafe second._withUnsafeGuaranteedRef { $0.feedStreams() }
        }
    }

    /// Requests real-time priority for the loop's thread, once. Does nothing on another thread, as of a test that takes
    /// the turns itself.
    func makeRealTime() {
        guard isCurrent else { return }
        if servesClient { return makeServiceRealTime() }
        guard realTime == nil else { return }
        realTime = RealTimeGuard(ThreadPriority.makeRealTime())
    }

    private func makeServiceRealTime() {
        guard watched == nil, !isRefused else { return }
        let request = ThreadPriority.makeRealTimeForCallbacks()
        guard request.answer == .granted else {
            // `makeHigh()` is called only once, because RealtimeKit limits the number of requests.
            isRefused = true
            ThreadPriority.makeHigh()
            return
        }
        // Client code with real-time priority could block the machine if it is not watched.
        guard let thread = ServiceWatch.Thread(request), ServiceWatch.shared.add(thread) else {
            return request.giveBack()
        }
        watched = thread
        if realTime == nil {
            realTime = RealTimeGuard(request, priority: ThreadPriority.callbackPriority)
        } else {
            realTime?.renew(request)
        }
    }

    // MARK: The service

    /// Whether the loop has a client's code to run. Loop thread only.
    var hasService: Bool { service != nil }

    /// Sets the client's code to run. Loop thread only.
    func setService(_ service: LoopService) {
        self.service = service
        unsafe serviceFeed = .passUnretained(service.feed)
        unsafe secondFeed = service.secondFeed.map { unsafe .passUnretained($0) }
        isServiceAsked.store(true, ordering: .relaxed)
    }

    /// Ends the service, and the thread's real-time priority with it. Loop thread only.
    private func endService() {
        service?.end()
        service = nil
        unsafe serviceFeed = nil
        unsafe secondFeed = nil
        guard let watched else { return }
        ServiceWatch.shared.remove(watched)
        watched.giveBack()
        realTime?.forget()
        self.watched = nil
    }

    /// Makes the loop run the service soon. From any thread.
    func wakeService() {
        if !isServiceAsked.exchange(true, ordering: .acquiringAndReleasing), !isCurrent { mainloop.wakeUp() }
    }

    /// Whether the service must run, because it was requested or there is an event. REAL-TIME.
    private var isServiceDue: Bool {
        @_noLocks get {
            guard let feed = unsafe serviceFeed else { return false }
            if isServiceAsked.load(ordering: .acquiring) { return true }
            if unsafe feed._withUnsafeGuaranteedRef({ $0.hasEvent }) { return true }
            guard let secondFeed = unsafe secondFeed else { return false }
            return unsafe secondFeed._withUnsafeGuaranteedRef { $0.hasEvent }
        }
    }

    /// Runs the service, unless a stream has written data, which the next turn must send first. REAL-TIME.
    @_noLocks private func serveAfterSending() {
        if hasWritten { return }
        runService()
        // The client has probably enqueued the audio that the server has requested.
        feedIfKicked(again: false)
    }

    // REAL-TIME: not checked by the compiler, because the client's code runs here, on a thread that serves only this
    // client.
    /// Runs the client's code.
    @_semantics("no_performance_analysis") private func runService() {
        isServiceAsked.store(false, ordering: .releasing)
        guard let service else { return }
        clientCodeBegins()
        let continues = service.run()
        clientCodeEnded()
        if !continues, self.service === service { endService() }
    }

    /// Records that code of the client begins, whose real-time priority is limited. Loop thread only.
    private func clientCodeBegins() { watched?.begins(at: now) }

    /// Records that code of the client has ended. Loop thread only.
    private func clientCodeEnded() { watched?.ended() }

    /// Records that client code begins to render a slice within a turn. Loop thread only.
    func renderingBegins() {
        isRendering = true
        clientCodeBegins()
    }

    /// Records that client code has rendered a slice. Loop thread only.
    func renderingEnded() {
        isRendering = false
        clientCodeEnded()
    }

    /// Whether the client's code may take turns: not while it renders, within a turn. Loop thread only.
    var allowsTurnInService: Bool { !isRendering }

    /// Takes a turn, and runs the service again within itself if it is due. Called only by the service, on the loop's
    /// thread, if ``allowsTurnInService``.
    func takeTurnInService(until hostTime: UInt64) {
        wakeUp(at: hostTime)
        guard takeTurn() else { return }
        if isServiceDue, let service {
            isServiceAsked.store(false, ordering: .releasing)
            // The result is ignored, because only the outer run ends the service.
            _ = service.run()
        }
        // The wait restarts the time of the client's code. The thread may also have got real-time priority in this
        // turn.
        watched?.begins(at: now)
    }

    @_noLocks private func microsecondsToDeadline() -> Int32 {
        if mustFeed { return 0 }
        if isServiceDue { return 0 }
        if isAsked { return 0 }
        if deadline == .max { return -1 }
        let now = now
        if now >= deadline { return 0 }
        return Int32(clamping: (deadline - now) / 1000 + 1)
    }

    /// Whether a connection is in the handshake with its server. REAL-TIME.
    private var isHandshake: Bool {
        @_noLocks get {
            if let first = unsafe connections.first, unsafe first._withUnsafeGuaranteedRef({ $0.isHandshake })
            {
                return true
            }
            guard let second = unsafe connections.second else { return false }
            return unsafe second._withUnsafeGuaranteedRef { $0.isHandshake }
        }
    }

    /// Whether there is work in the mailbox. REAL-TIME.
    private var hasWork: Bool { @_noLocks get { unsafe mailbox.load(ordering: .acquiring) != nil } }

    /// Whether other threads have requested anything that is not done. REAL-TIME.
    private var isAsked: Bool {
        @_noLocks get {
            if hasWork { return true }
            if isServiceAsked.load(ordering: .acquiring) { return true }
            return hasKick.load(ordering: .acquiring)
        }
    }

    // REAL-TIME: not checked by the compiler, because it calls and releases closures. Only control calls post work, so
    // that none is posted while a stream plays continuously.
    /// Does the work in the mailbox.
    @_semantics("no_performance_analysis") private func runWork() {
        var newest = unsafe mailbox.exchange(nil, ordering: .acquiringAndReleasing)
        // Reverses the list, so that work is done in the order in which it was posted.
        var oldest: Unmanaged<Work>?
        while let node = unsafe newest {
            let work = unsafe Unmanaged<Work>.fromOpaque(node)
            unsafe newest = unsafe work._withUnsafeGuaranteedRef { unsafe $0.next?.toOpaque() }
            unsafe work._withUnsafeGuaranteedRef { unsafe $0.next = unsafe oldest }
            unsafe oldest = unsafe work
        }
        while let next = unsafe oldest {
            let work = unsafe next.takeRetainedValue()
            unsafe oldest = unsafe work.next
            work.body()
        }
    }

    // REAL-TIME: not checked by the compiler, because it drops contexts. No stream plays before the handshake.
    /// Makes the connections whose server has ended during the handshake report it.
    @_semantics("no_performance_analysis") private func endHandshakes() {
        unsafe connections.first?._withUnsafeGuaranteedRef { $0.handshakeEnded() }
        unsafe connections.second?._withUnsafeGuaranteedRef { $0.handshakeEnded() }
    }

    // REAL-TIME: not checked by the compiler, because it makes and drops streams. Deadlines are set by connecting,
    // starts, fades, drains, pauses, lost servers, late frames and changes of the position: a stream that plays
    // continuously has none.
    /// Makes the connections check their deadlines.
    @_semantics("no_performance_analysis") private func checkDeadlines() {
        unsafe connections.first?._withUnsafeGuaranteedRef { $0.checkDeadlines() }
        unsafe connections.second?._withUnsafeGuaranteedRef { $0.checkDeadlines() }
    }
}
