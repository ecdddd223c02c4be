// SPDX-License-Identifier: MIT

import Testing

@testable import AQDevices

@Suite struct VirtualDeviceTests {
    @Test("the virtual device plays at the pace of its rate", .timeLimit(.minutes(20)))
    func pace() throws {
        let device = VirtualDevice()
        let format = SampleFormat(encoding: .unsigned8, sampleRate: 8000, channelLabels: [42])
        let stream = try device.makeStream(OutputStreamConfiguration(format: format))
        #expect(stream.feed.enqueue(unsafe StreamSegment(base: nil, byteCount: 2400, token: 0)))
        let clock = ContinuousClock()
        let begin = clock.now
        stream.start()
        stream.drain(ticket: 3)
        var isDrained = false
        while !isDrained {
            stream.feed.waitForEvent()
            while let event = stream.feed.nextEvent() { isDrained = isDrained || event.kind == .drained }
        }
        let elapsed = clock.now - begin
        stream.close(ticket: 4)
        // 300 ms of frames, of which the device is one period ahead; a busy machine may be late.
        #expect(elapsed > .milliseconds(270))
        #expect(elapsed < .seconds(5))
    }
}
