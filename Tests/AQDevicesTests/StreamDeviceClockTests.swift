// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite struct StreamDeviceClockTests {
    private let origin: UInt64 = 40_000_000_000_000
    /// 48 kHz, in frames a nanosecond.
    private let rate = 48e-6

    private func frames(_ anchor: DeviceClockAnchor, at seconds: Double) -> Double? {
        anchor.reading(at: time(seconds), streamRate: 48_000, deviceRate: 48_000)?.frames
    }

    private func time(_ seconds: Double) -> UInt64 { origin + UInt64(seconds * 1e9) }

    @Test("nothing is reported before anything is known, or of a device without a rate")
    func unknown() {
        var anchor = DeviceClockAnchor()
        expectEqual(frames(anchor, at: 1), nil)
        anchor.follow(0, at: time(0), rate: rate)
        expectEqual(anchor.reading(at: time(1), streamRate: 48_000, deviceRate: 0), nil)
    }

    @Test("the clock follows the stream, in frames of the device")
    func follows() throws {
        var anchor = DeviceClockAnchor()
        anchor.follow(0, at: time(0), rate: rate)
        anchor.follow(24_010, at: time(0.5), rate: rate * 1.0004)
        let reading = try #require(
            anchor.reading(at: time(1), streamRate: 48_000, deviceRate: 96_000))
        #expect(abs(reading.frames - 2 * (24_010 + 24_000 * 1.0004)) < 0.01)
        expectEqual(reading.hostTime, time(1))
        #expect(abs(reading.framesPerSecond - 96_000 * 1.0004) < 0.01)
        expectEqual(reading.nominalFramesPerSecond, 96_000)
    }

    @Test("a latency before the first frame is not a negative count")
    func latency() throws {
        var anchor = DeviceClockAnchor()
        anchor.follow(-960, at: time(0), rate: rate)
        expectEqual(frames(anchor, at: 0), 0)
        anchor.follow(-960 + 480, at: time(0.01), rate: rate)
        let count = try #require(frames(anchor, at: 0.01))
        #expect(abs(count - 480) < 0.01)
    }

    @Test("a new numbering, reported or not, is not a step")
    func newNumbering() throws {
        for isReported in [false, true] {
            var anchor = DeviceClockAnchor()
            anchor.follow(0, at: time(0), rate: rate)
            anchor.follow(48_000, at: time(1), rate: rate)
            if isReported { anchor.interrupt() }
            // A pause of a second, and a stream that begins at 0 again.
            anchor.follow(isReported ? 96_010 : 0, at: time(2), rate: rate)
            let count = try #require(frames(anchor, at: 2))
            #expect(abs(count - 96_000) < 0.01)
            let next = try #require(frames(anchor, at: 3))
            #expect(abs(next - 144_000) < 0.01)
        }
    }

    @Test("streams pass the clock to each other, and only while they run")
    func streams() throws {
        let clock = PlaybackClock(sampleRate: 48_000)
        var state = PlaybackClock.State()
        state.device.follow(1000, at: hostTime(), rate: rate)
        clock.publish(state)
        expectEqual(clock.deviceReading(deviceRate: 48_000), nil)
        state.isRunning = true
        clock.publish(state)
        #expect(try #require(clock.deviceReading(deviceRate: 48_000)).frames >= 1000)

        let captureClock = CaptureClock()
        var captured = CaptureClock.State()
        captured.device.follow(1000, at: hostTime(), rate: rate)
        captured.restart(at: hostTime())
        captured.isRunning = true
        captureClock.publish(captured)
        let reading = captureClock.deviceReading(streamRate: 48_000, deviceRate: 48_000)
        #expect(try #require(reading).frames >= 1000)
    }
}
