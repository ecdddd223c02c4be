// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

/// Every event in every state of a playback stream, without a server.
@Suite struct PlaybackLifecycleTests {
    @Test(
        "each event leads to the phase, the events and the calls of the table",
        arguments: PlaybackPair.State.allCases)
    func table(state: PlaybackPair.State) {
        for event in PlaybackPair.Event.allCases {
            let pair = PlaybackPair(in: state)
            pair.carryOut(event)
            let expected = RecordedServer.expected(for: event.rawValue, in: state.table)
            expectEqual(pair.outcome(), expected, "\(event) when \(state)")
        }
    }

    @Test("the tables name existing events")
    func names() {
        for state in PlaybackPair.State.allCases {
            for line in state.table.split(separator: "\n").dropFirst() {
                #expect(PlaybackPair.Event(rawValue: String(line.prefix { $0 != ":" })) != nil)
            }
        }
    }

    @Test("a start whose stream is never ready is carried out at the next server")
    func answerThatNeverComes() {
        let pair = PlaybackPair(in: .paused)
        pair.carryOut(.start, .sixSecondsPass)
        expectEqual(pair.outcome(), "connecting | - | -")
        // As libpulse does after half a minute.
        pair.carryOut(.serverIsLost, .serverAnswers, .streamIsMade)
        expectEqual(
            pair.outcome(),
            "running | interrupted started resumed | disconnect end connect device? make write")
    }

    @Test("a drain's answer that arrives after a pause does not end the resumed audio")
    func answerOutOfOrder() {
        let pair = PlaybackPair(in: .draining)
        // The first answer is for the fade, the second for the flush.
        pair.carryOut(.pause, .drained, .sixSecondsPass, .timed, .timed, .start, .drained)
        expectEqual(pair.stream.feed.takeEvents(), "paused started")
        for _ in 0..<11 { pair.carryOut(.serverAsks) }
        // A new drain, of the kept audio; the first was cancelled.
        expectEqual(pair.server.recorder.unanswered.filter { $0 == .request(.drain) }.count, 1)
    }

    @Test("a pause cancels the answer to a drain, and no other")
    func pauseWhileDraining() {
        let pair = PlaybackPair(in: .draining)
        pair.stream.server.ask(.attributes(PulseBufferAttributes())) {}
        #expect(pair.server.recorder.unanswered.contains(.request(.drain)))
        pair.carryOut(.pause)
        #expect(!pair.server.recorder.unanswered.contains(.request(.drain)))
        #expect(pair.server.recorder.unanswered.contains(.request(.attributes(PulseBufferAttributes()))))
    }

    @Test("a stream that fails while it is corked is made again by the next start")
    func failureWhileCorked() {
        let pair = PlaybackPair(in: .prepared)
        pair.carryOut(.streamFails, .start, .streamIsMade)
        expectEqual(pair.outcome(), "running | started | end device? make write")
    }

    @Test("a format that libpulse refuses fails the start")
    func refusedFormat() {
        let pair = PlaybackPair(in: .waitingForServer)
        pair.server.recorder.refuses = true
        pair.carryOut(.serverAnswers)
        expectEqual(pair.outcome(), "idle | failed | device?")
        expectEqual(pair.stream.feed.failure?.code, .unsupportedFormat)
    }

    @Test("if a server grants a tenth, the stream reports a tenth and keeps it for a fade")
    func smallGrant() {
        let pair = PlaybackPair(in: .makingStream)
        pair.made?.attributes?.target = 960
        pair.carryOut(.streamIsMade)
        expectEqual(pair.stream.granted?.targetFrames, 480)
        #expect(pair.outcome().hasPrefix("running | started"))
        pair.carryOut(.serverAsks, .pause, .aTenthPasses)
        for _ in 0..<3 { pair.carryOut(.timed, .aTenthPasses) }
        #expect(pair.outcome().hasPrefix("paused | paused"))
    }
}
