// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A position for a tap. If there is no tap, frames pass unchanged.
///
/// Belongs to the engine's thread. The tap's memory is allocated once, when it is added.
@safe final class TapStage: QueueTapSource {
    /// The output of a call, and the events after the output frames.
    struct Outcome {
        var frames = 0
        var events: [QueueParameterEvent] = []
        var isSequenceEnd = false
        var isGap = false
        /// Whether there are neither frames nor events.
        var isEmpty: Bool { frames == 0 && events.isEmpty && !isSequenceEnd && !isGap }
    }

    private struct Installation {
        let tap: QueueTap
        let output: TapBuffers
        /// The memory that the tap can borrow.
        let lent: TapBuffers
    }

    private struct Call {
        var isSiphon = false
        /// The first frame of the tap's last read, since the FIFO's `removeAll`.
        var readStart: Int64 = 0
        var readFrames = 0
        var crossed: [QueueParameterEvent] = []
    }

    /// The largest ratio of the frames that a tap may read to the frames requested from it.
    private static let mostReads = 4
    /// The longest output of a tap after its source has ended, in seconds. Without a limit, a tap that ignores the
    /// end would play for ever.
    private static let longestTail = 10.0

    let fifo: FrameFIFO
    let maximumFrames: Int
    private let tailFrames: Int
    /// The conversion of a position in the FIFO to the queue's timeline, both counted from the last restart.
    private let queueFrame: (Double) -> Double
    private let isPaused: () -> Bool
    private var installation: Installation?
    private var call: Call?
    /// Whether the tap was called in this sequence.
    private var isStarted = false
    private var isSourceStarted = false
    /// The number of frames that the tap has output since its source ended.
    private var framesInTail = 0
    /// The frame of the queue's timeline at the last restart.
    var timelineStart = 0.0
    /// The sample time of the tap's next frame.
    var sampleTime = 0.0
    /// The number of frames that the tap's last call requested beyond those held.
    private(set) var framesMissed = 0

    /// - Parameter queueFrame: Converts a position in the FIFO to the queue's timeline, both counted from the last
    ///   `restart`.
    init(
        fifo: FrameFIFO, sampleRate: Double, maximumFrames: Int,
        queueFrame: @escaping (Double) -> Double = { $0 }, isPaused: @escaping () -> Bool = { false }
    ) {
        self.fifo = fifo
        self.maximumFrames = max(maximumFrames, 1)
        tailFrames = Int((sampleRate * TapStage.longestTail).clamped(to: 1...1e8))
        self.queueFrame = queueFrame
        self.isPaused = isPaused
    }

    /// The tap. Changes only while the queue is stopped.
    var tap: QueueTap? {
        get { installation?.tap }
        set {
            installation = newValue.map {
                Installation(
                    tap: $0, output: TapBuffers(channels: fifo.channels, capacityFrames: maximumFrames),
                    lent: TapBuffers(
                        channels: fifo.channels, capacityFrames: TapStage.mostReads * maximumFrames))
            }
            restart()
        }
    }

    /// Removes the tap at once. Waiting frames pass unchanged; frames that the tap held are lost.
    func dropTap() { installation = nil }

    /// Drops the frames of the FIFO. The tap's next call begins a stream.
    func restart() {
        fifo.removeAll()
        isStarted = false
        isSourceStarted = false
        framesInTail = 0
        sampleTime = 0
        framesMissed = 0
    }

    // MARK: The queue's side

    /// Outputs frames up to the next mark, or the event of a mark at the next frame.
    ///
    /// - Parameter wanted: The number of frames, at least 1. Fewer are output only before a mark: if the tap returns
    ///   fewer, silence completes them.
    func produce(into output: UnsafeMutablePointer<Float>, frames wanted: Int) -> Outcome {
        while true {
            let available = fifo.framesToMark
            if available > 0 { return unsafe give(min(wanted, available), output) }
            guard let mark = fifo.nextMark else { return Outcome() }
            switch mark {
            case .events(let events):
                fifo.dropMark()
                return Outcome(events: events)
            case .gap:
                fifo.dropMark()
                isStarted = false
                isSourceStarted = false
                return Outcome(isGap: true)
            case .end:
                guard let installation, !installation.tap.isSiphon, isStarted else {
                    return endSequence(Outcome())
                }
                return unsafe give(wanted, output)
            }
        }
    }

    private func give(_ frames: Int, _ output: UnsafeMutablePointer<Float>) -> Outcome {
        guard let installation else {
            return Outcome(frames: unsafe fifo.take(into: output, frames: frames))
        }
        let frames = min(frames, maximumFrames)
        return unsafe installation.tap.isSiphon
            ? show(frames, installation, output) : run(frames, installation, output)
    }

    private func endSequence(_ outcome: Outcome) -> Outcome {
        var outcome = outcome
        outcome.isSequenceEnd = true
        fifo.dropMark()
        isStarted = false
        isSourceStarted = false
        framesInTail = 0
        return outcome
    }

    /// Passes frames to a siphon, which only reads them.
    private func show(
        _ frames: Int, _ installation: Installation, _ output: UnsafeMutablePointer<Float>
    ) -> Outcome {
        let start = fifo.framesTaken
        let count = unsafe fifo.take(into: output, frames: frames)
        unsafe installation.output.fill(from: output, count: count)
        call = Call(isSiphon: true, readStart: start, readFrames: count)
        _ = callTap(installation, frames: count)
        sampleTime += Double(count)
        return Outcome(frames: count)
    }

    private func run(
        _ frames: Int, _ installation: Installation, _ output: UnsafeMutablePointer<Float>
    ) -> Outcome {
        installation.output.clear()
        installation.lent.takeBack()
        framesMissed = 0
        call = Call(readStart: fifo.framesTaken)
        let (made, flags) = callTap(installation, frames: frames)
        let given = min(max(made, 0), frames)
        unsafe installation.output.copy(to: output, count: given)
        var outcome = Outcome(frames: given, events: lastEvents)
        lastEvents = []
        guard fifo.isAtEnd else {
            let missing = unsafe output + given * fifo.channels
            unsafe missing.update(repeating: 0, count: (frames - given) * fifo.channels)
            outcome.frames = frames
            sampleTime += Double(frames)
            return outcome
        }
        sampleTime += Double(given)
        // The source has ended; the tap may output the frames that it holds.
        framesInTail += given
        guard flags.contains(.endOfStream) || given == 0 || framesInTail >= tailFrames else { return outcome }
        while case .events(let events)? = fifo.nextMark {
            outcome.events += events
            fifo.dropMark()
        }
        return endSequence(outcome)
    }

    /// The parameter changes at the frames that the tap's last call read.
    private var lastEvents: [QueueParameterEvent] = []

    private func callTap(
        _ installation: Installation, frames: Int
    ) -> (frames: Int, flags: QueueTapFlags) {
        var timeStamp = AudioTimeStamp()
        timeStamp.mSampleTime = sampleTime
        timeStamp.mFlags = .sampleTimeValid
        var flags: QueueTapFlags = isStarted ? [] : .startOfStream
        isStarted = true
        var made = 0
        // A queue's call inside the tap must not wait for this tap.
        CallbackScope.run {
            made = unsafe installation.tap.process(
                frames, &timeStamp, &flags, installation.output.pointer, self)
        }
        lastEvents = call?.crossed ?? []
        call = nil
        return (made, flags)
    }
}

// MARK: - The tap's side

extension TapStage {
    func read(
        frames: Int, timeStamp: inout AudioTimeStamp, into audio: UnsafeMutablePointer<AudioBufferList>
    ) throws(QueueError) -> (frames: Int, flags: QueueTapFlags) {
        guard let call, !call.isSiphon, let installation else {
            throw QueueError(
                .invalidTapContext, "cannot read a tap's audio outside the call of a tap that processes it")
        }
        let list = unsafe UnsafeMutableAudioBufferListPointer(audio)
        let room = try unsafe installation.lent.beginReading(frames: frames, into: list)
        var flags: QueueTapFlags = []
        let start = fifo.framesTaken
        let count = unsafe copy(atMost: room, to: list, installation.lent, &flags)
        self.call?.readStart = start
        self.call?.readFrames = count
        return (count, flags)
    }

    /// Copies frames into the buffers of a list, up to a gap or the end of a sequence.
    private func copy(
        atMost room: Int, to list: UnsafeMutableAudioBufferListPointer, _ lent: TapBuffers,
        _ flags: inout QueueTapFlags
    ) -> Int {
        var done = 0
        reading: while done < room {
            let count = min(room - done, fifo.framesToMark)
            if count > 0 {
                unsafe lent.read(fifo.start, count: count, into: list, behind: done)
                fifo.drop(frames: count)
                done += count
                continue
            }
            switch fifo.nextMark {
            case .events(let events)?:
                call?.crossed += events
                fifo.dropMark()
            case .gap?:
                // A read does not contain a gap.
                guard done == 0 else { break reading }
                fifo.dropMark()
                isSourceStarted = false
            case .end?: break reading
            case nil:
                framesMissed += room - done
                break reading
            }
        }
        unsafe lent.endReading(frames: done, into: list)
        if !isSourceStarted { flags.insert(.startOfStream) }
        if done > 0 { isSourceStarted = true }
        if fifo.isAtEnd { flags.insert(.endOfStream) }
        return done
    }

    func queueTime() throws(QueueError) -> (sampleTime: Double, frames: Int) {
        guard let call else {
            throw QueueError(.invalidTapContext, "cannot return the time of a tap's audio outside its call")
        }
        let start = queueFrame(Double(call.readStart))
        let end = queueFrame(Double(call.readStart) + Double(call.readFrames))
        return (timelineStart + start, isPaused() ? 0 : Int((end - start).rounded().clamped(to: 0...1e9)))
    }
}
