import AudioQueues
import NetworkInput
import Synchronization

/// The waits for servers, on threads of their own.
extension Feeder {
    /// The longest time of one wait, after which changes are noticed.
    private static let waitMilliseconds: Int64 = 50

    /// The state of the server from which the latest track is read; nil for files of the system.
    var networkState: NetworkInput.State? { sequence.networkState }

    /// Ends the wait for the server of a track that is being opened: the track is not played. Called by any thread.
    func skipAwaitedTrack() { sequence.skipAwaitedTrack() }

    /// Opens the next track, which is on a server, and waits for its first bytes.
    ///
    /// - Parameter done: Called on another thread, when ``nextForNewQueue()`` can return the track.
    func openOnServer(_ done: @escaping @Sendable () -> Void) {
        let isStarted = NetworkInput.perform { [self] in
            let opened: Playback? = lock.withLock { _ in
                let next = sequence.openNext(isAwaited: true, mayWaitForServer: true)
                if case .open(let playback) = next { waitingForQueue = playback }
                return waitingForQueue
            }
            if let input = opened?.input { while !input.wait(milliseconds: Self.waitMilliseconds) {} }
            done()
        }
        if !isStarted { sequence.complain("cannot wait for the server: no thread can be created") }
    }

    /// One wait for a server. A hold ends it.
    final class ServerWait: Sendable {}

    /// Goes on filling buffers after a server has sent bytes, on another thread. Called with the lock held.
    ///
    /// - Parameter input: The input to wait for; nil if the next track has to be opened.
    func goOnAfterWait(for input: NetworkInput?) {
        let wait = ServerWait()
        serverWait = wait
        let isStarted = NetworkInput.perform { [self] in
            if let input {
                waitForBytes(input, wait)
                if hadGap() {
                    input.fillAgain()
                    waitForBytes(input, wait)
                }
            }
            lock.withLock { _ in
                guard serverWait === wait else { return }
                serverWait = nil
                refill(mayWaitForServer: true)
            }
        }
        if !isStarted {
            serverWait = nil
            sequence.complain("cannot wait for the server: no thread can be created")
        }
    }

    private func waitForBytes(_ input: NetworkInput, _ wait: ServerWait) {
        while !input.wait(milliseconds: Self.waitMilliseconds), isPresent(wait) {}
    }

    /// Whether the queue has played everything since the last call, and then silence.
    private func hadGap() -> Bool {
        lock.withLock { _ in
            defer { knownUnderruns = queue?.underrunCount ?? 0 }
            return queue?.underrunCount ?? 0 > knownUnderruns
        }
    }

    private func isPresent(_ wait: ServerWait) -> Bool { lock.withLock { _ in serverWait === wait } }
}
