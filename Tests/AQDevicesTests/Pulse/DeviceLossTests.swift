// SPDX-License-Identifier: MIT

import AQExpectations
import Synchronization
import Testing

@testable import AQDevices

/// A stream that renders slices of 10 ms, and loses its server or its sink.
@Suite("A stream without its device") struct DeviceLossTests {
    private final class Slices: Sendable {
        private let state = Mutex<[SliceSource.Time]>([])
        var times: [SliceSource.Time] { state.withLock { $0 } }
        func add(_ time: SliceSource.Time) { state.withLock { $0.append(time) } }
    }

    private static let frames = 480
    private let slices = Slices()
    private let pair: PlaybackPair

    init() {
        let source = unsafe SliceSource(frames: Self.frames, format: PlaybackPair.format) { [slices] in
            slices.add($1)
        }
        pair = PlaybackPair(latency: .buffers, slices: source, recoverySeconds: .infinity)
        pair.carryOut(.start, .serverAnswers, .streamIsMade)
    }

    /// Expects that the slices follow one another without a gap on the timeline, and that no time decreases.
    private func expectSequence(sourceLocation: SourceLocation = #_sourceLocation) {
        let times = slices.times
        for (index, time) in times.enumerated() {
            #expect(time.frame == Double(index * Self.frames), sourceLocation: sourceLocation)
        }
        #expect(
            zip(times, times.dropFirst()).allSatisfy { $1.hostTime >= $0.hostTime },
            sourceLocation: sourceLocation)
    }

    @Test("renders slices at the same pace until its server is back, and then on the new stream")
    func serverDies() {
        expectEqual(slices.times.count, 2)
        pair.carryOut(.serverIsLost)
        let lostAt = pair.server.recorder.now
        pair.server.pass(seconds: 1, steps: 2000)
        #expect(abs(slices.times.count - 102) <= 1, "\(slices.times.count)")
        let times = slices.times.dropFirst(2)
        #expect(
            zip(times, times.dropFirst()).allSatisfy { $1.hostTime - $0.hostTime == 10_000_000 })
        #expect(times.allSatisfy { $0.hostTime >= lostAt })
        pair.carryOut(.serverAnswers)
        pair.server.pass(seconds: 0.1, steps: 200)
        let before = slices.times.count
        pair.carryOut(.streamIsMade)
        #expect(pair.stream.lifecycle.isRunning)
        expectEqual(slices.times.count, before + 2)
        expectSequence()
        // The server requests nothing.
        pair.server.pass(seconds: 1, steps: 2000)
        expectEqual(slices.times.count, before + 2)
        pair.made?.writableBytes = 6 * Self.frames
        pair.stream.reference.report(.transfer)
        pair.server.turn()
        #expect(slices.times.count > before + 2)
        expectSequence()
    }

    @Test("waits without end if there is no limit")
    func noLimit() {
        pair.carryOut(.serverIsLost)
        pair.server.pass(seconds: 1000, steps: 10_000)
        #expect(pair.stream.lifecycle.isInterrupted)
        #expect(slices.times.count > 9000)
        pair.carryOut(.serverAnswers, .streamIsMade)
        #expect(pair.stream.lifecycle.isRunning)
        expectEqual(pair.stream.feed.takeEvents(), "started interrupted started resumed")
    }

    @Test("renders slices while there is no other sink, and tries to get one")
    func sinkDisappears() {
        pair.carryOut(.streamFails)
        for _ in 0..<10 {
            // Refused, since there is no sink.
            pair.carryOut(.streamFails)
            pair.server.pass(seconds: 0.2, steps: 400)
        }
        #expect(abs(slices.times.count - 202) <= 2, "\(slices.times.count)")
        expectEqual(pair.made?.state, .creating)
        pair.carryOut(.streamIsMade)
        #expect(pair.stream.lifecycle.isRunning)
        expectSequence()
    }

    @Test("plays the audio that was not audible on the next sink, if that comes before the next slice")
    func nextSink() {
        pair.carryOut(.streamFails)
        // Less than a slice after the last one was rendered.
        pair.server.pass(seconds: 0.005)
        expectEqual(pair.stream.renderer.cursor, 0)
        _ = pair.server.recorder.takeCalls()
        pair.carryOut(.streamIsMade)
        let written = pair.server.recorder.takeCalls().reduce(0) { sum, call in
            if case .write(let bytes, _) = call { sum + bytes / 2 } else { sum }
        }
        expectEqual(written, 2 * Self.frames)
        expectEqual(slices.times.count, 2)
        pair.server.pass(seconds: 1, steps: 2000)
        expectEqual(slices.times.count, 2)
    }

    @Test("renders no more slices after a stop, and begins again with a start", arguments: [false, true])
    func stop(closes: Bool) {
        pair.carryOut(.serverIsLost)
        pair.server.pass(seconds: 0.1, steps: 200)
        pair.carryOut(closes ? .close : .stop)
        let count = slices.times.count
        #expect(count >= 11)
        pair.server.pass(seconds: 1, steps: 2000)
        expectEqual(slices.times.count, count)
        if closes { return }
        pair.carryOut(.start, .serverAnswers, .streamIsMade)
        expectEqual(slices.times.count, count + 2)
        expectEqual(slices.times[count].frame, 0)
        let hostTimes = slices.times.map(\.hostTime)
        expectEqual(hostTimes, hostTimes.sorted())
    }

    @Test("fails if it had not played, without a server")
    func firstStart() {
        pair.carryOut(.stop)
        pair.server.pass(seconds: 0.1)
        pair.carryOut(.timed, .aTenthPasses, .serverIsLost)
        _ = pair.stream.feed.takeEvents()
        let count = slices.times.count
        pair.carryOut(.start, .serverIsLost)
        expectEqual(pair.stream.feed.takeEvents(), "failed")
        pair.server.pass(seconds: 1)
        expectEqual(slices.times.count, count)
        // The next start connects again.
        pair.carryOut(.start, .serverAnswers, .streamIsMade)
        expectEqual(pair.stream.feed.takeEvents(), "started")
        expectEqual(slices.times.count, count + 2)
    }
}
