// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import AQSessions
import CoreAudioTypes
import Foundation

/// The recording of one connection, from its start to its stop.
final class CaptureRecording {
    private static let bufferFrames = 1024
    /// The buffers of the queue: about 170 ms at 48 kHz.
    private static let bufferCount = 8

    let connection: AVCaptureConnection
    /// The format of the buffers.
    let format: AudioStreamBasicDescription
    private let queue: InputQueue

    /// Starts to record. Waits until the device captures, at most a few seconds.
    ///
    /// - Parameter onFailure: Called if the recording fails later, on its thread; must not wait.
    /// - Throws: An error of the domain ``AVFoundationErrorDomain``.
    init(
        _ connection: AVCaptureConnection, _ output: AVCaptureAudioDataOutput,
        onFailure: @escaping @Sendable (NSError) -> Void
    ) throws {
        let device = connection.input.device.info
        let format = try CaptureFormat.description(output.requestedSettings, of: device)
        guard let samples = CapturedSamples(format) else {
            throw CaptureFailure.error(
                .outOfMemory, "cannot record from '\(device.description)': there is not enough memory")
        }
        self.connection = connection
        self.format = format
        do throws(QueueError) {
            let delivery = CaptureDelivery(connection, output, samples)
            queue = try Self.makeQueue(format, device) { delivery.take($0, $1, $2) }
            try Self.start(queue, format) { failure in
                onFailure(CaptureFailure.error(failure, of: device.description))
            }
        } catch {
            throw CaptureFailure.error(error, of: device.description)
        }
        connection.setRecording(true)
    }

    private static func makeQueue(
        _ format: AudioStreamBasicDescription, _ device: DeviceInfo,
        _ take: @escaping @Sendable (InputQueue, QueueBuffer, InputBufferInfo) -> Void
    ) throws(QueueError) -> InputQueue {
        let input: any InputDevice
        do throws(DeviceError) { input = try CaptureHardware.current.makeInput(device.name) } catch {
            throw QueueError(.invalidDevice, error.message)
        }
        return try InputQueue(
            format: format, device: input,
            configuration: InputQueue.Configuration(role: AudioSession.shared.settings.recordingRole),
            onBufferFilled: take)
    }

    /// Starts a queue, which is disposed of if it cannot start.
    private static func start(
        _ queue: InputQueue, _ format: AudioStreamBasicDescription,
        _ onFailure: @escaping @Sendable (QueueError) -> Void
    ) throws(QueueError) {
        do throws(QueueError) {
            queue.isMeteringEnabled = true
            try queue.addListener(for: .failure) { queue in
                if let failure = queue.failure { onFailure(failure) }
            }
            for _ in 0..<bufferCount {
                let bytes = bufferFrames * Int(format.mBytesPerFrame)
                try queue.enqueue(try queue.allocateBuffer(byteCapacity: bytes))
            }
            try queue.start()
            try queue.awaitStart()
        } catch {
            try? queue.dispose(immediate: true)
            throw error
        }
    }

    /// Whether the device or the server has disappeared, and not returned in time.
    var hasFailed: Bool { queue.failure != nil }

    /// Whether the format is the one that the output requests now.
    func isCurrent(for output: AVCaptureAudioDataOutput) -> Bool {
        let device = connection.input.device.info
        let wanted = try? CaptureFormat.description(output.requestedSettings, of: device)
        return wanted.map { $0.isSame(as: format) } ?? false
    }

    /// Delivers the audio captured before the call, and ends.
    func stop() {
        try? queue.stop(immediate: true)
        try? queue.dispose(immediate: true)
        connection.setRecording(false)
    }
}
