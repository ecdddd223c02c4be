// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQToolboxFunctions

@Suite("Sample times of a device") struct DeviceTimelineTests {
    private let timeline = DeviceTimeline()
    private let second: UInt64 = 1_000_000_000

    @Test("begin with the first procedure, and end with the last") func life() {
        expectEqual(timeline.line, nil)
        let first = timeline.join(sampleRate: 48000, at: second)
        expectEqual(timeline.line?.sampleTime(at: 2 * second), 48000)
        let other = timeline.join(sampleRate: 48000, at: 9 * second)
        timeline.leave(first)
        expectEqual(timeline.line?.sampleTime(at: 2 * second), 48000)
        timeline.leave(other)
        timeline.leave(other)
        expectEqual(timeline.line, nil)
    }

    @Test("are those of the leading procedure, on which others are placed by their host times")
    func places() {
        let first = timeline.join(sampleRate: 48000, at: second)
        var offset: Double?
        expectEqual(timeline.place(first, &offset, frame: 0, hostTime: 2 * second), 0)
        expectEqual(timeline.place(first, &offset, frame: 480, hostTime: 2 * second + 10_000_000), 480)
        let other = timeline.join(sampleRate: 48000, at: 3 * second)
        var otherOffset: Double?
        expectEqual(timeline.place(other, &otherOffset, frame: 0, hostTime: 3 * second), 48000)
        // Its own frames are continuous, whatever the host times are.
        expectEqual(timeline.place(other, &otherOffset, frame: 512, hostTime: 9 * second), 48512)
        expectEqual(timeline.line?.sampleTime(at: 2 * second), 0)
        timeline.leave(first)
        expectEqual(timeline.place(other, &otherOffset, frame: 1024, hostTime: 4 * second), 49024)
        expectEqual(timeline.line?.sampleTime(at: 4 * second), 49024)
        expectEqual(timeline.line?.hostTime(of: 49024 + 48000), 5 * second)
    }

    @Test("of impossible values are limited") func limits() {
        let line = DeviceTimeline.Line(sampleTime: 0, hostTime: 0, sampleRate: 48000)
        _ = line.hostTime(of: .greatestFiniteMagnitude)
        _ = line.hostTime(of: -.greatestFiniteMagnitude)
        #expect(line.sampleTime(at: .max).isFinite)
        let number = timeline.join(sampleRate: 0, at: .max)
        var offset: Double?
        expectEqual(timeline.place(number, &offset, frame: 0, hostTime: 0), 0)
    }
}
