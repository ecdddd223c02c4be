// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

/// Every event in every state of a capture stream, without a server.
@Suite struct CaptureLifecycleTests {
    @Test(
        "each event leads to the phase, the events and the calls of the table",
        arguments: CapturePair.State.allCases)
    func table(state: CapturePair.State) {
        for event in CapturePair.Event.allCases {
            let pair = CapturePair(in: state)
            pair.carryOut(event)
            let expected = RecordedServer.expected(for: event.rawValue, in: state.table)
            expectEqual(pair.outcome(), expected, "\(event) when \(state)")
        }
    }

    @Test("the tables name existing events")
    func names() {
        for state in CapturePair.State.allCases {
            for line in state.table.split(separator: "\n").dropFirst() {
                #expect(CapturePair.Event(rawValue: String(line.prefix { $0 != ":" })) != nil)
            }
        }
    }

    @Test("a start during a pause captures with a new stream although the old one fails")
    func failureBeforeAStart() {
        let pair = CapturePair(in: .startingAgain)
        pair.carryOut(.streamFails, .streamIsMade, .framesCome)
        #expect(pair.outcome().hasPrefix("running | paused started | end device? make"))
    }

    @Test("a server that is lost again before a frame arrives is waited for no longer than the first time")
    func lostAgain() {
        let pair = CapturePair(in: .resuming)
        pair.carryOut(.streamIsMade, .serverIsLost)
        _ = pair.outcome()
        pair.carryOut(.sixSecondsPass)
        #expect(pair.outcome().hasPrefix("idle | failed"))
    }

    @Test(
        "a stream that does not fill gaps continues after an interruption, with the frame of that time",
        arguments: [1, 100.0])
    func skippedGap(seconds: Double) {
        let pair = CapturePair(fillsGaps: false, recoverySeconds: .infinity)
        pair.carryOut(.start, .serverAnswers, .streamIsMade, .framesCome, .serverIsLost)
        pair.server.pass(seconds: seconds, steps: 200)
        pair.carryOut(.serverAnswers, .streamIsMade, .framesCome, .framesCome)
        #expect(pair.stream.lifecycle.isRunning)
        expectEqual(pair.stream.feed.takeEvents(), "started interrupted resumed")
        // Two fragments of a tenth of a second, and the time between.
        let frame = Double(pair.stream.filler.frame) / 48_000
        #expect(abs(frame - seconds - 0.3) < 0.15, "\(frame) s")
        // The segment of a second has room for more.
        expectEqual(pair.stream.feed.outstandingSegments, 1)
        #expect(pair.stream.held.isEmpty)
    }

    @Test("a format that libpulse refuses fails the start")
    func refusedFormat() {
        let pair = CapturePair(in: .waitingForServer)
        pair.server.recorder.refuses = true
        pair.carryOut(.serverAnswers)
        expectEqual(pair.outcome(), "idle | failed | device?")
        expectEqual(pair.stream.feed.failure?.code, .unsupportedFormat)
    }

    @Test("if a server grants a tenth, the stream reports a tenth")
    func smallGrant() {
        let pair = CapturePair(in: .makingStream)
        let asked = pair.made?.attributes?.fragment ?? 0
        pair.made?.attributes?.fragment = asked / 10
        pair.carryOut(.streamIsMade)
        expectEqual(pair.stream.granted?.requestFrames, 480)
    }

    @Test("a query of a source is cancelled with its stream")
    func answersOfOldStreams() {
        let pair = CapturePair(in: .waitingForFrames)
        let question = PulseQuestion.sourceAt(index: 0)
        #expect(pair.server.recorder.unanswered.contains(.ask(question)))
        pair.carryOut(.close)
        #expect(!pair.server.recorder.unanswered.contains(.ask(question)))
    }
}
