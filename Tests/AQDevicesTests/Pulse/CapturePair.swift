// SPDX-License-Identifier: MIT

@testable import AQDevices

/// A capture stream on a ``RecordedServer`` in a given state, and the effect of an event on it.
@safe final class CapturePair {
    static let format = SampleFormat(encoding: .signed16, sampleRate: 48_000, channelLabels: [42])

    /// Earlier actions of a client or a server.
    enum State: String, CaseIterable {
        case idle
        case waitingForServer
        case makingStream
        case waitingForFrames
        case running
        case waitingForStartTime
        case sleeping
        case endingForPause
        case endingForStop
        case startingAgain
        case paused
        case interrupted
        case resuming
        case closed
    }

    enum Event: String, CaseIterable {
        case start
        case startInASecond
        case pause
        case stop
        case flush
        case reset
        case close
        case framesCome
        case serverIsLost
        case serverAnswers
        case streamIsMade
        case streamFails
        case moved
        case sourceSleeps
        case sourceWakes
        case timed
        case aTenthPasses
        case sixSecondsPass
    }

    let server = RecordedServer()
    let stream: PulseInputStream
    private let memory: UnsafeMutablePointer<Int16>
    private static let frames = 48_000
    /// A tenth of it.
    private static let fragmentFrames = 4800

    init(fillsGaps: Bool = true, recoverySeconds: Double = 5) {
        var configuration = InputStreamConfiguration(
            format: CapturePair.format, recoverySeconds: recoverySeconds)
        configuration.fillsGaps = fillsGaps
        stream = PulseInputStream(configuration, source: nil, connection: server.connection)
        unsafe memory = .allocate(capacity: CapturePair.frames)
        let room = unsafe StreamSegment(room: memory, byteCount: 2 * CapturePair.frames, token: 0)
        _ = stream.feed.enqueue(room)
    }

    deinit {
        server.end(stream)
        unsafe memory.deallocate()
    }

    convenience init(in state: State) {
        self.init()
        bring(to: state)
        _ = stream.feed.takeEvents()
        _ = server.takeCalls()
    }

    private func bring(to state: State) {
        switch state {
        case .idle: break
        case .waitingForServer: carryOut(.start)
        case .makingStream: carryOut(.start, .serverAnswers)
        case .waitingForFrames: carryOut(.start, .serverAnswers, .streamIsMade)
        case .running: carryOut(.start, .serverAnswers, .streamIsMade, .framesCome)
        case .waitingForStartTime: carryOut(.startInASecond, .serverAnswers, .streamIsMade, .framesCome)
        case .sleeping:
            bring(to: .running)
            carryOut(.sourceSleeps)
        case .endingForPause:
            bring(to: .running)
            carryOut(.pause)
        case .endingForStop:
            bring(to: .running)
            carryOut(.stop)
        case .startingAgain:
            bring(to: .endingForPause)
            carryOut(.start)
        case .paused:
            bring(to: .endingForPause)
            carryOut(.sixSecondsPass)
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
        case .start: stream.start(fragmentFrames: CapturePair.fragmentFrames)
        case .startInASecond:
            stream.start(
                fragmentFrames: CapturePair.fragmentFrames,
                atHostTime: server.recorder.now + 1_000_000_000)
        case .pause: stream.pause(ticket: 1)
        case .stop: stream.stop(ticket: 2)
        case .flush: stream.flush(ticket: 3)
        case .reset: stream.reset(ticket: 4)
        case .close: stream.close(ticket: 5)
        case .framesCome:
            guard let made, made.state == .ready else { break }
            server.recorder.now += 100_000_000
            made.readableBytes = 2 * CapturePair.fragmentFrames
            stream.reference.report(.transfer)
        case .serverIsLost: server.dies()
        case .serverAnswers: if !server.connection.isReady { server.answers() }
        case .streamIsMade:
            guard let made, made.state == .creating else { break }
            made.state = .ready
            stream.server.stateChanged()
        case .streamFails:
            made?.state = .failed
            stream.server.stateChanged()
        case .moved: if made?.state == .ready { stream.server.moved() }
        case .sourceSleeps, .sourceWakes:
            guard made?.state == .ready else { break }
            made?.isSuspended = event == .sourceSleeps
            stream.server.suspensionChanged()
        case .timed:
            guard let made, made.state == .ready else { break }
            made.timing = PulseTimingAnswer(writeOffset: 9600, isPlaying: true, sourceTime: 10_000)
            stream.reference.report(.timing)
        case .aTenthPasses: server.pass(seconds: 0.1)
        case .sixSecondsPass: server.pass(seconds: 6)
        }
        server.turn()
    }

    /// The phase, and the events and calls since the last check.
    func outcome() -> String {
        RecordedServer.outcome(
            String("\(stream.lifecycle.phase)".prefix { $0 != "(" }), stream.feed.takeEvents(),
            server.takeCalls())
    }
}
