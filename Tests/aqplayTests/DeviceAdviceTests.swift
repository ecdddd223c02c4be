// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AudioQueues
import AQDeviceListing
import Testing

@Suite("Advice about devices")
struct DeviceAdviceTests {
    private static func advice(hasServer: Bool) -> DeviceAdvice {
        DeviceAdvice(
            purpose: "play", devices: "sinks", alternative: "do without", hasServer: { hasServer })
    }

    @Test("names the servers only if none answers")
    func server() {
        let failure = QueueError(.cannotStart, "cannot play on 'a': too many streams")
        expectEqual(Self.advice(hasServer: true).message(for: failure), failure.message)
        expectEqual(
            Self.advice(hasServer: false).message(for: failure),
            "cannot play on 'a': too many streams; start PulseAudio or PipeWire, or do without")
        expectEqual(
            Self.advice(hasServer: false).message(for: DeviceError(.noServer, "connection refused")),
            "cannot play: connection refused; start PulseAudio or PipeWire, or do without")
        expectEqual(
            Self.advice(hasServer: true).message(for: DeviceError(.refused, "access denied")),
            "cannot play: access denied")
    }

    @Test("names the list of devices for one that is not there")
    func device() {
        for hasServer in [false, true] {
            let advice = Self.advice(hasServer: hasServer)
            expectEqual(
                advice.message(for: QueueError(.invalidDevice, "cannot play on 'a': no such device")),
                "cannot play on 'a': no such device; '--list-devices' shows the sinks")
            expectEqual(
                advice.message(for: DeviceError(.noSuchDevice, "no such device")),
                "cannot play: no such device; '--list-devices' shows the sinks")
        }
    }

    @Test("a device without a description is named without a rate")
    func words() {
        var granted = GrantedLatency(
            targetFrames: 1, requestFrames: 1, measuredSeconds: 0, deviceName: "speakers",
            deviceSampleRate: 0,
            deviceChannels: 0)
        expectEqual(granted.deviceWords, "'speakers'")
        (granted.deviceSampleRate, granted.deviceChannels) = (44_100, 2)
        expectEqual(granted.deviceWords, "'speakers' (44100 Hz, 2 ch)")
    }
}
