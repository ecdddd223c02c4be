import CRealTime
import Synchronization

/// Who does the loop's work: its thread, and before that begins whoever asks for something.
extension PulseConnection {
    /// How long an answer of the server is waited for in place of the loop's thread: several times what one takes.
    private static let standInNanoseconds: UInt64 = 2_000_000

    /// Goes on connecting as far as that needs no waiting, as long as the loop's thread has not begun.
    func advance() {
        place.withLock { _ in
            if !isReady, !hasThread.load(ordering: .relaxed) { loop.standIn() }
        }
    }

    /// Has the calling thread be the loop's, unless that has begun: while `body` asks for things, and then until
    /// `isDone`, for a few milliseconds at most. The loop's thread begins after that.
    ///
    /// - Parameter isDone: Called as by the loop's thread.
    func standIn<Failure: Error>(
        during body: () throws(Failure) -> Void, until isDone: () -> Bool
    ) throws(Failure) {
        if hasThread.load(ordering: .acquiring) { return try body() }
        place.withLock { $0 += 1 }
        defer {
            place.withLock { $0 -= 1 }
            perform {}
        }
        try body()
        waitInPlace(until: isDone)
    }

    /// Has `body` ask the server as ``perform(_:)`` does, and waits for the answer in place of the loop's thread, for a few
    /// milliseconds at most. Without an answer by then the thread begins, as it does when it is needed meanwhile.
    ///
    /// - Parameter isAnswered: Called as by the loop's thread.
    func ask(_ body: @escaping @Sendable () -> Void, until isAnswered: () -> Bool) {
        if hasThread.load(ordering: .acquiring) { return perform(body) }
        loop.perform(body)
        place.withLock { _ in
            if !hasThread.load(ordering: .relaxed) { restartAttempt() }
        }
        waitInPlace(until: isAnswered)
        // What waits for nothing more needs no thread, and who asked may have something to play or record next.
        if !isAnswered() { perform {} }
    }

    private func waitInPlace(until isDone: () -> Bool) {
        let limit = aq_host_time() + PulseConnection.standInNanoseconds
        var goesOn = true
        while goesOn {
            goesOn = place.withLock { _ in
                if hasThread.load(ordering: .relaxed) { return false }
                loop.standIn()
                return !isDone() && loop.waitInPlace(until: limit)
            }
        }
    }

    /// Has `body` run on the loop's thread, after all that was asked for before. From any thread.
    ///
    /// The first is run by the caller, and what it asks of the server is on its way before the thread begins: a new
    /// thread would be late for it, and keep a processor from the server that is to answer. Where the system has no
    /// thread to give, all clients fail with ``DeviceError/Code/refused``, and the next call tries again.
    func perform(_ body: @escaping @Sendable () -> Void) {
        loop.perform(body)
        if hasThread.load(ordering: .acquiring) { return }
        place.withLock { standIns in
            guard !hasThread.load(ordering: .relaxed) else { return }
            restartAttempt()
            loop.standIn()
            if standIns == 0, !startThread() { giveUp() }
        }
    }

    /// Has the loop's thread begin, with the lock of `place`.
    ///
    /// - Returns: False when the system has no thread to give.
    private func startThread() -> Bool {
        guard loop.start() else { return false }
        hasThread.store(true, ordering: .releasing)
        return true
    }

    /// Has the loop's thread begin, if it has not, whoever stands in for it: what follows is run by it, and not by the
    /// caller.
    ///
    /// - Throws: ``DeviceError/Code/refused`` where the system has no thread to give.
    func begin() throws(DeviceError) {
        let hasBegun = place.withLock { standIns in
            if hasThread.load(ordering: .relaxed) { return true }
            restartAttempt()
            loop.standIn()
            if startThread() { return true }
            // Whoever stands in has begun something, and tries to have a thread for it when that is under way.
            if standIns == 0 { giveUp() }
            return false
        }
        if !hasBegun { throw PulseConnection.noThread }
    }
}
