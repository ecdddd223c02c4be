// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CoreAudioTypes
import AQSoundHarness
import Synchronization
import Testing

/// A queue on a private server's sink that plays the test signal from buffers filled in callbacks.
final class SignalPlayer: Sendable {
    /// The frames of each of three buffers, which last 200 ms together.
    static let bufferFrames = 3200

    let queue: OutputQueue
    private let feed: Feed

    /// - Parameter sink: Nil follows the server's default.
    convenience init(
        on server: PulseServer, sink: String? = nil, latencySeconds: Double = 0.1, recoverySeconds: Double = 5
    ) throws {
        try self.init(
            on: server, sink: sink, latency: .seconds(latencySeconds), recoverySeconds: recoverySeconds)
    }

    init(
        on server: PulseServer, sink: String? = nil, latency: LatencyGoal, recoverySeconds: Double = 5
    ) throws {
        let feed = Feed()
        self.feed = feed
        queue = try OutputQueue(
            format: .float(channels: 2, sampleRate: 48000),
            device: PulseDevice(sink: sink, server: "unix:\(server.socketPath)"),
            configuration: OutputQueue.Configuration(
                latency: latency, recoverySeconds: recoverySeconds)
        ) { queue, buffer in feed.bufferDone(buffer, of: queue) }
        for _ in 0..<3 {
            try feed.add(queue.allocateBuffer(byteCapacity: SignalPlayer.bufferFrames * 8))
        }
    }

    /// Buffers that the client has.
    var returnedBuffers: Int { feed.idleBuffers }
    /// Frames of the signal enqueued so far.
    var enqueuedFrames: Int { feed.enqueuedFrames }
    var callbackCount: Int { feed.callbackCount }
    /// The thread of the last callback.
    var callbackThread: Int32? { feed.callbackThread }
    /// The reason why a buffer could not be enqueued in a callback; nil if all could.
    var feedFailure: QueueError? { feed.failure }

    /// Enqueues the signal's frames `range`, now and in callbacks; with `stopsAtEnd` the queue is stopped after them.
    func play(_ range: Range<Int>, stopsAtEnd: Bool = true) { feed.begin(range, stopsAtEnd, on: queue) }

    /// Starts with the signal's frames, and returns when half a second, or half of them, was audible.
    func start(_ range: Range<Int>, playedBy capture: MonitorCapture) throws {
        play(range)
        try queue.start()
        try #require(capture.waitForSignal(range.lowerBound + min(24_000, range.count / 2)))
    }

    /// Keeps returned buffers from now on.
    func hold() { feed.hold() }

    /// Waits until everything was played and the queue has stopped.
    func waitForEnd(upToSeconds seconds: Double = 20) -> Bool {
        HostClock.poll(upToSeconds: seconds) { feed.isAtEnd && !queue.isRunning }
    }

    func waitForStart(upToSeconds seconds: Double = 20) -> Bool {
        HostClock.poll(upToSeconds: seconds) { queue.isRunning }
    }
}

/// The client's state of a queue, for its callbacks and the test's thread.
private final class Feed: Sendable {
    private struct State {
        var idle: [QueueBuffer] = []
        var next = 0
        var end = 0
        var isHeld = true
        var stopsAtEnd = true
        var callbacks = 0
        var callbackThread: Int32?
        var failure: QueueError?
    }
    private let state = Mutex(State())

    var idleBuffers: Int { state.withLock { $0.idle.count } }
    var enqueuedFrames: Int { state.withLock { $0.next } }
    var callbackCount: Int { state.withLock { $0.callbacks } }
    var callbackThread: Int32? { state.withLock { $0.callbackThread } }
    var failure: QueueError? { state.withLock { $0.failure } }
    var isAtEnd: Bool { state.withLock { $0.next >= $0.end } }

    func add(_ buffer: QueueBuffer) { state.withLock { $0.idle.append(buffer) } }
    func hold() { state.withLock { $0.isHeld = true } }

    func begin(_ range: Range<Int>, _ stopsAtEnd: Bool, on queue: OutputQueue) {
        state.withLock { state in
            (state.next, state.end, state.stopsAtEnd) = (range.lowerBound, range.upperBound, stopsAtEnd)
            state.isHeld = false
            while let buffer = state.idle.popLast() {
                if !enqueueNext(buffer, on: queue, &state) { break }
            }
        }
    }

    func bufferDone(_ buffer: QueueBuffer, of queue: OutputQueue) {
        state.withLock { state in
            state.callbacks += 1
            state.callbackThread = OwnThreads.current
            if state.isHeld {
                state.idle.append(buffer)
            } else {
                _ = enqueueNext(buffer, on: queue, &state)
            }
        }
    }

    /// Fills a buffer and enqueues it; keeps it, and returns false, if nothing is left.
    private func enqueueNext(_ buffer: QueueBuffer, on queue: OutputQueue, _ state: inout State) -> Bool {
        let frames = min(SignalPlayer.bufferFrames, state.end - state.next)
        guard frames > 0 else {
            state.idle.append(buffer)
            return false
        }
        let signal = TestSignal.make(sampleRate: 48000, frames: frames, from: state.next)
        unsafe signal.samples.withUnsafeBytes { unsafe buffer.bytes.copyBytes(from: $0) }
        buffer.byteCount = frames * 8
        do throws(QueueError) {
            try queue.enqueue(buffer)
            state.next += frames
            if state.next == state.end, state.stopsAtEnd { try queue.stop(immediate: false) }
            return true
        } catch {
            state.failure = error
            state.idle.append(buffer)
            return false
        }
    }
}

extension Recording {
    /// The time of the last audible frame, or of the last before `frame`.
    func endOfSound(before frame: Int? = nil) throws -> UInt64 {
        let part = samples[..<((frame ?? frames) * channels)]
        let last = try #require(part.lastIndex { abs($0) > Recording.silenceThreshold })
        return try #require(hostTime(ofFrame: last / channels))
    }
}

extension OutputQueue {
    /// Waits until so many frames have played, by the queue's clock; false after ten seconds.
    func waitUntilPlayed(_ frames: Double) -> Bool {
        HostClock.poll(upToSeconds: 10) { (try? currentTime().playedFrames >= frames) == true }
    }
}
