// SPDX-License-Identifier: MIT

import Synchronization

@testable import AQDevices
@testable import AudioQueues

/// A broken source: it never answers, or cannot be used at all.
final class StubSource: InputDevice {
    let name = "stub"
    /// The result of ``nativeFormat(timeoutSeconds:)``.
    let native: Result<(sampleRate: Double, channels: Int), DeviceError>
    let streamError: DeviceError?
    private let isDeaf: Bool
    let streams = Monitor<[StubStream]>([])

    init(
        native: Result<(sampleRate: Double, channels: Int), DeviceError> = .success((48000, 2)),
        streamError: DeviceError? = nil, isDeaf: Bool = false
    ) {
        self.native = native
        self.isDeaf = isDeaf
        self.streamError = streamError
    }

    func nativeFormat(timeoutSeconds: Double) throws(DeviceError) -> (sampleRate: Double, channels: Int) {
        try native.get()
    }

    func makeStream(_ configuration: InputStreamConfiguration) throws(DeviceError) -> any InputStream {
        if let streamError { throw streamError }
        let stream = StubStream(configuration, isDeaf: isDeaf)
        streams.withLock { $0.append(stream) }
        return stream
    }
}

/// A stream that records its calls and answers none, except the last if `isDeaf` is false.
final class StubStream: InputStream {
    let feed = StreamFeed()
    let configuration: InputStreamConfiguration
    let calls = Seen<String>()
    let granted: GrantedLatency? = nil

    private let isDeaf: Bool

    init(_ configuration: InputStreamConfiguration, isDeaf: Bool) {
        self.configuration = configuration
        self.isDeaf = isDeaf
    }

    func start(fragmentFrames: Int) { calls.add("start \(fragmentFrames)") }
    func start(fragmentFrames: Int, atHostTime hostTime: UInt64) {
        calls.add("start \(fragmentFrames) at \(hostTime)")
    }
    func pause(ticket: UInt64) { calls.add("pause") }
    func stop(ticket: UInt64) { calls.add("stop") }
    func flush(ticket: UInt64) { calls.add("flush") }
    func reset(ticket: UInt64) { calls.add("reset") }
    func close(ticket: UInt64) {
        calls.add("close")
        if !isDeaf { feed.post(.closed, token: ticket) }
    }
    func roomAvailable() {}
    func setGain(_ gain: Float) { calls.add("gain \(gain)") }
    func setMetering(_ isOn: Bool) { calls.add("metering \(isOn)") }
    func setName(_ name: String?) { calls.add("name \(name ?? "of the program")") }
    func levels() -> [ChannelLevel] { [] }
    func position() -> CapturePosition { CapturePosition() }
}
