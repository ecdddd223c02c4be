// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

/// Starts at a host time, on devices without hardware. Byte 0 is not played: every other one is audible.
@Suite struct DeviceStartTimeTests {
    /// A second of frames, as host time.
    private static let second: UInt64 = 1_000_000_000

    @Test("silence is rendered up to the start time, and is not on the timeline")
    func silence() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<11)
        player.stream.start(atHostTime: hostTime() + DeviceStartTimeTests.second)
        expectEqual(player.events(), [.started])
        var lead = 0
        while true {
            let frame = player.render(1)
            if frame != [128] {
                expectEqual(frame, [1])
                break
            }
            expectEqual(player.stream.position().timelineFrames, 0)
            lead += 1
            try #require(lead <= 8000)
        }
        // The machine may be busy between the two calls.
        #expect(lead > 0)
        expectEqual(player.render(11), [2, 3, 4, 5, 6, 7, 8, 9, 10, 128, 128])
        expectEqual(player.stream.position().playedFrames, 10)
        expectEqual(player.stream.position().timelineFrames, 12)
        expectEqual(player.events(), [.segmentDone, .underran])
    }

    @Test("a time that has passed starts at once")
    func passed() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<4)
        player.stream.start(atHostTime: 1)
        expectEqual(player.render(4), [1, 2, 3, 128])
    }

    @Test("a pause before the time cancels the start and keeps every frame")
    func pause() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<4)
        player.stream.start(atHostTime: hostTime() + DeviceStartTimeTests.second)
        _ = player.render(10)
        player.stream.pause(ticket: 1)
        expectEqual(player.render(8000), [UInt8](repeating: 128, count: 8000))
        player.stream.start()
        expectEqual(player.render(3), [1, 2, 3])
    }

    @Test("a flush before the time drops the enqueued audio and keeps the time")
    func flush() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<4)
        player.stream.start(atHostTime: hostTime() + DeviceStartTimeTests.second)
        player.stream.flush(ticket: 1)
        player.enqueue(51..<53)
        let played = player.render(8003)
        let first = try #require(played.firstIndex { $0 != 128 })
        #expect(first > 0 && first <= 8000)
        expectEqual(Array(played[first..<(first + 3)]), [51, 52, 128])
        expectEqual(player.stream.position().playedFrames, 2)
    }

    @Test("an interruption before the time keeps the time")
    func interruption() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<4)
        player.stream.start(atHostTime: hostTime() + DeviceStartTimeTests.second)
        _ = player.render(1)
        player.device.interrupt()
        _ = player.render(100)
        player.device.resume()
        expectEqual(player.render(1), [128])
        #expect(player.render(8000).contains(1))
    }

    @Test("a drain before the time plays to the last frame")
    func drain() throws {
        let player = try ManualPlayer()
        player.enqueue(1..<4)
        player.stream.start(atHostTime: hostTime() + DeviceStartTimeTests.second)
        player.stream.drain(ticket: 9)
        _ = player.render(1)
        expectEqual(player.events(), [.started])
        let played = player.render(8003)
        expectEqual(played.filter { $0 != 128 }, [1, 2, 3])
        expectEqual(player.events(), [.segmentDone, .drained])
    }

    @Test(
        "a start in the far future does no harm",
        arguments: [UInt64.max, UInt64.max / 2, UInt64(1) << 62] as [UInt64])
    func farAway(hostTime: UInt64) throws {
        let player = try ManualPlayer()
        player.enqueue(1..<4)
        player.stream.start(atHostTime: hostTime)
        expectEqual(player.render(10), [UInt8](repeating: 128, count: 10))
        player.stream.stop(ticket: 1)
        expectEqual(player.events(), [.started, .segmentDone, .stopped])
    }

    @Test("the virtual device's timeline begins at the start time", .timeLimit(.minutes(20)))
    func virtual() throws {
        let stream = try VirtualDevice().makeStream(
            OutputStreamConfiguration(format: ManualPlayer.format))
        #expect(stream.feed.enqueue(unsafe StreamSegment(base: nil, byteCount: 8000, token: 0)))
        let start = hostTime() + 100_000_000
        stream.start(atHostTime: start)
        while true {
            let position = stream.position()
            if position.timelineFrames == 0 {
                // Not started: at most some periods late on a busy machine.
                try #require(position.hostTime < start + 5 * DeviceStartTimeTests.second)
                stream.feed.waitForEvent(until: hostTime() + 1_000_000)
                while stream.feed.nextEvent() != nil {}
                continue
            }
            let expected = Double(Int64(bitPattern: position.hostTime &- start)) / 1e9 * 8000
            #expect(position.hostTime >= start)
            // Its clock is at most one period ahead, and behind if the machine was busy.
            #expect(position.timelineFrames < expected + 2 * VirtualDevice.periodSeconds * 8000)
            break
        }
        stream.close(ticket: 1)
    }

    @Test("the nearest start is never before now, and never before the requested time")
    func nearest() throws {
        for device in [ManualDevice(), VirtualDevice()] as [any OutputDevice] {
            let stream = try device.makeStream(OutputStreamConfiguration(format: ManualPlayer.format))
            let now = hostTime()
            #expect(stream.nearestStart(toHostTime: 0) >= now)
            let late = now + 60 * DeviceStartTimeTests.second
            expectEqual(stream.nearestStart(toHostTime: late), late)
            stream.close(ticket: 1)
        }
    }

    @Test("a device's clock runs while the stream does")
    func clock() throws {
        let player = try ManualPlayer()
        expectEqual(player.stream.deviceClock, nil)
        player.stream.start()
        _ = player.render(100)
        let first = try #require(player.stream.deviceClock)
        #expect(first.frames == 100 && first.framesPerSecond == 8000 && first.nominalFramesPerSecond == 8000)
        player.stream.pause(ticket: 1)
        expectEqual(player.stream.deviceClock, nil)
        _ = player.render(50)
        player.stream.start()
        expectEqual(player.stream.deviceClock?.frames, 150)
    }
}
