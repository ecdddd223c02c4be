// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes
import AQTestSupport

@testable import AudioQueues

/// A callback of an input queue, with a copy of the buffer's contents.
struct Recorded: Sendable {
    let buffer: QueueBuffer
    let bytes: [UInt8]
    let info: InputBufferInfo
}

/// An input queue on a manual source, with a record of its callbacks.
final class InputRig: Sendable {
    typealias Callback = @Sendable (InputQueue, QueueBuffer, InputBufferInfo) -> Void

    let device: ManualSource
    let queue: InputQueue
    let log: Seen<Recorded>

    /// - Parameters:
    ///   - context: What makes the callbacks; nil for the queue's thread.
    ///   - onBufferFilled: What to do in a callback, after it was recorded.
    init(
        format: AudioStreamBasicDescription = .signedInteger(bits: 16, channels: 1, sampleRate: 48000),
        configuration: InputQueue.Configuration = InputQueue.Configuration(),
        context: (any CallbackContext)? = nil,
        onBufferFilled: @escaping Callback = { _, _, _ in }
    ) throws {
        let log = Seen<Recorded>()
        self.log = log
        device = ManualSource()
        queue = try InputQueue(
            format: format, device: device, configuration: configuration, context: context
        ) { queue, buffer, info in
            let bytes = unsafe [UInt8](buffer.bytes.prefix(buffer.byteCount))
            log.add(Recorded(buffer: buffer, bytes: bytes, info: info))
            onBufferFilled(queue, buffer, info)
        }
    }

    /// Allocates and enqueues a buffer of a number of frames in the queue's format.
    @discardableResult
    func enqueue(frames: Int) throws -> QueueBuffer {
        let buffer = try queue.allocateBuffer(byteCapacity: frames * Int(queue.format.mBytesPerFrame))
        try queue.enqueue(buffer)
        return buffer
    }

    /// Captures samples equal to their index in the sequence.
    func capture(_ range: Range<Int>) { capture(samples: counting(range)) }

    func capture<Sample>(samples: [Sample]) {
        unsafe samples.withUnsafeBytes { unsafe device.capture($0) }
    }

    /// Starts, and captures the first frame, which is 0, so that the device runs.
    func startAndWait() throws {
        try queue.start()
        capture(0..<1)
        guard eventually({ queue.isRunning }) else { throw QueueError(.cannotStart) }
    }

    var recorded: [Int16] { log.all.flatMap { samples($0.bytes) } }

    func waitForCallbacks(_ callbacks: Int) -> Bool { eventually { log.all.count >= callbacks } }
}
