// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import aqrecord

@Suite("News of a device") struct DeviceNewsTests {
    private func warnings(
        _ news: inout DeviceNews, _ interruptions: Int, _ frames: Int64, _ name: String? = nil
    ) -> [String] {
        news.warnings(
            interruptions: interruptions, interruptedFrames: frames, deviceName: name, sampleRate: 100,
            recoverySeconds: 5)
    }

    @Test("a device that is lost and recovers is reported once each, with the silence in between")
    func away() {
        var news = DeviceNews()
        let away = "the sound server or the device is unavailable; waiting up to 5.0 s"
        expectEqual(warnings(&news, 0, 0), [])
        expectEqual(warnings(&news, 1, 0), [away])
        #expect(news.isMissing(interruptedFrames: 250))
        expectEqual(warnings(&news, 1, 250), ["capture resumes: 2.50 s of silence are inserted"])
        expectEqual(warnings(&news, 1, 250), [])
        expectEqual(warnings(&news, 2, 250), [away])
        expectEqual(warnings(&news, 2, 250), ["capture resumes"])
        expectEqual(
            warnings(&news, 3, 350),
            ["the sound server or the device was unavailable: 1.00 s of silence are inserted"])
    }

    @Test("a device that has not returned at the end of the recording does not resume")
    func noReturn() {
        var news = DeviceNews()
        _ = warnings(&news, 1, 0)
        #expect(!news.isLost)
        news.end()
        expectEqual(
            warnings(&news, 1, 213),
            ["the sound server or the device did not return: 2.13 s of silence are inserted"])
        expectEqual(warnings(&news, 1, 213), [])
        #expect(news.isLost)
    }

    @Test("without silence, a device that has not returned is reported once")
    func noReturnWithoutSilence() {
        var news = DeviceNews()
        _ = warnings(&news, 1, 0)
        news.end()
        expectEqual(warnings(&news, 1, 0), ["the sound server or the device did not return"])
        #expect(warnings(&news, 1, 0) == [] && warnings(&news, 1, 50) == [])
    }

    @Test("a device that is back at the end of the recording is not lost")
    func returned() {
        var news = DeviceNews()
        _ = warnings(&news, 1, 0)
        expectEqual(warnings(&news, 1, 250), ["capture resumes: 2.50 s of silence are inserted"])
        news.end()
        expectEqual(warnings(&news, 1, 250), [])
        #expect(!news.isLost)
    }

    @Test("another device is named")
    func otherDevice() {
        var news = DeviceNews()
        expectEqual(warnings(&news, 0, 0, "first"), [])
        expectEqual(warnings(&news, 0, 0), [])
        expectEqual(warnings(&news, 0, 0, "second"), ["recording continues from 'second'"])
    }
}
