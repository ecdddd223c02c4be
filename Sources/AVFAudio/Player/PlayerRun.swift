// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import AQSessions
import CoreAudioTypes
import AQThreads

/// One playback from a frame on, by a queue of its own, to the end of the last repetition or until it is closed.
///
/// A seek is another run, so that events of the queue always belong to one playback. The queue refers to this object
/// and this object to the queue until the run is closed.
final class PlayerRun: Sendable {
    enum Ending: Sendable {
        /// The last frame was played.
        case finished
        /// The frames before an error of the file or the decoder were played.
        case undecodable(any Error)
        /// The sound server or the device disappeared and did not return, or could not start.
        case lost
    }

    private static let bufferCount = 4
    private static let bufferSeconds = 0.2

    private struct State {
        var queue: OutputQueue?
        /// The position in the audio that is repeated.
        var passes: PlayedPasses
        /// Whether all audio was read.
        var isAtEnd = false
        var error: (any Error)?
        var isStarted = false
        var isPaused = false
        /// Whether the queue was asked to stop after its audio.
        var isEnding = false
        var isOver = false
    }

    let startFrame: Int64
    private let source: PlayerSource
    private let reader: Int
    private let mayRepeat: @Sendable (_ passes: Int) -> Bool
    private let onEnd: @Sendable (PlayerRun, Ending) -> Void
    private let state: Monitor<State>

    /// - Parameters:
    ///   - mayRepeat: Returns whether the audio is repeated after a number of passes of this run, the first of which is
    ///     the one from `startFrame`. Called on any thread, also by ``prepare(on:_:)``.
    ///   - onEnd: Called once, on the queue's thread or by the call that starts, unless the run is closed before.
    init(
        _ source: PlayerSource, at startFrame: Int64, mayRepeat: @escaping @Sendable (_ passes: Int) -> Bool,
        onEnd: @escaping @Sendable (PlayerRun, Ending) -> Void
    ) {
        self.source = source
        self.startFrame = startFrame
        self.mayRepeat = mayRepeat
        self.onEnd = onEnd
        state = Monitor(State(passes: PlayedPasses(startFrame: startFrame)))
        reader = source.begin(at: startFrame)
    }

    /// The queue, until the run is over.
    var queue: OutputQueue? { state.withLock { $0.queue } }

    var isStarted: Bool { state.withLock { $0.isStarted } }

    // MARK: Control

    /// Makes the queue, and enqueues the first audio. The caller closes the run if this throws.
    func prepare(on device: any OutputDevice, _ settings: PlayerSettings) throws(QueueError) {
        let speedControl = settings.speedControl(for: source.format)
        let queue = try OutputQueue(
            format: source.format, channelLabels: source.channelLabels, device: device,
            configuration: OutputQueue.Configuration(
                role: AudioSession.shared.settings.playbackRole ?? .music, speedControl: speedControl)
        ) { [self] queue, buffer in bufferDone(buffer, of: queue) }
        state.withLock { $0.queue = queue }
        try queue.addListener(for: .isRunning) { [self] queue in
            if !queue.isRunning { playedOut(queue) }
        }
        try queue.addListener(for: .failure) { [self] _ in end(.lost) }
        // After a failure of the server, the queue still has its position here.
        try queue.addListener(for: .device) { [self] _ in notePosition() }
        try settings.apply(to: queue, hasSpeed: speedControl != nil)
        let frames = max(1, Int(source.format.mSampleRate * Self.bufferSeconds))
        for _ in 0..<Self.bufferCount {
            let buffer = try queue.allocateBuffer(byteCapacity: frames * Int(source.format.mBytesPerFrame))
            guard fill(buffer) else { break }
            try queue.enqueue(buffer)
        }
    }

    /// Connects to the device in the background.
    func prime() throws(QueueError) { try queue?.prime() }

    /// Starts or resumes.
    ///
    /// - Parameters:
    ///   - hostTime: The time of the first frame of a run that was not started before; nil for as soon as possible.
    ///   - awaitsStart: Whether to wait until the device runs or has failed.
    func start(atHostTime hostTime: UInt64?, awaitsStart: Bool) throws(QueueError) {
        // A queue without audio does not have to run at all.
        guard !state.withLock({ $0.isAtEnd && $0.passes.isEmpty }) else { return end(ending) }
        guard let queue else { throw QueueError(.disposalPending) }
        if let hostTime { try queue.start(atHostTime: hostTime) } else { try queue.start() }
        // A queue that is about to stop does not wait for the device, so it is asked to stop afterwards.
        if awaitsStart { try queue.awaitStart() }
        state.withLock { ($0.isStarted, $0.isPaused) = (true, false) }
        endIfRead()
    }

    /// Pauses. The position is that of this call, although the device fades out for some hundredths of a second more.
    func pause() {
        notePosition()
        state.withLock { state in
            state.isPaused = true
            // This fails only for a queue that was disposed of.
            try? state.queue?.pause()
        }
    }

    /// Ends playback with a short fade, and keeps the position.
    ///
    /// - Returns: False if the run was over before.
    @discardableResult func close() -> Bool {
        notePosition()
        let (wasOver, queue) = state.withLock { state in
            defer { (state.isOver, state.queue) = (true, nil) }
            return (state.isOver, state.queue)
        }
        // This fails only in a forked child, where nothing plays.
        try? queue?.dispose(immediate: true)
        return !wasOver
    }

    // MARK: Position

    /// The frame of the file that is audible, and the number of repetitions until it.
    var position: (frame: Int64, repetitions: Int) {
        notePosition()
        return state.withLock { ($0.passes.frame, $0.passes.repetitions) }
    }

    /// Whether audio was enqueued that a new number of repetitions excludes, or the end that it postpones.
    var mustReadAgain: Bool {
        notePosition()
        let (passes, mayGoOn) = state.withLock { state in
            (state.passes, state.isAtEnd && state.error == nil && !state.passes.isEmpty)
        }
        if passes.begunRepetitions > passes.repetitions, !mayRepeat(passes.begunRepetitions) { return true }
        return mayGoOn && mayRepeat(passes.ended)
    }

    private func notePosition() {
        // Without a running device there is no position.
        guard let time = try? queue?.currentTime(), time.playedFrames.isFinite else { return }
        state.withLock { state in
            guard !state.isPaused else { return }
            state.passes.notePlayed(Int64(max(0, time.playedFrames)))
        }
    }

    // MARK: Buffers

    private func bufferDone(_ buffer: QueueBuffer, of queue: OutputQueue) {
        notePosition()
        do throws(QueueError) {
            if fill(buffer) { try queue.enqueue(buffer) }
            endIfRead()
        } catch {
            // The queue was disposed of, or has stopped: its listeners report that.
        }
    }

    /// Reads the next audio, across the end of the file if it is repeated.
    ///
    /// - Returns: False if there is none.
    private func fill(_ buffer: QueueBuffer) -> Bool {
        let frameBytes = Int(source.format.mBytesPerFrame)
        let room = buffer.byteCapacity / frameBytes
        var frames = 0
        while frames < room, !state.withLock({ $0.isAtEnd || $0.isOver }) {
            do {
                let read = try unsafe source.read(
                    reader,
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[(frames * frameBytes)...]))
                guard let read else { break }
                state.withLock { $0.passes.add(frames: Int64(read)) }
                // Before an error there may be fewer frames than there is room for, as at the end.
                if read == 0 { endPass() }
                frames += read
            } catch {
                state.withLock { ($0.error, $0.isAtEnd) = (error, true) }
            }
        }
        buffer.byteCount = frames * frameBytes
        return frames > 0
    }

    /// Goes on with the first frame, or records that all audio was read.
    private func endPass() {
        let (ended, isEmpty) = state.withLock { state in
            state.passes.end()
            return (state.passes.ended, state.passes.isLatestEmpty)
        }
        let isRepeated = !isEmpty && mayRepeat(ended) && source.rewind(reader)
        state.withLock { state in
            if isRepeated { state.passes.beginRepetition() } else { state.isAtEnd = true }
        }
    }

    // MARK: The end

    /// Asks the queue to stop after all of its audio, once it has got it. A paused queue would resume by that.
    private func endIfRead() {
        state.withLock { state in
            guard state.isAtEnd, state.isStarted, !state.isPaused, !state.isEnding else { return }
            state.isEnding = true
            // A queue that has failed reports it itself.
            try? state.queue?.stop(immediate: false)
        }
    }

    private func playedOut(_ queue: OutputQueue) { end(queue.failure == nil ? ending : .lost) }

    /// The end of a queue that has played all of its audio.
    private var ending: Ending {
        guard let error = state.withLock({ $0.error }) else { return .finished }
        return .undecodable(error)
    }

    private func end(_ ending: Ending) {
        if close() { onEnd(self, ending) }
    }
}
