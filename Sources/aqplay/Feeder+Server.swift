// SPDX-License-Identifier: MIT

import AQFiles
import AudioQueues
import CoreAudioTypes
import Glibc
import AQNetworkInput
import Synchronization
import AQToolSupport

/// The waits for servers, on threads of their own.
extension Feeder {
    /// The longest time of one wait, after which changes are noticed.
    private static let waitMilliseconds: Int64 = 50

    /// The state of the server from which the latest track is read; nil for files of the system.
    var networkState: NetworkInput.State? { sequence.networkState }

    /// Whether the bytes of a server or a pipe are waited for.
    var isAwaitingData: Bool { lock.withLockIfAvailable { _ in serverWait != nil } ?? true }

    /// Ends the wait for the server of a track that is being opened: the track is not played. Called by any thread.
    func skipAwaitedTrack() { sequence.skipAwaitedTrack() }

    /// Opens or moves the next track, which is on a server, and waits for its first bytes.
    ///
    /// - Parameter done: Called on another thread, when ``nextForNewQueue()`` can return the track.
    func openOnServer(_ done: @escaping @Sendable () -> Void) {
        let open: @Sendable () -> Void = { [self] in
            let opened: Playback? = lock.withLock { _ in
                if let moved = finishMove() {
                    waitingForQueue = moved
                } else if case .open(let playback) = sequence.openNext(
                    isAwaited: true, mayWaitForServer: true)
                {
                    waitingForQueue = playback
                }
                return waitingForQueue
            }
            if let input = opened?.input { while !input.wait(milliseconds: Self.waitMilliseconds) {} }
            done()
        }
        // If no thread can be created, the input cannot create one either, and the track fails at once.
        if !NetworkInput.perform(open) { open() }
    }

    /// One wait for a server. A hold ends it.
    final class ServerWait: Sendable {}

    /// The data that a wait ends with.
    enum Awaited {
        /// The next packets of a track.
        case packets(NetworkInput)
        /// The next file of a broadcast.
        case continuation(NetworkInput)
        /// The next track.
        case track
    }

    /// Goes on filling buffers after a server has sent bytes, on another thread. Called with the lock held.
    func goOnAfterWait(for awaited: Awaited) {
        let wait = ServerWait()
        serverWait = wait
        let input: NetworkInput? =
            switch awaited {
            case .packets(let input), .continuation(let input): input
            case .track: nil
            }
        let isStarted = NetworkInput.perform { [self] in
            var isReady = false
            while !isReady {
                let start = MonotonicClock.seconds
                let hasBytes = input?.wait(milliseconds: Self.waitMilliseconds) ?? true
                isReady = goOn(wait, hasBytes: hasBytes)
                // Bytes that are not enough for a packet, or that a library has taken, do not wake this thread.
                if !isReady, MonotonicClock.seconds - start < 0.01 { usleep(10_000) }
            }
        }
        if !isStarted {
            serverWait = nil
            giveUp("cannot wait for the server: no thread can be created")
        }
    }

    /// Fills buffers if a wait has ended; returns whether it has.
    private func goOn(_ wait: ServerWait, hasBytes: Bool) -> Bool {
        lock.withLock { _ in
            guard serverWait === wait else { return true }
            guard isServerReady(hasBytes: hasBytes) else { return false }
            serverWait = nil
            refill(mayWaitForServer: true)
            if gaps.isFillingAgain { gaps.resume(at: MonotonicClock.seconds) }
            return true
        }
    }

    /// The duration of the audio that the queue has still to play. Called with the lock held.
    private var enqueuedSeconds: Double {
        guard let queue, let time = try? queue.currentTime() else { return 0 }
        let frames = spans.framesToPlay(playedFrames: Int64(time.playedFrames))
        return Double(frames) / queue.format.mSampleRate
    }

    /// Called with the lock held.
    private func isServerReady(hasBytes: Bool) -> Bool {
        guard let reading else { return hasBytes }
        guard reading.file.isSeekable ? hasBytes : reading.file.isReadable ?? true else { return false }
        guard gaps.isGap(underruns: queue?.underrunCount ?? 0, at: MonotonicClock.seconds) else {
            return true
        }
        gaps.isFillingAgain = reading.input?.fillAgain(enqueuedSeconds: enqueuedSeconds) ?? false
        return !gaps.isFillingAgain
    }
}
