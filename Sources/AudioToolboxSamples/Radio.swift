// SPDX-License-Identifier: MIT

//  Plays a stream from standard input while it arrives: a parser finds the packets, a queue plays them.
//
//      curl -s http://example.org/radio.mp3 | Radio

import AudioToolbox
import Foundation

struct AudioError: Error, CustomStringConvertible {
    let status: OSStatus
    let operation: String
    var description: String { "cannot \(operation)" + (status == noErr ? "" : " (error \(status))") }
}

func check(_ status: OSStatus, _ operation: String) throws {
    if status != noErr { throw AudioError(status: status, operation: operation) }
}

/// A stream, from its bytes to the queue.
///
/// The thread that calls ``feed(_:)`` parses, and fills buffers. While all buffers are enqueued it waits, so a
/// stream that is faster than playback is paused at its source. The queue's thread returns buffers.
final class Radio {
    private static let bufferCount = 8
    private static let buffersBeforeStart = 3
    private static let smallestBuffer: UInt32 = 0x4000
    private static let packetsPerBuffer: UInt32 = 256

    // Used by the feeding thread alone.
    private var parser: AudioFileStreamID?
    private var queue: AudioQueueRef?
    private var format = AudioStreamBasicDescription()
    private var filling: AudioQueueBufferRef?
    private var enqueuedBuffers = 0
    private var failure: (any Error)?

    // Shared with the queue's thread, under the condition's lock.
    private let condition = NSCondition()
    private var idle: [AudioQueueBufferRef] = []
    private var hasEnded = false

    // MARK: The stream

    /// - Parameter type: The file type of the stream, if it is known; 0 to detect the type.
    init(type: AudioFileTypeID = 0) throws {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(AudioFileStreamOpen(context, propertyFound, packetsFound, type, &parser), "make a parser")
    }

    /// Parses the stream's next bytes, and returns when there is room for more bytes.
    func feed(_ data: Data) throws {
        guard let parser else { return }
        let status = data.withUnsafeBytes { bytes in
            AudioFileStreamParseBytes(parser, UInt32(bytes.count), bytes.baseAddress, [])
        }
        if let failure { throw failure }
        try check(status, "make sense of the stream")
    }

    /// Plays the remaining audio, and returns after the last frame.
    func finish() throws {
        guard let parser else { return }
        AudioFileStreamParseBytes(parser, 0, nil, [])  // the last packet may have waited for its successor
        if let failure { throw failure }
        guard let queue else { throw AudioError(status: noErr, operation: "find audio in the stream") }
        try enqueueFilled()
        guard enqueuedBuffers > 0 else { return }
        if enqueuedBuffers < Self.buffersBeforeStart { try check(AudioQueueStart(queue, nil), "start") }
        try check(AudioQueueStop(queue, false), "stop")
        condition.lock()
        while !hasEnded { condition.wait() }
        condition.unlock()
    }

    /// Ends the queue and the parser. No callback runs after the return.
    func close() {
        if let queue { AudioQueueDispose(queue, true) }
        if let parser { AudioFileStreamClose(parser) }
        (queue, parser) = (nil, nil)
    }

    // MARK: Properties and packets

    fileprivate func found(_ property: AudioFileStreamPropertyID) {
        guard property == kAudioFileStreamProperty_ReadyToProducePackets else { return }
        do { try makeQueue() } catch { failure = error }
    }

    fileprivate func found(
        _ bytes: UnsafeRawBufferPointer, _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>
    ) {
        guard failure == nil else { return }
        do {
            if descriptions.isEmpty { try appendPackets(bytes) }
            for description in descriptions {
                let start = Int(description.mStartOffset)
                let end = start + Int(description.mDataByteSize)
                try append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), description)
            }
        } catch {
            failure = error
        }
    }

    /// Makes the queue and its buffers when all properties of the stream are known.
    private func makeQueue() throws {
        guard let parser, queue == nil else { return }
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        try check(
            AudioFileStreamGetProperty(parser, kAudioFileStreamProperty_DataFormat, &size, &format),
            "read the stream's format")
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(AudioQueueNewOutput(&format, bufferDone, context, nil, nil, 0, &queue), "play this format")
        guard let queue else { return }
        try check(
            AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, runningChanged, context),
            "listen to the queue")

        let cookieID = kAudioFileStreamProperty_MagicCookieData
        if AudioFileStreamGetPropertyInfo(parser, cookieID, &size, nil) == noErr, size > 0 {
            var cookie = [UInt8](repeating: 0, count: Int(size))
            try check(AudioFileStreamGetProperty(parser, cookieID, &size, &cookie), "read the cookie")
            try check(
                AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, size), "use the cookie")
        }

        var largestPacket: UInt32 = 0  // remains 0 if the stream does not state it
        size = UInt32(MemoryLayout<UInt32>.size)
        AudioFileStreamGetProperty(
            parser, kAudioFileStreamProperty_PacketSizeUpperBound, &size, &largestPacket)
        for _ in 0..<Self.bufferCount {
            var buffer: AudioQueueBufferRef?
            let bytes = max(Self.smallestBuffer, largestPacket)
            try check(
                AudioQueueAllocateBufferWithPacketDescriptions(queue, bytes, Self.packetsPerBuffer, &buffer),
                "allocate a buffer")
            if let buffer { idle.append(buffer) }
        }
    }

    // MARK: Buffers

    /// Appends a packet with its description, which counts from the start of the buffer.
    private func append(
        _ packet: UnsafeRawBufferPointer, _ description: AudioStreamPacketDescription
    ) throws {
        let buffer = try bufferWithRoom(forBytes: packet.count)
        let index = buffer.pointee.mPacketDescriptionCount
        buffer.pointee.mPacketDescriptions?[Int(index)] = AudioStreamPacketDescription(
            mStartOffset: Int64(buffer.pointee.mAudioDataByteSize),
            mVariableFramesInPacket: description.mVariableFramesInPacket,
            mDataByteSize: UInt32(packet.count))
        buffer.pointee.mPacketDescriptionCount = index + 1
        copy(packet, to: buffer)
    }

    /// Appends packets of one size, as many at a time as fit.
    private func appendPackets(_ bytes: UnsafeRawBufferPointer) throws {
        let packetBytes = max(1, Int(format.mBytesPerPacket))
        var rest = bytes[...]
        while rest.count >= packetBytes {
            let buffer = try bufferWithRoom(forBytes: packetBytes)
            let room = Int(buffer.pointee.mAudioDataBytesCapacity - buffer.pointee.mAudioDataByteSize)
            let part = rest.prefix(min(rest.count, room) / packetBytes * packetBytes)
            copy(UnsafeRawBufferPointer(rebasing: part), to: buffer)
            rest = rest.dropFirst(part.count)
        }
    }

    private func copy(_ bytes: UnsafeRawBufferPointer, to buffer: AudioQueueBufferRef) {
        guard let source = bytes.baseAddress else { return }
        let end = buffer.pointee.mAudioData + Int(buffer.pointee.mAudioDataByteSize)
        end.copyMemory(from: source, byteCount: bytes.count)
        buffer.pointee.mAudioDataByteSize += UInt32(bytes.count)
    }

    /// The buffer being filled, or else the next one that the queue returns.
    private func bufferWithRoom(forBytes bytes: Int) throws -> AudioQueueBufferRef {
        if let buffer = filling {
            let room = buffer.pointee.mAudioDataBytesCapacity - buffer.pointee.mAudioDataByteSize
            let capacity = buffer.pointee.mPacketDescriptionCapacity
            if bytes <= Int(room), buffer.pointee.mPacketDescriptionCount < capacity { return buffer }
            try enqueueFilled()
        }
        condition.lock()
        defer { condition.unlock() }
        while idle.isEmpty, !hasEnded { condition.wait() }
        guard !hasEnded else {  // for example, the sound server died and did not return
            throw AudioError(status: kAudioQueueErr_QueueInvalidated, operation: "go on playing")
        }
        let buffer = idle.removeFirst()
        buffer.pointee.mAudioDataByteSize = 0
        buffer.pointee.mPacketDescriptionCount = 0
        filling = buffer
        guard bytes <= Int(buffer.pointee.mAudioDataBytesCapacity) else {
            throw AudioError(status: kAudio_ParamError, operation: "hold a packet of \(bytes) bytes")
        }
        return buffer
    }

    /// Enqueues the buffer being filled, and starts the queue when enough buffers are enqueued.
    private func enqueueFilled() throws {
        guard let queue, let buffer = filling, buffer.pointee.mAudioDataByteSize > 0 else { return }
        filling = nil
        try check(AudioQueueEnqueueBuffer(queue, buffer, 0, nil), "enqueue a buffer")
        enqueuedBuffers += 1
        if enqueuedBuffers == Self.buffersBeforeStart { try check(AudioQueueStart(queue, nil), "start") }
    }

    // MARK: Callbacks of the queue, on its thread

    fileprivate func isDone(with buffer: AudioQueueBufferRef) {
        condition.lock()
        idle.append(buffer)
        condition.signal()
        condition.unlock()
    }

    fileprivate func queueHasEnded() {
        condition.lock()
        hasEnded = true
        condition.signal()
        condition.unlock()
    }
}

// MARK: Callbacks

private func stream(_ context: UnsafeMutableRawPointer) -> Radio {
    Unmanaged<Radio>.fromOpaque(context).takeUnretainedValue()
}

private func propertyFound(
    context: UnsafeMutableRawPointer, parser: AudioFileStreamID, property: AudioFileStreamPropertyID,
    flags: UnsafeMutablePointer<AudioFileStreamPropertyFlags>
) {
    stream(context).found(property)
}

private func packetsFound(
    context: UnsafeMutableRawPointer, byteCount: UInt32, packetCount: UInt32, bytes: UnsafeRawPointer,
    descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
) {
    stream(context).found(
        UnsafeRawBufferPointer(start: bytes, count: Int(byteCount)),
        UnsafeBufferPointer(start: descriptions, count: descriptions == nil ? 0 : Int(packetCount)))
}

private func bufferDone(
    context: UnsafeMutableRawPointer?, queue: AudioQueueRef, buffer: AudioQueueBufferRef
) {
    if let context { stream(context).isDone(with: buffer) }
}

private func runningChanged(
    context: UnsafeMutableRawPointer?, queue: AudioQueueRef, property: AudioQueuePropertyID
) {
    var isRunning: UInt32 = 0
    var size = UInt32(MemoryLayout<UInt32>.size)
    AudioQueueGetProperty(queue, property, &isRunning, &size)
    if let context, isRunning == 0 { stream(context).queueHasEnded() }
}

// MARK: The program

do {
    let radio = try Radio()
    defer { radio.close() }
    while case let data = FileHandle.standardInput.availableData, !data.isEmpty { try radio.feed(data) }
    try radio.finish()
} catch {
    FileHandle.standardError.write(Data("Radio: \(error)\n".utf8))
    exit(1)
}
