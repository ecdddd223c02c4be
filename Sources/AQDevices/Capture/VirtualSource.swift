// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// A device that captures content made by the program, for tests and machines without a microphone.
///
/// Every stream has its own thread, which sleeps while the stream is stopped and ends when the stream is closed.
public final class VirtualSource: InputDevice {
    /// The rate at which frames are captured.
    public enum Pace: Sendable {
        /// Captures at the sample rate, like a microphone, even if there is no room.
        case realTime
        /// Captures at full speed; waits for segments, so no frame is lost.
        case asFastAsRoomAllows
    }

    /// The interval at which frames are delivered in real time, in seconds, unless longer fragments are requested.
    public static let periodSeconds = 0.01

    public let name = "virtual"
    private let content: any CaptureContent
    private let sampleRate: Double
    private let channels: Int
    private let pace: Pace

    /// - Parameters:
    ///   - content: The audio to capture. Each stream starts at its beginning.
    ///   - sampleRate: The native rate, in hertz; streams may have another.
    ///   - channels: The native number of channels.
    ///   - pace: The rate at which frames are captured.
    public init(
        _ content: any CaptureContent = SilentContent(), sampleRate: Double = 48_000, channels: Int = 2,
        pace: Pace = .realTime
    ) {
        self.content = content
        self.sampleRate = sampleRate
        self.channels = channels
        self.pace = pace
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
        let isRealTime = pace == .realTime
        let period = VirtualSource.periodSeconds * configuration.format.sampleRate
        let stream = SoftwareInputStream(
            configuration, deviceName: name, native: (sampleRate, channels),
            periodFrames: isRealTime ? max(1, Int(period)) : 0,
            hasThread: true)
        let content = self.content
        let status = DetachedThread.start(named: "aq virtual in") {
            let generator = ContentGenerator(content, format: stream.format)
            if isRealTime {
                VirtualSource.captureAtItsPace(stream, generator)
            } else {
                VirtualSource.captureAtSpeed(stream, generator)
            }
        }
        guard status == 0 else {
            throw DeviceError(.refused, "cannot start the virtual source's thread: error \(status)")
        }
        return stream
    }

    /// The thread of a stream that captures in real time.
    private static func captureAtItsPace(_ stream: SoftwareInputStream, _ generator: ContentGenerator) {
        let rate = stream.format.sampleRate
        /// The time of the last start or resume, and the frames captured since.
        var startTime: UInt64 = 0
        var doneFrames = 0
        /// Captures the frames due at `now`.
        func catchUp(to now: UInt64, from frame: Int64) {
            let due = Int(Double(now > startTime ? now - startTime : 0) * rate / 1e9)
            var frame = frame
            while doneFrames < due {
                let frames = min(due - doneFrames, generator.chunkFrames)
                let hostTime = startTime + UInt64(Double(doneFrames) * 1e9 / rate)
                unsafe stream.capture(
                    generator.data(fromFrame: frame, frames: frames), frames: frames, hostTime: hostTime)
                doneFrames += frames
                frame += Int64(frames)
            }
        }
        var moment = stream.moment
        while !moment.isClosed {
            var deadline = UInt64.max
            if moment.isRunning {
                // Deadlines are counted from the start, so that delays do not add up.
                let nextFrames = Double(doneFrames + moment.fragmentFrames)
                deadline = startTime + UInt64((nextFrames * 1e9 / rate).rounded(.up))
            }
            moment = stream.wait(until: deadline, forRoom: false)
            // Frames are also captured before a call is carried out, so that the frames up to the call are kept.
            if moment.isRunning { catchUp(to: aq_host_time(), from: moment.frame) }
            if moment.hasCommand {
                let wasRunning = moment.isRunning
                stream.carryOutCommand()
                moment = stream.moment
                if moment.isRunning && !wasRunning {
                    startTime = max(aq_host_time(), moment.startHostTime)
                    doneFrames = 0
                }
            }
        }
    }

    /// The thread of a stream that captures as fast as there is room.
    private static func captureAtSpeed(_ stream: SoftwareInputStream, _ generator: ContentGenerator) {
        var moment = stream.moment
        while !moment.isClosed {
            let isWaiting = moment.isRunning && moment.startHostTime > aq_host_time()
            moment = stream.wait(until: isWaiting ? moment.startHostTime : .max, forRoom: !isWaiting)
            if moment.hasCommand {
                stream.carryOutCommand()
                moment = stream.moment
            } else if moment.isRunning {
                let (data, frames) = unsafe generator.available(fromFrame: moment.frame)
                _ = unsafe stream.captureFitting(
                    data, frames: frames, fromFrame: moment.frame, hostTime: aq_host_time())
            }
        }
    }
}
