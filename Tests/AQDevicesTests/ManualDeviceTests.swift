// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite struct ManualDeviceTests {
    @Test("a stream that underruns is silent, counts one underrun an episode, and resumes")
    func underruns() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<5)
        player.stream.start()
        expectEqual(player.render(6), [1, 2, 3, 4, 128, 128])
        expectEqual(player.render(3), [128, 128, 128])
        expectEqual(player.events(), [.started, .segmentDone, .underran])
        player.enqueue(5..<7)
        expectEqual(player.render(3), [5, 6, 128])
        expectEqual(player.events(), [.segmentDone, .underran])
        let position = player.stream.position()
        expectEqual(position.timelineFrames, 12)
        expectEqual(position.playedFrames, 6)
        expectEqual(position.discontinuities, 2)
    }

    @Test("a stream started empty is silent without an underrun")
    func startedEmpty() throws {
        let player = try ManualPlayer()
        player.stream.start()
        expectEqual(player.render(2), [128, 128])
        expectEqual(player.events(), [.started])
    }

    @Test("a paused stream keeps its frames and its position")
    func pause() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<9)
        player.stream.start()
        _ = player.render(3)
        player.stream.pause(ticket: 4)
        expectEqual(player.render(3), [128, 128, 128])
        expectEqual(player.stream.position().timelineFrames, 3)
        player.stream.start()
        expectEqual(player.render(3), [4, 5, 6])
    }

    @Test("a drained stream plays its last frame and stops")
    func drain() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<4)
        player.stream.start()
        player.stream.drain(ticket: 8)
        expectEqual(player.render(2), [1, 2])
        #expect(!player.events().contains(.drained))
        expectEqual(player.render(2), [3, 128])
        expectEqual(player.events(), [.segmentDone, .drained])
        #expect(!player.stream.position().isRunning)
    }

    @Test("a drain waits while the stream is paused, and ends after the last frame")
    func drainWhilePaused() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<5)
        player.stream.start()
        player.stream.drain(ticket: 8)
        _ = player.render(2)
        player.stream.pause(ticket: 9)
        expectEqual(player.render(3), [128, 128, 128])
        expectEqual(player.events(), [.started, .paused])
        player.stream.start()
        expectEqual(player.render(3), [3, 4, 128])
        expectEqual(player.events(), [.started, .segmentDone, .drained])
    }

    @Test("every drain is answered, even if another replaces it or a stop ends it")
    func repeatedDrain() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<5)
        player.stream.start()
        player.stream.drain(ticket: 1)
        player.stream.drain(ticket: 2)
        expectEqual(player.stream.feed.nextEvent(), DeviceEvent(.started))
        expectEqual(player.stream.feed.nextEvent(), DeviceEvent(.drained, token: 1))
        player.stream.stop(ticket: 3)
        expectEqual(player.events(), [.segmentDone, .drained, .stopped])
    }

    @Test("a pause during an interruption still holds when the device is back")
    func pauseWhileInterrupted() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<5)
        player.stream.start()
        player.device.interrupt()
        player.stream.pause(ticket: 1)
        player.device.resume()
        expectEqual(player.render(2), [128, 128])
        expectEqual(player.events(), [.started, .interrupted, .paused])
        player.stream.start()
        expectEqual(player.render(2), [1, 2])
    }

    @Test("a draining stream can be interrupted, and drains later")
    func interruptedDrain() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<3)
        player.stream.start()
        player.stream.drain(ticket: 1)
        player.device.interrupt()
        expectEqual(player.render(3), [128, 128, 128])
        player.device.resume()
        expectEqual(player.render(3), [1, 2, 128])
        expectEqual(player.events(), [.started, .interrupted, .resumed, .segmentDone, .drained])
    }

    @Test("values that are not finite do no harm", arguments: [Double.nan, .infinity, -.infinity, -1, 1e300])
    func oddNumbers(value: Double) throws {
        let stream = try ManualDevice().makeStream(
            OutputStreamConfiguration(
                format: ManualPlayer.format, latency: .seconds(value), recoverySeconds: value))
        stream.setGain(Float(value), rampSeconds: value)
        let player = try ManualPlayer()
        player.enqueue(128..<140)
        player.stream.setGain(Float(value), rampSeconds: value)
        player.stream.start()
        expectEqual(player.render(4).count, 4)
        player.stream.setGain(Float(value), rampSeconds: 0)
        expectEqual(player.render(4).count, 4)
        #expect(player.render(Int.min).isEmpty)
    }

    @Test("stop and flush return every segment; after a flush the stream keeps running")
    func stopAndFlush() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<9, token: 1)
        player.enqueue(9..<12, token: 2)
        player.stream.start()
        _ = player.render(2)
        player.stream.flush(ticket: 5)
        expectEqual(player.events(), [.started, .segmentDone, .segmentDone, .flushed])
        player.enqueue(20..<22)
        expectEqual(player.render(2), [20, 21])
        expectEqual(player.stream.position().playedFrames, 2)
        player.enqueue(30..<33)
        player.stream.stop(ticket: 6)
        expectEqual(player.events(), [.segmentDone, .segmentDone, .stopped])
        expectEqual(player.render(1), [128])
    }

    @Test("a closed stream is released")
    func close() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<3)
        player.stream.close(ticket: 1)
        expectEqual(player.events(), [.segmentDone, .closed])
        expectEqual(player.device.openStreams, 0)
    }

    @Test("a failed stream returns its segments and reports why")
    func failure() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<3)
        player.stream.start()
        player.device.fail(DeviceError(.connectionLost, "gone"))
        expectEqual(player.events(), [.started, .segmentDone, .failed])
        expectEqual(player.stream.feed.failure?.code, .connectionLost)
    }

    @Test("a failure while draining is reported before the drain's end")
    func failureWhileDraining() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<3)
        player.stream.start()
        player.stream.drain(ticket: 1)
        player.device.fail(DeviceError(.connectionLost, "gone"))
        expectEqual(player.events(), [.started, .segmentDone, .failed, .drained])
    }

    @Test(
        "invalid formats are refused",
        arguments: [(0, 48_000.0), (33, 48_000), (2, 0), (2, 1e9), (2, .nan)])
    func refused(channels: Int, sampleRate: Double) {
        let format = SampleFormat(
            encoding: .signed16, sampleRate: sampleRate, channelLabels: .init(repeating: 1, count: channels))
        #expect(throws: DeviceError.self) {
            try ManualDevice().makeStream(OutputStreamConfiguration(format: format))
        }
    }

    @Test("levels are those of the audible frame")
    func levels() throws {
        let player = try ManualPlayer()
        player.stream.setMetering(true)
        player.enqueue(0..<256)
        player.stream.start()
        _ = player.render(200)
        let level = try #require(player.stream.levels().first)
        expectEqual(level.peak, 1)
        #expect(level.rms > 0.1)
    }

    @Test("frames dropped by a flush are not in later levels")
    func levelsAfterFlush() throws {
        let player = try ManualPlayer()
        player.stream.setMetering(true)
        player.enqueue(0..<100)
        player.stream.start()
        _ = player.render(100)
        player.stream.flush(ticket: 1)
        // Silence for a whole block of 20 ms.
        let isTaken = player.stream.feed.enqueue(unsafe StreamSegment(base: nil, byteCount: 160, token: 2))
        #expect(isTaken)
        _ = player.render(160)
        expectEqual(player.stream.levels(), [ChannelLevel(rms: 0, peak: 0)])
    }
}
