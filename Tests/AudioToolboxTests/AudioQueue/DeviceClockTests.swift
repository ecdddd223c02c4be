// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing

@testable import AQToolboxFunctions

@Suite("Times of a device") struct DeviceClockTests {
    private let clock = DeviceClockReading(
        frames: 480, hostTime: 1_000_000_000, framesPerSecond: 48_000, nominalFramesPerSecond: 48_000)

    @Test("frames and host times are translated both ways, before the reading and after it")
    func translation() {
        expectEqual(clock.hostTime(atFrames: 480 + 48_000), 2_000_000_000)
        expectEqual(clock.hostTime(atFrames: 480 - 4800), 900_000_000)
        expectEqual(clock.frames(atHostTime: 1_500_000_000), 480 + 24_000)
        expectEqual(clock.frames(atHostTime: 500_000_000), 480 - 24_000)
    }

    @Test("times out of range become the first, the last, or now", arguments: [-1e300, 1e300, .nan])
    func extremes(frames: Double) {
        let last = clock.hostTime + 9_000_000_000_000_000_000
        let expected = frames.isNaN ? clock.hostTime : frames < 0 ? 0 : last
        expectEqual(clock.hostTime(atFrames: frames), expected)
    }

    @Test("a clock without a rate does not advance") func standstill() {
        var clock = clock
        clock.framesPerSecond = 0
        expectEqual(clock.hostTime(atFrames: 481), clock.hostTime)
        #expect(!clock.timeStamp(atHostTime: 5).mFlags.contains(.rateScalarValid))
    }

    @Test("the rate scalar is the ratio of a frame's true duration to the nominal one") func rateScalar() {
        var clock = clock
        clock.framesPerSecond = 47_990
        let stamp = clock.timeStamp(atHostTime: clock.hostTime)
        expectEqual(stamp.mFlags, [.sampleTimeValid, .hostTimeValid, .rateScalarValid])
        #expect(abs(stamp.mRateScalar - 48_000 / 47_990) < 1e-12)
    }

    @Test("a stopped device reports the host time, and translates nothing")
    func stoppedDevice() throws {
        let rig = try QueueRig()
        var time = AudioTimeStamp()
        unsafe expectEqual(audioQueueDeviceGetCurrentTime(rig.queue, &time), noErr)
        expectEqual(time.mFlags, .hostTimeValid)
        var translated = AudioTimeStamp()
        let status = unsafe audioQueueDeviceTranslateTime(rig.queue, &time, &translated)
        expectEqual(status, kAudioQueueErr_InvalidRunState)
        var nothing = AudioTimeStamp()
        unsafe expectEqual(audioQueueDeviceTranslateTime(rig.queue, &nothing, &translated), kAudio_ParamError)
        unsafe expectEqual(audioQueueDeviceGetNearestStartTime(rig.queue, &nothing, 0), kAudio_ParamError)
        unsafe expectEqual(audioQueueDeviceGetNearestStartTime(rig.queue, &time, 1), kAudio_ParamError)
        let wanted = time.mHostTime
        unsafe expectEqual(audioQueueDeviceGetNearestStartTime(rig.queue, &time, 0), noErr)
        #expect(time.mHostTime >= wanted)
        unsafe expectEqual(audioQueueStart(rig.queue, &nothing), kAudio_ParamError)
    }
}
