// SPDX-License-Identifier: MIT

import Synchronization

/// A playback device controlled by the caller: time passes only when ``render(frames:)`` is called.
///
/// For tests and offline rendering. It never blocks, and returns the played audio to the caller.
public final class ManualDevice: OutputDevice {
    public let name = "manual"
    private let streams = Monitor<[SoftwareStream]>([])

    public init() {}

    public func makeStream(
        _ configuration: OutputStreamConfiguration
    ) throws(DeviceError) -> any OutputStream {
        try configuration.format.validate(channelNumbers: configuration.channelNumbers)
        let seconds =
            switch configuration.latency {
            case .seconds(let seconds): max(0, min(seconds, 10))
            case .buffers: 0.0
            }
        let stream = SoftwareStream(
            configuration, deviceName: name,
            requestFrames: max(1, Int(seconds * configuration.format.sampleRate)),
            hasClock: false)
        streams.withLock { streams in
            streams.removeAll { $0.isClosed }
            streams.append(stream)
        }
        return stream
    }

    /// Advances every open stream by `frames` frames, and returns the audio that each stream plays, oldest stream
    /// first.
    ///
    /// The audio consists of native-endian samples in the stream's encoding. It is silence if nothing was enqueued or
    /// the stream does not run. May be called from any thread, one call at a time.
    @discardableResult
    public func render(frames: Int) -> [[UInt8]] {
        let frames = max(0, frames)
        return open().map { stream in
            let bytes = frames * stream.format.bytesPerFrame
            var output = [UInt8](repeating: 0, count: bytes)
            unsafe output.withUnsafeMutableBytes { target in
                if let base = target.baseAddress { unsafe stream.advance(frames: frames, into: base) }
            }
            return output
        }
    }

    /// The number of streams that are not closed.
    public var openStreams: Int { open().count }

    /// Disconnects the device from its running streams, like a server that dies.
    public func interrupt() { for stream in open() { stream.interrupt() } }

    /// Reconnects the device: its interrupted streams resume.
    public func resume() { for stream in open() { stream.resume() } }

    /// Makes every open stream fail.
    public func fail(_ error: DeviceError) { for stream in open() { stream.fail(error) } }

    private func open() -> [SoftwareStream] {
        streams.withLock { streams in
            streams.removeAll { $0.isClosed }
            return streams
        }
    }
}
