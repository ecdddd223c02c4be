// SPDX-License-Identifier: MIT

import AudioQueues
import CAQAudioToolbox
import CoreAudioTypes
import Synchronization

/// The handle that a queue's callbacks receive, made after the queue and before the first callback.
final class QueueHandle: Sendable {
    private let bits = Atomic<UInt>(0)

    func set(_ handle: AudioQueueRef) {
        bits.store(UInt(bitPattern: handle), ordering: .releasing)
    }

    var handle: AudioQueueRef? { unsafe OpaquePointer(bitPattern: bits.load(ordering: .acquiring)) }
}

/// A client's function or block for a returned buffer.
@safe struct OutputCallback: @unchecked Sendable {
    // SAFETY: by its contract the client's code and data may be used on the threads of callbacks, one call at
    // a time.
    private let call: (AudioQueueRef, AudioQueueBufferRef) -> Void

    init(_ function: @escaping AudioQueueOutputCallback, _ userData: UnsafeMutableRawPointer?) {
        unsafe call = { queue, buffer in unsafe function(userData, queue, buffer) }
    }

    init(block: @escaping (AudioQueueRef, AudioQueueBufferRef) -> Void) { unsafe call = block }

    func callAsFunction(_ handle: QueueHandle, _ buffer: QueueBuffer) {
        guard let queue = unsafe handle.handle else { return }
        unsafe call(queue, buffer.pointer)
    }
}

/// A client's function or block for a buffer of recorded audio.
@safe struct InputCallback: @unchecked Sendable {
    // SAFETY: by its contract the client's code may be used on the threads of callbacks, one call at a time.

    typealias Call = (
        AudioQueueRef, AudioQueueBufferRef, UnsafePointer<AudioTimeStamp>, UInt32,
        UnsafePointer<AudioStreamPacketDescription>?
    ) -> Void

    private let call: Call

    init(_ function: @escaping AudioQueueInputCallback, _ userData: UnsafeMutableRawPointer?) {
        unsafe call = { queue, buffer, startTime, packets, descriptions in
            unsafe function(userData, queue, buffer, startTime, packets, descriptions)
        }
    }

    init(block: @escaping Call) { unsafe call = block }

    /// Calls the client's code with a filled buffer.
    ///
    /// COMPAT: the number of packets is also passed for formats without descriptions: recorders write this
    /// number.
    ///
    /// - Parameter isDescribed: Whether packets of the queue's format have descriptions. A buffer may have room
    ///   for descriptions of any format.
    func callAsFunction(
        _ handle: QueueHandle, _ buffer: QueueBuffer, _ info: InputBufferInfo, isDescribed: Bool
    ) {
        guard let queue = unsafe handle.handle else { return }
        let startTime = AudioTimeStamp(sampleTime: info.sampleTime, hostTime: info.hostTime)
        let descriptions =
            unsafe isDescribed && info.packetCount > 0 ? buffer.packetDescriptions.baseAddress : nil
        unsafe withUnsafePointer(to: startTime) { startTime in
            unsafe call(
                queue, buffer.pointer, startTime, UInt32(clamping: info.packetCount),
                descriptions.map { unsafe UnsafePointer($0) })
        }
    }
}
