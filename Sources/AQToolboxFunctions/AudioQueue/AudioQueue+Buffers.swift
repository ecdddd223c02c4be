// SPDX-License-Identifier: MIT

import AudioQueues
public import CAQAudioToolbox
import CoreAudioTypes

/// Allocates a buffer.
///
/// - Returns: `kAudio_ParamError` for NULL, for 0 bytes, and for more than 2^30; `kAudio_MemFullError`.
@_cdecl("AudioQueueAllocateBuffer")
public func audioQueueAllocateBuffer(
    _ queue: AudioQueueRef?, _ byteCapacity: UInt32, _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>?
) -> OSStatus {
    unsafe audioQueueAllocateBufferWithPacketDescriptions(queue, byteCapacity, 0, outBuffer)
}

/// Allocates a buffer with room for packet descriptions.
///
/// - Returns: `kAudio_ParamError` for NULL, for 0 bytes or more than 2^30, and for more than 2^24 descriptions;
///   `kAudio_MemFullError`.
@_cdecl("AudioQueueAllocateBufferWithPacketDescriptions")
public func audioQueueAllocateBufferWithPacketDescriptions(
    _ queue: AudioQueueRef?, _ byteCapacity: UInt32, _ packetDescriptionCapacity: UInt32,
    _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let outBuffer = unsafe outBuffer else { throw QueueError(.invalidArgument) }
        let buffer = try object.engine.allocateBuffer(
            byteCapacity: Int(byteCapacity), packetDescriptionCapacity: Int(packetDescriptionCapacity))
        unsafe outBuffer.pointee = buffer.pointer
    }
}

/// Frees a buffer that is not enqueued, in any state of the queue.
///
/// - Returns: `kAudioQueueErr_BufferInQueue` if the buffer is enqueued, or its callback is still to come;
///   `kAudioQueueErr_InvalidBuffer` if this queue did not allocate it; `kAudio_ParamError` for NULL.
@_cdecl("AudioQueueFreeBuffer")
public func audioQueueFreeBuffer(_ queue: AudioQueueRef?, _ buffer: AudioQueueBufferRef?) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        try object.engine.free(unsafe queueBuffer(buffer))
    }
}

/// Appends a buffer to the enqueued ones.
///
/// - Parameters:
///   - packetDescriptionCount: 0 to use the descriptions in the buffer.
///   - packetDescriptions: Copied. Ignored for formats with a constant packet size, and for recording.
/// - Returns: `kAudioQueueErr_InvalidBuffer`; `kAudioQueueErr_EnqueueDuringReset` while the queue is reset or stops.
///   For playback: `kAudioQueueErr_BufferEmpty`, `kAudioQueueErr_BufferInQueue`; `kAudio_ParamError` for data that
///   exceeds the buffer or is not a whole number of packets, and for descriptions that are missing or exceed the data.
///   For recording: `kAudioQueueErr_BufferEnqueuedTwice`; `kAudio_ParamError` for a buffer that is too small for a
///   packet.
@_cdecl("AudioQueueEnqueueBuffer")
public func audioQueueEnqueueBuffer(
    _ queue: AudioQueueRef?, _ buffer: AudioQueueBufferRef?, _ packetDescriptionCount: UInt32,
    _ packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        let buffer = try unsafe queueBuffer(buffer)
        switch object.direction {
        case .output(let output):
            try unsafe output.enqueue(
                buffer,
                packetDescriptions: explicitDescriptions(
                    packetDescriptions, packetDescriptionCount, of: output.format))
        case .input(let input): try input.enqueue(buffer)
        }
    }
}

/// Appends a buffer to the enqueued ones, with trims, changes of parameters, and a start time.
///
/// - Parameters:
///   - trimFramesAtStart: The number of frames at the buffer's start that are not played; likewise at its end.
///   - parameters: The changes, which take effect at the buffer's first audible frame; a ramp time applies to the
///     volumes that are set after it, also by other calls.
///   - startTime: The position of the first audible frame on the queue's timeline, as a sample time. NULL for directly
///     after the previous buffer.
///   - outActualStartTime: Receives the expected position of that frame; no flag is set if the position is unknown. May
///     be NULL.
/// - Returns: As ``audioQueueEnqueueBuffer(_:_:_:_:)``; `kAudioQueueErr_InvalidQueueType` for a queue that records;
///   `kAudioQueueErr_InvalidParameter`; `kAudio_ParamError` also for a time stamp whose sample time is not valid, or
///   that is before an earlier buffer's, and for a trim at the end of packets of unknown length.
@_cdecl("AudioQueueEnqueueBufferWithParameters")
public func audioQueueEnqueueBufferWithParameters(
    _ queue: AudioQueueRef?, _ buffer: AudioQueueBufferRef?, _ packetDescriptionCount: UInt32,
    _ packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?, _ trimFramesAtStart: UInt32,
    _ trimFramesAtEnd: UInt32, _ parameterCount: UInt32,
    _ parameters: UnsafePointer<AudioQueueParameterEvent>?, _ startTime: UnsafePointer<AudioTimeStamp>?,
    _ outActualStartTime: UnsafeMutablePointer<AudioTimeStamp>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        let output = try object.output()
        var startFrames: Double?
        if let startTime = unsafe startTime {
            startFrames = unsafe startTime.pointee.validSampleTime
            guard startFrames != nil else { throw QueueError(.invalidArgument) }
        }
        let actual = try unsafe output.enqueue(
            queueBuffer(buffer),
            packetDescriptions: explicitDescriptions(
                packetDescriptions, packetDescriptionCount, of: output.format),
            trimFramesAtStart: Int(trimFramesAtStart), trimFramesAtEnd: Int(trimFramesAtEnd),
            events: object.events(of: queueParameters(parameters, parameterCount)), startFrames: startFrames)
        unsafe outActualStartTime?.pointee = AudioTimeStamp(sampleTime: actual, hostTime: nil)
    }
}

/// Returns the engine's form of a buffer. The engine checks the address, not the memory, to find whether the
/// buffer belongs to the queue.
func queueBuffer(_ buffer: AudioQueueBufferRef?) throws(QueueError) -> QueueBuffer {
    guard let buffer = unsafe buffer else { throw QueueError(.invalidArgument) }
    return unsafe QueueBuffer(buffer)
}

/// The packet descriptions passed with a buffer; nil to use the descriptions in the buffer.
///
/// COMPAT: descriptions are ignored for formats with a constant packet size.
private func explicitDescriptions(
    _ descriptions: UnsafePointer<AudioStreamPacketDescription>?, _ count: UInt32,
    of format: AudioStreamBasicDescription
) throws(QueueError) -> UnsafeBufferPointer<AudioStreamPacketDescription>? {
    guard count > 0, !format.hasConstantPacketSize else { return nil }
    guard count <= 1 << 24, let descriptions = unsafe descriptions else { throw QueueError(.invalidArgument) }
    return unsafe UnsafeBufferPointer(start: descriptions, count: Int(count))
}

private func queueParameters(
    _ events: UnsafePointer<AudioQueueParameterEvent>?, _ count: UInt32
) throws(QueueError) -> [QueueParameter] {
    guard count > 0 else { return [] }
    guard count <= 1 << 16, let events = unsafe events else { throw QueueError(.invalidArgument) }
    return try (0..<Int(count)).map { (index) throws(QueueError) -> QueueParameter in
        try QueueParameter(unsafe events[index].mID, unsafe events[index].mValue)
    }
}
