// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import aqlatency

@Suite("Times of frames")
struct TimesTests {
    @Test("between two positions the time is on their line, outside at the nominal rate")
    func positions() {
        let positions = [
            PlayedPosition(frame: 0, nanoseconds: 1e9), PlayedPosition(frame: 48_000, nanoseconds: 2.001e9),
        ]
        func time(_ frame: Double) -> Double? { positions.nanoseconds(ofFrame: frame, sampleRate: 48_000) }
        expectEqual(time(24_000), 1.5005e9)
        expectEqual(time(-48_000), 0)
        expectEqual(time(96_000), 3.001e9)
        expectEqual([PlayedPosition]().nanoseconds(ofFrame: 1, sampleRate: 48_000), nil)
    }

    @Test("a recording converts frames to times and back, by the mark before")
    func marks() {
        var audio = CapturedAudio(sampleRate: 1_000, channels: 2)
        audio.samples = [1, 2, 3, 4]
        audio.marks = [
            .init(frame: 0, captureNanoseconds: 1e9, callbackNanoseconds: 5e9),
            .init(frame: 100, captureNanoseconds: 1.2e9, callbackNanoseconds: 6e9),
        ]
        #expect(audio.frames == 2 && audio.channel(1) == [2, 4])
        expectEqual(audio.nanoseconds(ofFrame: 50), 1.05e9)
        expectEqual(audio.nanoseconds(ofFrame: 101.5), 1.2015e9)
        expectEqual(audio.callbackNanoseconds(ofFrame: 99), 5e9)
        expectEqual(audio.frame(atNanoseconds: 1.21e9), 110)
        expectEqual(audio.frame(atNanoseconds: 0.9e9), -100)
        #expect(CapturedAudio(sampleRate: 1_000, channels: 1).frame(atNanoseconds: 1).isNaN)
    }

    @Test(
        "priorities as text",
        arguments: [
            (
                GrantedPriority(level: .realTime, value: 4), false,
                "real-time, priority 4, granted by the kernel"
            ),
            (.init(level: .high, value: -11), true, "high, nice value -11, granted by the kernel"),
            (.init(level: .high, value: -11), false, "high, nice value -11, granted by RealtimeKit"),
            (
                .init(level: .normal, value: 0), true,
                "normal, nice value 0: neither the kernel nor RealtimeKit granted more"
            ),
        ])
    func priorities(priority: GrantedPriority, isKernel: Bool, text: String) {
        expectEqual(priority.text(kernelGrantsHigh: isKernel), text)
    }
}
