// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import AQSessions
import CoreMedia
import Dispatch
import Synchronization

/// Passes the buffers of a recording to the delegate of its output.
///
/// ``take(_:_:_:)`` is called on the recording's thread. It never waits for the delegate.
final class CaptureDelivery: @unchecked Sendable {
    // SAFETY: constants and atomic counts; the connection and the output protect what is used here.

    /// A sample buffer on its way to the delegate's queue.
    private struct Item: @unchecked Sendable {
        // SAFETY: only the delegate's queue uses the buffer after it was made.
        let sample: CMSampleBuffer
        let queue: DispatchQueue
    }

    /// The buffers that may wait for the delegate's queue.
    private static let waitingLimit = 64

    private weak var output: AVCaptureAudioDataOutput?
    private let connection: AVCaptureConnection
    private let samples: CapturedSamples
    private let waiting = Atomic(0)

    init(_ connection: AVCaptureConnection, _ output: AVCaptureAudioDataOutput, _ samples: CapturedSamples) {
        self.connection = connection
        self.output = output
        self.samples = samples
    }

    /// Takes a buffer of the queue, copies it, and enqueues it again.
    func take(_ queue: InputQueue, _ buffer: QueueBuffer, _ info: InputBufferInfo) {
        defer {
            // Refused while the queue stops.
            try? queue.enqueue(buffer)
        }
        guard buffer.byteCount > 0 else { return }
        let isMuted = AudioSession.shared.settings.isInputMuted
        connection.levels.update(isMuted ? [] : queue.levels(), at: info.hostTime)
        guard connection.isEnabled, let output, let target = output.target else { return }
        guard waiting.load(ordering: .relaxed) < Self.waitingLimit else { return output.countDropped() }
        guard
            let sample = samples.makeSampleBuffer(buffer, hostTime: info.hostTime, isMuted: isMuted)
        else { return output.countDropped() }
        waiting.add(1, ordering: .relaxed)
        let item = Item(sample: sample, queue: target.queue)
        target.queue.async { [self] in deliver(item) }
    }

    /// Calls the delegate, unless it was replaced meanwhile. On the delegate's queue.
    private func deliver(_ item: Item) {
        waiting.subtract(1, ordering: .relaxed)
        guard let output, let target = output.target, target.queue === item.queue else { return }
        target.delegate.captureOutput(output, didOutput: item.sample, from: connection)
    }
}
