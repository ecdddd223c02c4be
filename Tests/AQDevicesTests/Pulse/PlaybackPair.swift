// SPDX-License-Identifier: MIT

@testable import AQDevices

/// A playback stream on a ``RecordedServer`` in a given state, and the effect of an event on it.
@safe final class PlaybackPair {
    static let format = SampleFormat(encoding: .signed16, sampleRate: 48_000, channelLabels: [42])

    /// Earlier actions of a client or a server.
    enum State: String, CaseIterable {
        case idle
        case prepared
        case waitingForServer
        case makingStream
        case running
        case waitingForStartTime
        case draining
        case fadingToPause
        case fadingToStop
        case fadingToClose
        case startingAfterFade
        case paused
        case interrupted
        case resuming
        case closed
    }

    enum Event: String, CaseIterable {
        case prepare
        case start
        case startInASecond
        case pause
        case stop
        case flush
        case drain
        case close
        case serverAsks
        case serverIsLost
        case serverAnswers
        case streamIsMade
        case streamFails
        case moved
        case sinkSleeps
        case timed
        case drained
        case aTenthPasses
        case sixSecondsPass
    }

    let server = RecordedServer()
    let stream: PulseStream
    private let memory: UnsafeMutablePointer<Int16>
    private static let frames = 48_000

    init(latency: LatencyGoal = .balanced, slices: SliceSource? = nil, recoverySeconds: Double = 5) {
        var configuration = OutputStreamConfiguration(
            format: PlaybackPair.format, latency: latency, recoverySeconds: recoverySeconds)
        configuration.slices = slices
        stream = PulseStream(configuration, sink: nil, connection: server.connection)
        unsafe memory = .allocate(capacity: PlaybackPair.frames)
        unsafe memory.initialize(repeating: 1000, count: PlaybackPair.frames)
    }

    deinit {
        server.end(stream)
        unsafe memory.deallocate()
    }

    convenience init(in state: State) {
        self.init()
        enqueue()
        bring(to: state)
        _ = stream.feed.takeEvents()
        _ = server.takeCalls()
    }

    func enqueue() {
        _ = stream.feed.enqueue(
            unsafe StreamSegment(base: memory, byteCount: 2 * PlaybackPair.frames, token: 0))
    }

    private func bring(to state: State) {
        switch state {
        case .idle: break
        case .prepared: carryOut(.prepare, .serverAnswers, .streamIsMade)
        case .waitingForServer: carryOut(.start)
        case .makingStream: carryOut(.start, .serverAnswers)
        case .running: carryOut(.start, .serverAnswers, .streamIsMade, .timed, .serverAsks)
        case .waitingForStartTime: carryOut(.startInASecond, .serverAnswers, .streamIsMade, .serverAsks)
        case .draining:
            carryOut(.start, .serverAnswers, .streamIsMade, .timed, .drain)
            // All of the second.
            for _ in 0..<11 { carryOut(.serverAsks) }
        case .fadingToPause:
            bring(to: .running)
            carryOut(.pause)
        case .fadingToStop:
            bring(to: .running)
            carryOut(.stop)
        case .fadingToClose:
            bring(to: .running)
            carryOut(.close)
        case .startingAfterFade:
            bring(to: .fadingToPause)
            carryOut(.start)
        case .paused:
            bring(to: .fadingToPause)
            carryOut(.aTenthPasses, .timed, .aTenthPasses)
        case .interrupted:
            bring(to: .running)
            carryOut(.serverIsLost)
        case .resuming:
            bring(to: .interrupted)
            carryOut(.serverAnswers)
        case .closed: carryOut(.close)
        }
    }

    /// The server's current stream.
    var made: PulseStreamRecorder? {
        guard let last = server.recorder.streams.last, !last.hasEnded else { return nil }
        return last
    }

    func carryOut(_ events: Event...) {
        for event in events { carryOut(event) }
    }

    func carryOut(_ event: Event) {
        switch event {
        case .prepare: stream.prepare()
        case .start: stream.start()
        case .startInASecond: stream.start(atHostTime: server.recorder.now + 1_000_000_000)
        case .pause: stream.pause(ticket: 1)
        case .stop: stream.stop(ticket: 2)
        case .flush: stream.flush(ticket: 3)
        case .drain: stream.drain(ticket: 4)
        case .close: stream.close(ticket: 5)
        case .serverAsks:
            made?.writableBytes = 9600
            if made?.state == .ready { stream.reference.report(.transfer) }
        case .serverIsLost: server.dies()
        case .serverAnswers: if !server.connection.isReady { server.answers() }
        case .streamIsMade:
            guard let made, made.state == .creating else { break }
            made.state = .ready
            made.writableBytes = 9600
            stream.server.stateChanged()
        case .streamFails:
            made?.state = .failed
            stream.server.stateChanged()
        case .moved: if made?.state == .ready { stream.server.moved() }
        case .sinkSleeps:
            guard made?.state == .ready else { break }
            made?.isSuspended = true
            stream.server.suspensionChanged()
        case .timed:
            guard let made, made.state == .ready else { break }
            made.timing = PulseTimingAnswer(
                readOffset: 960, isPlaying: !made.isCorked, sinkTime: 10_000, sinkBlockTime: 10_000)
            stream.reference.report(.timing)
            server.recorder.answer(.timing)
        case .drained: server.recorder.answer(.drain)
        case .aTenthPasses: server.pass(seconds: 0.1)
        case .sixSecondsPass: server.pass(seconds: 6)
        }
        server.turn()
    }

    /// The phase, and the events and calls since the last check.
    func outcome() -> String {
        RecordedServer.outcome(stream.phaseName, stream.feed.takeEvents(), server.takeCalls())
    }
}

extension PulseStream {
    /// The phase, without its ticket, and with its successor.
    fileprivate var phaseName: String {
        let name = "\(lifecycle.phase)".prefix { $0 != "(" }
        return lifecycle.afterFade == .nothing ? String(name) : "\(name), \(lifecycle.afterFade)"
    }
}
