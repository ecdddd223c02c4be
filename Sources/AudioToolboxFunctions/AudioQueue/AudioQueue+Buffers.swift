import AudioQueues
public import CAudioToolbox
import CoreAudioTypes

/// Allocates a buffer.
///
/// - Returns: `kAudio_ParamError` for 0 bytes, or more than 2^30.
///
/// The corresponding C function is `AudioQueueAllocateBuffer`.
@_cdecl("AudioQueueAllocateBuffer")
public func audioQueueAllocateBuffer(
    _ queue: AudioQueueRef?, _ byteCapacity: UInt32, _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>?
) -> OSStatus {
    unsafe audioQueueAllocateBufferWithPacketDescriptions(queue, byteCapacity, 0, outBuffer)
}

/// Allocates a buffer with room for packet descriptions.
///
/// - Returns: `kAudio_ParamError` for 0 bytes, or more than 2^30, or for more than 2^24 descriptions.
///
/// The corresponding C function is `AudioQueueAllocateBufferWithPacketDescriptions`.
@_cdecl("AudioQueueAllocateBufferWithPacketDescriptions")
public func audioQueueAllocateBufferWithPacketDescriptions(
    _ queue: AudioQueueRef?, _ byteCapacity: UInt32, _ packetDescriptionCapacity: UInt32,
    _ outBuffer: UnsafeMutablePointer<AudioQueueBufferRef?>?
) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        guard let outBuffer = unsafe outBuffer else {
            throw QueueError(.invalidArgument, "cannot allocate a buffer without a place to put it")
        }
        let buffer = try object.engine.allocateBuffer(
            byteCapacity: Int(byteCapacity), packetDescriptionCapacity: Int(packetDescriptionCapacity))
        unsafe outBuffer.pointee = buffer.pointer
    }
}

/// Frees a buffer that is not enqueued, whatever the queue does.
///
/// - Returns: `kAudioQueueErr_BufferInQueue` for one that is enqueued, `kAudioQueueErr_InvalidBuffer` for one of
///   another queue, `kAudio_ParamError` for NULL.
///
/// The corresponding C function is `AudioQueueFreeBuffer`.
@_cdecl("AudioQueueFreeBuffer")
public func audioQueueFreeBuffer(_ queue: AudioQueueRef?, _ buffer: AudioQueueBufferRef?) -> OSStatus {
    unsafe callQueue(queue) { (object: AudioQueueObject) throws(QueueError) in
        try object.engine.free(unsafe queueBuffer(buffer))
    }
}

/// Appends a buffer to those that are to be played or filled.
///
/// - Parameters:
///   - packetDescriptionCount: 0 for the descriptions in the buffer.
///   - packetDescriptions: Copied. Of no consequence to formats of constant packets, and to recording.
/// - Returns: `kAudioQueueErr_BufferEmpty`, `kAudioQueueErr_InvalidBuffer`, `kAudioQueueErr_BufferInQueue`, or of a
///   queue that records `kAudioQueueErr_BufferEnqueuedTwice`; `kAudioQueueErr_EnqueueDuringReset` while the queue is reset
///   or stops; `kAudio_ParamError` for data that is no whole number of packets, and descriptions that are missing or
///   lie outside the data.
///
/// The corresponding C function is `AudioQueueEnqueueBuffer`.
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

/// Appends a buffer to those that are to be played: trimmed, with parameters that change with it, at a time.
///
/// - Parameters:
///   - trimFramesAtStart: Frames at the buffer's start that are not heard; likewise at its end.
///   - parameters: Hold from the buffer's first frame on.
///   - startTime: Where on the queue's timeline the first frame lies that is heard: its sample time counts. NULL for
///     right behind the buffer before.
///   - outActualStartTime: Where it will lie, as far as is known; no flag is set when it is not. May be NULL.
/// - Returns: As ``audioQueueEnqueueBuffer(_:_:_:_:)``; `kAudioQueueErr_InvalidQueueType` for a queue that records;
///   `kAudioQueueErr_InvalidParameter`; `kAudio_ParamError` for a time stamp whose sample time is not valid, or that is
///   before an earlier buffer's.
///
/// The corresponding C function is `AudioQueueEnqueueBufferWithParameters`.
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
            guard startFrames != nil else {
                throw QueueError(.invalidArgument, "cannot enqueue a buffer for a time without a sample time")
            }
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

/// The engine's name of a buffer; whether it is one of the queue's, the engine finds out by its address alone.
func queueBuffer(_ buffer: AudioQueueBufferRef?) throws(QueueError) -> QueueBuffer {
    guard let buffer = unsafe buffer else {
        throw QueueError(.invalidArgument, "cannot use NULL for a buffer")
    }
    return unsafe QueueBuffer(buffer)
}

/// The packet descriptions beside a buffer; nil for those in it.
///
/// COMPAT: descriptions of packets of constant size are passed over.
private func explicitDescriptions(
    _ descriptions: UnsafePointer<AudioStreamPacketDescription>?, _ count: UInt32,
    of format: AudioStreamBasicDescription
) throws(QueueError) -> UnsafeBufferPointer<AudioStreamPacketDescription>? {
    guard count > 0, !format.hasConstantPacketSize else { return nil }
    guard count <= 1 << 24 else {
        throw QueueError(.invalidArgument, "cannot read \(count) packet descriptions")
    }
    guard let descriptions = unsafe descriptions else {
        throw QueueError(.invalidArgument, "cannot read \(count) packet descriptions from NULL")
    }
    return unsafe UnsafeBufferPointer(start: descriptions, count: Int(count))
}

private func queueParameters(
    _ events: UnsafePointer<AudioQueueParameterEvent>?, _ count: UInt32
) throws(QueueError) -> [QueueParameter] {
    guard count > 0 else { return [] }
    guard count <= 1 << 16 else { throw QueueError(.invalidArgument, "cannot read \(count) parameters") }
    guard let events = unsafe events else {
        throw QueueError(.invalidArgument, "cannot read \(count) parameters from NULL")
    }
    var parameters: [QueueParameter] = []
    for index in 0..<Int(count) {
        let event = unsafe events[index]
        parameters.append(try QueueParameter(event.mID, event.mValue))
    }
    return parameters
}
