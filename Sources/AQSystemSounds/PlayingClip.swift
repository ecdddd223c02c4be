// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CAQRealTime
import CoreAudioTypes

/// One playback of a clip, by a queue of its own.
///
/// The queue refers to this object and this object to the queue, until the playback ends.
final class PlayingClip: Sendable {
    /// The number of buffers of a longer clip.
    private static let bufferCount = 3
    private static let bufferSeconds = 0.25
    /// The time to wait for a server, in seconds. A later sound would not match its cause any more.
    private static let recoverySeconds = 1.0
    /// The time after which a playback is overdue, in seconds, in addition to the clip's length.
    private static let patienceSeconds = 5.0

    private struct State {
        /// Nil while the playback begins: only the thread that begins disposes of the queue then, since a disposal frees
        /// the buffers that this thread fills.
        var queue: OutputQueue?
        var hasEnded = false
        /// The byte of the clip with which the next buffer begins. Changed by one thread at a time: the one that
        /// begins, then that of the queue's callbacks.
        var nextByte = 0
        var completion: (@Sendable () -> Void)?
    }

    /// The number of the sound.
    let number: UInt32
    /// The host time at which the playback is overdue.
    let deadline: UInt64
    private let clip: SoundClip
    private let onEnd: @Sendable (PlayingClip) -> Void
    private let state: Monitor<State>

    /// - Parameters:
    ///   - onEnd: Called once, before the completion.
    ///   - completion: Called once, on any thread, however the playback ends.
    init(
        _ clip: SoundClip, number: UInt32, onEnd: @escaping @Sendable (PlayingClip) -> Void,
        completion: @escaping @Sendable () -> Void
    ) {
        self.clip = clip
        self.number = number
        self.onEnd = onEnd
        let seconds = Double(clip.frames) / max(clip.format.mSampleRate, 1) + Self.patienceSeconds
        deadline = aq_host_time() + UInt64(seconds * 1e9)
        state = Monitor(State(completion: completion))
    }

    /// Starts playback, and returns at once. The caller ends the playback if this throws.
    func begin(on device: any OutputDevice, role: StreamRole?) throws(QueueError) {
        let configuration = OutputQueue.Configuration(
            latency: .balanced, recoverySeconds: Self.recoverySeconds, role: role)
        let queue = try OutputQueue(
            format: clip.format, channelLabels: clip.channelLabels, device: device,
            configuration: configuration
        ) { [self] queue, buffer in bufferDone(buffer, of: queue) }
        do throws(QueueError) {
            try start(queue)
        } catch {
            // This fails only in a forked child, where nothing plays.
            try? queue.dispose(immediate: true)
            throw error
        }
        let isWanted = state.withLock { state in
            if !state.hasEnded { state.queue = queue }
            return !state.hasEnded
        }
        if !isWanted { try queue.dispose(immediate: true) }
    }

    private func start(_ queue: OutputQueue) throws(QueueError) {
        try queue.addListener(for: .isRunning) { [self] queue in
            if !queue.isRunning { end() }
        }
        try queue.addListener(for: .failure) { [self] _ in end() }
        let isWhole = try enqueueFirst(of: queue)
        // A sound that was removed meanwhile is not played.
        if state.withLock({ $0.hasEnded }) { return }
        try queue.start()
        // The callback of the last buffer stops a longer clip.
        if isWhole { try queue.stop(immediate: false) }
    }

    /// Ends playback with a short fade, or forgets a playback that has ended. From any thread.
    func end() {
        let (queue, completion) = state.withLock { state in
            state.hasEnded = true
            defer { (state.queue, state.completion) = (nil, nil) }
            return (state.queue, state.completion)
        }
        guard let completion else { return }
        // This fails only in a forked child, where nothing plays.
        try? queue?.dispose(immediate: true)
        onEnd(self)
        completion()
    }

    // MARK: Buffers

    /// Enqueues the first buffers.
    ///
    /// - Returns: Whether they contain the whole clip.
    private func enqueueFirst(of queue: OutputQueue) throws(QueueError) -> Bool {
        let frameBytes = Int(clip.format.mBytesPerFrame)
        let bufferFrames = max(1, Int(clip.format.mSampleRate * Self.bufferSeconds))
        let bufferBytes = min(bufferFrames * frameBytes, clip.bytes.count)
        for _ in 0..<Self.bufferCount {
            let buffer = try queue.allocateBuffer(byteCapacity: bufferBytes)
            guard fill(buffer) else { return true }
            try queue.enqueue(buffer)
        }
        return state.withLock { $0.nextByte } == clip.bytes.count
    }

    /// Copies the next part of the clip; false if there is none.
    private func fill(_ buffer: QueueBuffer) -> Bool {
        let part = state.withLock { state in
            let start = state.nextByte
            state.nextByte = min(clip.bytes.count, start + buffer.byteCapacity)
            return start..<state.nextByte
        }
        guard !part.isEmpty else { return false }
        unsafe clip.bytes.withUnsafeBytes { bytes in
            unsafe buffer.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[part]))
        }
        buffer.byteCount = part.count
        return true
    }

    /// Fills a returned buffer again, and stops the queue after the last part.
    private func bufferDone(_ buffer: QueueBuffer, of queue: OutputQueue) {
        do throws(QueueError) {
            if fill(buffer) { try queue.enqueue(buffer) }
            if state.withLock({ $0.nextByte }) == clip.bytes.count { try queue.stop(immediate: false) }
        } catch {
            // The queue was disposed of, or has stopped: its listeners report that.
        }
    }
}
