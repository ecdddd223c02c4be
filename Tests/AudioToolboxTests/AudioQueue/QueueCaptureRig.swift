// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox
import CoreAudioTypes

@testable import AQToolboxFunctions

/// A queue of the C functions that records a known sequence from a device of 32 kHz as fast as it can.
@safe final class QueueCaptureRig {
    let record = CallbackRecord()
    let queue: AudioQueueRef

    convenience init(format: AudioStreamBasicDescription = QueueRig.mono) throws {
        var format = format
        try unsafe self.init { (record: CallbackRecord, made: inout AudioQueueRef?) -> OSStatus in
            unsafe audioQueueNewInput(&format, recordCapture, record.userData, nil, nil, 0, &made)
        }
    }

    /// Takes a queue that is made in another way.
    ///
    /// - Parameter make: Calls one of the functions that make queues, with the record as its user data.
    init(_ make: (_ record: CallbackRecord, _ made: inout AudioQueueRef?) -> OSStatus) throws {
        var made: AudioQueueRef?
        let record = record
        let status = TestDevices.with(input: QueueCaptureRig.makeSource()) { unsafe make(record, &made) }
        guard status == noErr, let made = unsafe made else { throw StatusFailure(status: status) }
        unsafe queue = made
    }

    deinit { _ = unsafe audioQueueDispose(queue, true) }

    private static func makeSource() -> VirtualSource {
        VirtualSource(SequenceContent(), sampleRate: 32_000, channels: 1, pace: .asFastAsRoomAllows)
    }

    /// Allocates and enqueues a buffer to fill, with room for descriptions, which linear PCM does not use.
    func enqueue(bytes: Int) throws {
        var made: AudioQueueBufferRef?
        let allocated = unsafe audioQueueAllocateBufferWithPacketDescriptions(queue, UInt32(bytes), 4, &made)
        guard allocated == noErr, let buffer = unsafe made else { throw StatusFailure(status: allocated) }
        let enqueued = unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil)
        guard enqueued == noErr else { throw StatusFailure(status: enqueued) }
    }

    func start() throws {
        let status = unsafe audioQueueStart(queue, nil)
        guard status == noErr else { throw StatusFailure(status: status) }
    }
}

/// Records an input callback.
func recordCapture(
    _ userData: UnsafeMutableRawPointer?, _ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef,
    _ startTime: UnsafePointer<AudioTimeStamp>, _ packets: UInt32,
    _ descriptions: UnsafePointer<AudioStreamPacketDescription>?
) {
    let record = unsafe CallbackRecord.of(userData)
    let call = unsafe CallbackRecord.Call(
        queue: UInt(bitPattern: queue), buffer: UInt(bitPattern: buffer), packets: packets,
        sampleTime: startTime.pointee.validSampleTime ?? -1)
    // Linear PCM has none, whatever the buffer has room for.
    if unsafe descriptions == nil { record?.add(call) }
    unsafe record?.act(queue, buffer)
}

/// The samples of a buffer.
func bufferContents<Sample: BitwiseCopyable>(
    _ buffer: AudioQueueBufferRef, as type: Sample.Type
) -> [Sample] {
    let byteCount = unsafe Int(buffer.pointee.mAudioDataByteSize)
    let data = unsafe UnsafeRawBufferPointer(start: buffer.pointee.mAudioData, count: byteCount)
    return unsafe samples(type, Array(data))
}
