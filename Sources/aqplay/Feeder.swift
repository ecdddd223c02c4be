// SPDX-License-Identifier: MIT

import AQFiles
import AudioQueues
import CoreAudioTypes
import AQNetworkInput
import Synchronization
import AQToolSupport

/// Keeps a queue's buffers filled: reads the tracks one after another, on the queue's callback thread.
///
/// The main thread opens the first track, holds the feeder for a seek, and requests the audible position. Neither of
/// them waits for a server: another thread does, and then goes on in their place.
final class Feeder: @unchecked Sendable {
    // SAFETY: every variable field, and every `Playback`, is accessed with `lock` held. Functions that are called with
    // the lock held do not wait for callbacks: the queue's enqueue, flush and stop(immediate: false).
    //
    // The lock is held while a file is read, which may block for ever on a pipe without new data. Meanwhile the main
    // thread has to answer keys and signals, so it makes optional requests only if the lock is free.

    /// The state that the main thread needs after a request of the audible position.
    struct Status {
        /// Tracks that were played to their end, or could not be played.
        var finished: [TrackReport] = []
        var current: CurrentTrack?
    }

    /// The audible track, and the position in it.
    struct CurrentTrack {
        var step: Int
        /// The track's number in the list, from 1.
        var trackNumber: Int
        var frame: Int64
        var sampleRate: Double
        var totalFrames: Int64?
        var title: String
        var isSeekable: Bool
        var isBroadcast: Bool
        /// The number of frames until the end of the track; nil while it is unknown.
        var framesUntilEnd: Int64?
    }

    let lock = Mutex(())
    let sequence: TrackSequence

    private(set) var queue: OutputQueue?
    var gaps = ServerGaps()
    /// The first track of the queue; all tracks of the queue have its format.
    private var model: Playback?
    private var byteCapacity = 0
    /// Whether the next buffer is the first of its queue.
    private var isFirstBuffer = false
    private var idleBuffers: [QueueBuffer] = []
    var spans = PlayedSpans<Playback>()
    /// The reports of tracks that were played to their end, until the main thread takes them.
    private var played: [TrackReport] = []
    /// The track being read; nil between tracks.
    private(set) var reading: Playback?
    /// The file of a broadcast that was read to its end, while it is not known whether another follows.
    private var ended: Playback?
    /// An open track that needs another queue after this one has ended.
    var waitingForQueue: Playback?
    /// A track on a server that is to go on at another frame. The move may have to read from the server.
    private var pendingMove: (playback: Playback, frame: Int64)?
    /// The thread that waits for a server, and goes on afterwards; nil if there is none.
    var serverWait: ServerWait?
    /// Whether returned buffers are not filled, because the queue is being stopped or reset.
    private var isHolding = false
    /// The position in the audible track of the last hold.
    private var heldFrame: Int64 = 0
    private var isStarted = false
    private let isPaused = Atomic(false)
    /// Whether nothing more is enqueued into this queue.
    private var isAtEnd = false
    /// Whether the queue has been stopped asynchronously, and plays the rest.
    private var isEnding = false

    /// - Parameter showsProgress: Whether there is a progress line.
    init(tracks: [TrackList.Track], options: PlayOptions, console: Console, showsProgress: Bool = false) {
        sequence = TrackSequence(
            tracks: tracks, options: options, console: console, showsProgress: showsProgress)
    }

    var trackCount: Int { sequence.trackCount }

    /// Whether more than one track is played, or one track more than once.
    var playsSeveral: Bool { sequence.playsSeveral }

    /// Whether a track could not be played, in whole or in part.
    var hasFailures: Bool { sequence.hasFailures }

    // MARK: Queues

    /// The next track that can be opened, for which the caller makes a queue.
    ///
    /// - Returns: `needsServer` if the track is on a server: ``openOnServer(_:)`` opens it.
    func nextForNewQueue() -> TrackSequence.Next {
        lock.withLock { _ in
            defer { waitingForQueue = nil }
            if let waitingForQueue { return .open(waitingForQueue) }
            if pendingMove != nil { return .needsServer }
            return sequence.openNext(isAwaited: true, mayWaitForServer: false)
        }
    }

    /// Reports a track for which no queue could be made.
    func reject(_ playback: Playback, _ message: String) {
        lock.withLock { _ in
            sequence.gaveNoSound(playback)
            fail(playback, message)
        }
    }

    /// Sets a new queue, whose buffers of `byteCapacity` bytes are added afterwards.
    func attach(_ newQueue: OutputQueue, byteCapacity newCapacity: Int, for playback: Playback) {
        lock.withLock { _ in
            (queue, model) = (newQueue, playback)
            byteCapacity = newCapacity
            (isFirstBuffer, gaps) = (true, ServerGaps())
            idleBuffers = []
            (isHolding, isStarted, isAtEnd, isEnding) = (false, false, false, false)
            isPaused.store(false, ordering: .relaxed)
            spans.reset()
            beginReading(playback)
        }
    }

    /// Records that the queue was started. From then on, it ends by itself after everything was enqueued.
    func started() {
        lock.withLock { _ in
            isStarted = true
            endIfRead()
        }
    }

    func setPaused(_ paused: Bool) {
        isPaused.store(paused, ordering: .sequentiallyConsistent)
        // If the lock is not free, a buffer is being filled, and the end is checked after that.
        _ = lock.withLockIfAvailable { _ in endIfRead() }
    }

    /// Fills a new or returned buffer of `sender`.
    func take(_ buffer: QueueBuffer, of sender: OutputQueue) {
        lock.withLock { _ in
            guard sender === queue else { return }
            idleBuffers.append(buffer)
            if !isHolding { refill() }
        }
    }

    // MARK: Jumps

    /// The position where playback continues.
    enum Target {
        /// A position in the audible track.
        case frame(Int64)
        /// The position of the last ``hold(playedFrames:)``.
        case heldFrame
        case step(Int)
    }

    /// Stops filling, so that the queue can be stopped or reset, and records the frames played until now.
    ///
    /// A file on a server that is being read is interrupted.
    ///
    /// - Returns: Whether the queue can continue after a reset. It cannot if it was stopped asynchronously. Nil if a
    ///   file is being read, and nothing was done.
    func hold(playedFrames: Int64) -> Bool? {
        if let result = lock.withLockIfAvailable({ _ in holdLocked(playedFrames) }) { return result }
        guard sequence.interruptServer() else { return nil }
        return lock.withLock { _ in
            sequence.endInterruption()
            return holdLocked(playedFrames)
        }
    }

    private func holdLocked(_ playedFrames: Int64) -> Bool {
        isHolding = true
        serverWait = nil
        if let first = spans.spans.first {
            let frames = spans.framesPlayed(playedFrames: playedFrames)
            first.track.framesPlayed += frames
            heldFrame = first.firstFrame + frames
        }
        return !isEnding
    }

    /// Fills the queue from another position after a reset.
    func resume(at target: Target) {
        lock.withLock { _ in
            if let playback = aim(at: target) {
                beginReading(playback)
            } else if let (playback, frame) = pendingMove {
                spans.begin(playback, at: frame)
            }
            (isHolding, isAtEnd) = (false, false)
            refill()
        }
    }

    /// Begins the next queue at another position after the stop of this one.
    func restart(at target: Target) {
        lock.withLock { _ in waitingForQueue = aim(at: target) }
    }

    /// The step before `step` to go back to; nil if a file is being read.
    func stepBack(from step: Int) -> Int? { lock.withLockIfAvailable { _ in sequence.stepBack(from: step) } }

    /// The report of the audible track, if playback ended early.
    func takeInterrupted() -> TrackReport? {
        lock.withLock { _ in
            defer { spans.reset() }
            return spans.spans.first?.track.report
        }
    }

    // MARK: The audible position

    /// - Returns: Nil if a file is being read.
    func status(playedFrames: Int64) -> Status? {
        lock.withLockIfAvailable { _ in
            closePlayed(playedFrames: playedFrames)
            var status = Status(finished: played + sequence.takeFailed())
            played = []
            guard let first = spans.spans.first else { return status }
            let frame = first.firstFrame + spans.framesPlayed(playedFrames: playedFrames)
            status.current = CurrentTrack(
                step: first.track.step, trackNumber: sequence.trackNumber(ofStep: first.track.step),
                frame: first.track.position(ofFrame: frame),
                sampleRate: first.track.format.mSampleRate, totalFrames: first.track.totalFrames,
                title: first.track.title(atFrame: frame), isSeekable: first.track.file.isSeekable,
                isBroadcast: first.track.input?.isBroadcast == true,
                framesUntilEnd: spans.framesUntilEnd(playedFrames: playedFrames))
            return status
        }
    }

    /// Passes the order of the tracks and the audible track to `body`; returns nil if a file is being read.
    func withSequence<Result>(_ body: (TrackSequence, _ audible: Playback?) -> Result) -> Result? {
        lock.withLockIfAvailable { _ in body(sequence, spans.spans.first?.track) }
    }

    // MARK: Functions called with the lock held

    /// Closes the tracks that were played to their end.
    private func closePlayed(playedFrames: Int64) {
        for span in spans.takeFinished(playedFrames: playedFrames) {
            span.track.framesPlayed += span.frames
            span.track.successor?.add(earlierFrames: span.track.allFramesPlayed)
            // A broadcast is reported at the end of its last file.
            if span.track.successor == nil { played.append(span.track.report) }
        }
    }

    /// Sets `target` as the next position to read. Returns the track to begin with, unless it has to be opened or moved.
    private func aim(at target: Target) -> Playback? {
        let current = spans.spans.first?.track
        spans.reset()
        (reading, ended, waitingForQueue, pendingMove) = (nil, nil, nil, nil)
        switch target {
        case .step(let step):
            sequence.go(to: step, from: current)
            return nil
        case .frame(let frame): return aim(at: frame, in: current)
        case .heldFrame: return aim(at: heldFrame, in: current)
        }
    }

    private func aim(at frame: Int64, in current: Playback?) -> Playback? {
        guard let current else { return nil }
        sequence.goOn(behind: current)
        guard current.input != nil, current.file.isSeekable else { return sequence.move(current, to: frame) }
        pendingMove = (current, frame)
        return nil
    }

    /// Moves the track of ``pendingMove``; returns nil if there is none, or if that fails.
    func finishMove() -> Playback? {
        guard let (playback, frame) = pendingMove else { return nil }
        pendingMove = nil
        return sequence.move(playback, to: frame)
    }

    private func beginReading(_ playback: Playback) {
        reading = playback
        spans.begin(playback, at: playback.startFrame)
    }

    /// Fills the idle buffers for which there is audio. If a server has to be waited for, another thread goes on.
    ///
    /// - Parameter mayWaitForServer: Whether this is such a thread.
    func refill(mayWaitForServer: Bool = false) {
        guard let queue, !isAtEnd, serverWait == nil else { return }
        while let buffer = idleBuffers.first {
            switch fill(buffer, of: queue, mayWaitForServer) {
            case .needsServer(let awaited): return goOnAfterWait(for: awaited)
            case .nothing: return endIfRead()
            case .audio(let audible):
                guard take(buffer, audible, in: queue) else { return endIfRead() }
            }
        }
        endIfRead()
    }

    /// Enqueues a filled buffer; returns false if no more is enqueued into this queue.
    private func take(_ buffer: QueueBuffer, _ audible: PacketCursor.Audible, in queue: OutputQueue) -> Bool {
        do throws(QueueError) {
            try enqueue(buffer, audible, in: queue)
            idleBuffers.removeFirst()
            spans.add(frames: audible.frames)
            if audible.frames > 0, let reading { sequence.didGiveSound(reading) }
        } catch {
            // A failed queue reports its own reason; any other failure ends this track.
            if queue.failure == nil, let reading { fail(reading, error.message) }
            isAtEnd = true
        }
        return !isAtEnd
    }

    /// Enqueues a filled buffer. The first one of a track sets its gain, exactly from its first frame on.
    private func enqueue(
        _ buffer: QueueBuffer, _ audible: PacketCursor.Audible, in queue: OutputQueue
    ) throws(QueueError) {
        let (start, end) = (audible.trimFramesAtStart, audible.trimFramesAtEnd)
        guard let reading, reading.isAtStart, let gain = reading.gain else {
            return try queue.enqueue(buffer, trimFramesAtStart: start, trimFramesAtEnd: end)
        }
        try queue.enqueue(buffer, trimFramesAtStart: start, trimFramesAtEnd: end, gain: gain.factor)
        reading.isAtStart = false
    }

    private enum Filled {
        case audio(PacketCursor.Audible)
        case needsServer(Awaited)
        /// This queue gets no more.
        case nothing
    }

    /// Fills a buffer from the track being read, or from the next.
    private func fill(_ buffer: QueueBuffer, of queue: OutputQueue, _ mayWaitForServer: Bool) -> Filled {
        while true {
            guard let playback = reading else {
                switch beginNext(in: queue, mayWaitForServer) {
                case .open: continue
                case .needsServer: return .needsServer(ended?.input.map { .continuation($0) } ?? .track)
                case .interrupted: return .nothing
                case .end:
                    isAtEnd = true
                    return .nothing
                }
            }
            if let input = playback.input, mustWait(for: input, playback, mayWaitForServer) {
                return .needsServer(.packets(input))
            }
            do throws(AudioFileError) {
                let audible = try playback.fill(buffer, isFirst: isFirstBuffer)
                isFirstBuffer = false
                if let audible { return .audio(audible) }
            } catch {
                if sequence.isInterrupted { return .nothing }
                sequence.complain(playback, error.message)
            }
            if !playback.hasGivenSound { sequence.gaveNoSound(playback) }
            spans.complete()
            reading = nil
            ended = playback.input == nil || playback.hasReachedWantedEnd ? nil : playback
        }
    }

    /// Whether a read would wait for a server.
    private func mustWait(
        for input: NetworkInput, _ playback: Playback, _ mayWaitForServer: Bool
    ) -> Bool {
        if playback.file.isSeekable { return !input.wait(milliseconds: 0) }
        return !(playback.file.isReadable ?? mayWaitForServer)
    }

    /// Opens the next file of a broadcast, or the next track, and continues in the same queue if possible.
    private func beginNext(in queue: OutputQueue, _ mayWaitForServer: Bool) -> TrackSequence.Next {
        guard waitingForQueue == nil else { return .end }
        // The main thread may be late, and the next file must not be one too many.
        if let time = try? queue.currentTime() { closePlayed(playedFrames: Int64(time.playedFrames)) }
        if pendingMove != nil {
            guard mayWaitForServer else { return .needsServer }
            let moved = finishMove()
            if sequence.isInterrupted { return .interrupted }
            spans.reset()
            if let moved { return begin(moved, in: queue) }
        }
        if let ended {
            guard mayWaitForServer else { return .needsServer }
            self.ended = nil
            if let next = sequence.openContinuation(of: ended) { return begin(next, in: queue) }
            if sequence.isInterrupted { return .interrupted }
        }
        let next = sequence.openNext(mayWaitForServer: mayWaitForServer)
        if case .open(let playback) = next { return begin(playback, in: queue) }
        return next
    }

    private func begin(_ next: Playback, in queue: OutputQueue) -> TrackSequence.Next {
        guard let model, next.canFollow(model, byteCapacity: byteCapacity) else {
            waitingForQueue = next
            return .end
        }
        do throws(QueueError) {
            try queue.flush()
            gaps.resume(at: MonotonicClock.seconds)
            beginReading(next)
            return .open(next)
        } catch {
            fail(next, error.message)
            return .end
        }
    }

    private func fail(_ playback: Playback, _ message: String) {
        sequence.fail(playback, message)
        if reading === playback { reading = nil }
    }

    /// Ends the track being read, and the queue after the audio that it has.
    func giveUp(_ message: String) {
        if let reading { fail(reading, message) } else { sequence.complain(message) }
        isAtEnd = true
        endIfRead()
    }

    private func endIfRead() {
        guard isAtEnd, isStarted, !isEnding, !isHolding, let queue else { return }
        // A paused queue goes on when it ends, so it does not while it has audio.
        if isPaused.load(ordering: .sequentiallyConsistent), !spans.spans.isEmpty { return }
        isEnding = true
        do throws(QueueError) {
            try queue.stop(immediate: false)
        } catch {
            sequence.complain("cannot play to the end: \(error.message)")
        }
    }
}
