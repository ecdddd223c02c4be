// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

/// Devices that do not exist, and that a server removes without ending their streams.
@Suite("A stream whose device") struct RemovedDeviceTests {
    private let missing = PulseAnswer.failed(errorNumber: PulseError.noEntity)

    @Test("is removed waits for it, whether the server ends the stream or not", arguments: [false, true])
    func captured(isEnded: Bool) throws {
        let pair = CapturePair(in: .running)
        try #require(pair.made).deviceIndex = 7
        if isEnded {
            pair.carryOut(.streamFails)
        } else {
            // Another source, and a sink with the number of the source.
            pair.server.connection.deviceIsRemoved(isSink: false, index: 6)
            pair.server.connection.deviceIsRemoved(isSink: true, index: 7)
            #expect(pair.stream.lifecycle.isRunning)
            pair.server.connection.deviceIsRemoved(isSink: false, index: 7)
        }
        expectEqual(pair.outcome(), "interrupted | interrupted | end")
        // No stream is made before the source is back.
        pair.server.hasDevices = false
        for _ in 0..<3 {
            pair.server.pass(seconds: 0.2)
            #expect(pair.server.recorder.answer(.source(named: "@DEFAULT_SOURCE@"), missing))
        }
        #expect(pair.made == nil)
        pair.server.hasDevices = true
        pair.server.pass(seconds: 0.2)
        pair.carryOut(.streamIsMade, .framesCome, .aTenthPasses)
        #expect(pair.stream.lifecycle.isRunning)
    }

    @Test("does not return fails", arguments: [false, true])
    func lost(isOutput: Bool) throws {
        let server: RecordedServer
        let feed: StreamFeed
        if isOutput {
            let pair = PlaybackPair(in: .running)
            (server, feed) = (pair.server, pair.stream.feed)
            server.recorder.errorNumber = PulseError.noEntity
            server.hasDevices = false
            server.connection.deviceIsRemoved(isSink: true, index: 0)
            answerUntilFailure(.sink(named: "@DEFAULT_SINK@"), of: server, feed)
        } else {
            let pair = CapturePair(in: .running)
            (server, feed) = (pair.server, pair.stream.feed)
            server.recorder.errorNumber = PulseError.noEntity
            server.hasDevices = false
            server.connection.deviceIsRemoved(isSink: false, index: 0)
            answerUntilFailure(.source(named: "@DEFAULT_SOURCE@"), of: server, feed)
        }
        expectEqual(feed.failure?.code, .connectionLost)
    }

    private func answerUntilFailure(_ question: PulseQuestion, of server: RecordedServer, _ feed: StreamFeed)
    {
        for _ in 0..<60 {
            server.recorder.answer(question, missing)
            server.pass(seconds: 0.1)
        }
    }

    @Test("is removed plays on the next one")
    func played() throws {
        let pair = PlaybackPair(in: .running)
        try #require(pair.made).deviceIndex = 7
        pair.server.connection.deviceIsRemoved(isSink: false, index: 7)
        #expect(pair.stream.lifecycle.isRunning)
        pair.server.connection.deviceIsRemoved(isSink: true, index: 7)
        pair.server.turn()
        expectEqual(pair.outcome(), "interrupted | interrupted moved | end device? make")
        pair.carryOut(.streamIsMade)
        #expect(pair.stream.lifecycle.isRunning)
    }

    @Test("was removed before the subscription to changes fails, too")
    func removedEarly() {
        let capture = CapturePair(in: .running)
        capture.server.recorder.answer(.sourceAt(index: 0), missing)
        #expect(capture.stream.lifecycle.isInterrupted)
        let playback = PlaybackPair(in: .running)
        playback.carryOut(.aTenthPasses)
        playback.server.recorder.answer(.sinkAt(index: 0), missing)
        #expect(playback.stream.lifecycle.isInterrupted)
    }

    @Test("does not exist fails at once, and no stream is made")
    func absent() {
        let capture = CapturePair()
        capture.server.hasDevices = false
        capture.server.recorder.errorNumber = PulseError.noEntity
        capture.carryOut(.start, .serverAnswers)
        capture.server.recorder.answer(.source(named: "@DEFAULT_SOURCE@"), missing)
        expectEqual(capture.stream.feed.failure?.code, .noSuchDevice)
        #expect(capture.server.recorder.streams.isEmpty)
        let playback = PlaybackPair()
        playback.server.hasDevices = false
        playback.server.recorder.errorNumber = PulseError.noEntity
        playback.carryOut(.start, .serverAnswers)
        playback.server.recorder.answer(.sink(named: "@DEFAULT_SINK@"), missing)
        expectEqual(playback.stream.feed.failure?.code, .noSuchDevice)
        #expect(playback.server.recorder.streams.isEmpty)
    }
}
