// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// A capture device controlled by the caller: nothing happens between two calls.
///
/// For tests. It never blocks. Calls may come from any thread, one at a time.
public final class ManualSource: InputDevice {
    public let name = "manual"
    private let sampleRate: Double
    private let channels: Int
    private let streams = Monitor<[SoftwareInputStream]>([])

    /// Makes a device with a native sample rate, in hertz, and a native number of channels. Streams may have another
    /// format.
    public init(sampleRate: Double = 48_000, channels: Int = 2) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    public func nativeFormat(
        timeoutSeconds: Double
    ) throws(DeviceError) -> (sampleRate: Double, channels: Int) {
        (sampleRate, channels)
    }

    public func makeStream(
        _ configuration: InputStreamConfiguration
    ) throws(DeviceError) -> any InputStream {
        try configuration.format.validate(channelNumbers: configuration.channelNumbers)
        let stream = SoftwareInputStream(
            configuration, deviceName: name, native: (sampleRate, channels), periodFrames: 0,
            hasThread: false)
        streams.withLock { streams in
            streams.removeAll { $0.isClosed }
            streams.append(stream)
        }
        return stream
    }

    /// Captures native-endian frames, in each stream's own encoding. Every running stream gets the same bytes.
    ///
    /// A partial frame at the end is dropped. The last frame is captured now.
    public func capture(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        for stream in open() {
            let frames = bytes.count / stream.format.bytesPerFrame
            unsafe stream.capture(base, frames: frames, hostTime: hostTime(stream, before: frames))
        }
    }

    /// Captures silent frames.
    public func captureSilence(frames: Int) { captureSilence(frames: frames, isHole: false) }

    /// Captures frames that the device has no data for: silence, counted as a hole.
    public func captureHole(frames: Int) { captureSilence(frames: frames, isHole: true) }

    /// The number of streams that are not closed.
    public var openStreams: Int { open().count }

    /// Disconnects the device from its running streams, like a server that dies.
    public func interrupt() { for stream in open() { stream.interrupt() } }

    /// Reconnects the device after `missingFrames` frames that were not captured. Its interrupted streams resume, with
    /// as many frames of silence.
    public func resume(missingFrames: Int) {
        for stream in open() { stream.resume(missingFrames: missingFrames) }
    }

    /// Makes every open stream fail.
    public func fail(_ error: DeviceError) { for stream in open() { stream.fail(error) } }

    private func captureSilence(frames: Int, isHole: Bool) {
        let frames = max(0, min(frames, 1 << 40))
        for stream in open() {
            unsafe stream.capture(
                nil, frames: frames, isHole: isHole, hostTime: hostTime(stream, before: frames))
        }
    }

    private func open() -> [SoftwareInputStream] {
        streams.withLock { streams in
            streams.removeAll { $0.isClosed }
            return streams
        }
    }

    /// The capture time of the first of `frames` frames, if the last is captured now.
    private func hostTime(_ stream: SoftwareInputStream, before frames: Int) -> UInt64 {
        let now = aq_host_time()
        let elapsed = UInt64(Double(frames) * 1e9 / stream.format.sampleRate)
        return now > elapsed ? now - elapsed : 0
    }
}
