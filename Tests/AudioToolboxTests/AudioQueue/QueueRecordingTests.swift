import AudioDevices
import CAudioToolbox
import CoreAudioTypes
import Testing
import TestSupport

@testable import AudioToolboxFunctions

/// Records an input callback.
private func recordInput(
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

/// Recording by the C functions, from a source that captures at full speed.
@Suite("Recording by AudioQueue.h") struct QueueRecordingTests {
    private func makeQueue(
        _ format: AudioStreamBasicDescription, _ record: CallbackRecord
    ) throws -> AudioQueueRef {
        var format = format
        var made: AudioQueueRef?
        let source = VirtualSource(ToneContent(), sampleRate: 32_000, channels: 1, pace: .asFastAsRoomAllows)
        let status = TestDevices.with(input: source) {
            unsafe audioQueueNewInput(&format, recordInput, record.userData, nil, nil, 0, &made)
        }
        guard status == noErr, let made = unsafe made else { throw StatusFailure(status: status) }
        return unsafe made
    }

    private func enqueue(bytes: UInt32, on queue: AudioQueueRef) throws -> AudioQueueBufferRef {
        var made: AudioQueueBufferRef?
        // Room for descriptions, which linear PCM does not use.
        let allocated = unsafe audioQueueAllocateBufferWithPacketDescriptions(queue, bytes, 4, &made)
        guard allocated == noErr, let buffer = unsafe made else { throw StatusFailure(status: allocated) }
        let enqueued = unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil)
        guard enqueued == noErr else { throw StatusFailure(status: enqueued) }
        return unsafe buffer
    }

    @Test("buffers are returned full, in order, with their times and packet counts")
    func recording() throws {
        let record = CallbackRecord()
        let queue = try unsafe makeQueue(QueueRig.mono, record)
        defer { _ = unsafe audioQueueDispose(queue, true) }
        for _ in 0..<3 { _ = try unsafe enqueue(bytes: 960, on: queue) }
        unsafe record.onCallback { queue, buffer in
            if record.count < 10 { _ = unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil) }
        }
        #expect(unsafe audioQueueStart(queue, nil) == noErr)
        #expect(eventually { record.count >= 10 })
        #expect(unsafe audioQueueStop(queue, true) == noErr)
        let full = record.all.prefix(10)
        #expect(full.map(\.packets) == Array(repeating: 480, count: 10))
        #expect(full.map(\.sampleTime) == (0..<10).map { Double($0 * 480) })
        #expect(Set(full.map(\.queue)) == [UInt(bitPattern: queue)])
        unsafe record.onCallback { _, _ in }
    }

    @Test("a buffer that waits to be filled cannot be enqueued again") func enqueuedTwice() throws {
        let record = CallbackRecord()
        let queue = try unsafe makeQueue(QueueRig.mono, record)
        defer { _ = unsafe audioQueueDispose(queue, true) }
        let buffer = try unsafe enqueue(bytes: 960, on: queue)
        #expect(unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil) == kAudioQueueErr_BufferEnqueuedTwice)
    }

    @Test("a sample rate of 0 means the device's, and can be read") func deviceRate() throws {
        var format = QueueRig.mono
        format.mSampleRate = 0
        let record = CallbackRecord()
        let queue = try unsafe makeQueue(format, record)
        defer { _ = unsafe audioQueueDispose(queue, true) }
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        let property = kAudioQueueProperty_StreamDescription
        #expect(unsafe audioQueueGetProperty(queue, property, &format, &size) == noErr)
        #expect(format.mSampleRate == 32_000)
    }

    @Test("output properties fail on an input queue") func playbackProperties() throws {
        let record = CallbackRecord()
        let queue = try unsafe makeQueue(QueueRig.mono, record)
        defer { _ = unsafe audioQueueDispose(queue, true) }
        var word: UInt32 = 4
        for property in [
            kAudioQueueProperty_EnableTimePitch, kAudioQueueProperty_TimePitchAlgorithm,
            kAudioQueueProperty_TimePitchBypass, kAudioQueueProperty_DecodeBufferSizeFrames,
        ] {
            let status = unsafe audioQueueGetPropertySize(queue, property, &word)
            #expect(status == kAudioQueueErr_InvalidQueueType)
        }
    }

    @Test("an input queue reports the converter's priming") func priming() throws {
        let record = CallbackRecord()
        let queue = try unsafe makeQueue(QueueRig.mono, record)
        defer { _ = unsafe audioQueueDispose(queue, true) }
        var info = AudioConverterPrimeInfo(leadingFrames: 9, trailingFrames: 9)
        var size: UInt32 = 8
        #expect(unsafe audioQueueGetProperty(queue, kAudioConverterPrimeInfo, &info, &size) == noErr)
        #expect(info.leadingFrames == 0 && info.trailingFrames == 0 && size == 8)
    }
}
