// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CAQAudioToolbox
import CAQRealTime
import CoreAudioTypes
import Glibc
import AQTestSupport

@testable import AQToolboxFunctions

/// The devices of the tests' queues: never those of a server.
enum TestDevices {
    private struct Next {
        var output: any OutputDevice = VirtualDevice()
        var input: any InputDevice = VirtualSource()
    }

    private static let next = Monitor(Next())
    /// Held while a queue is made, so that it gets the intended device.
    private static let creation = Monitor(false)

    private static let devices = QueueDevices(
        output: { (_: String?) throws(DeviceError) -> any OutputDevice in next.withLock { $0.output } },
        input: { (_: String?) throws(DeviceError) -> any InputDevice in next.withLock { $0.input } },
        listOutputs: { () throws(DeviceError) -> [DeviceInfo] in [listed("speaker", isDefault: true)] },
        listInputs: { () throws(DeviceError) -> [DeviceInfo] in [listed("microphone", isDefault: true)] })

    private static func listed(_ name: String, isDefault: Bool) -> DeviceInfo {
        DeviceInfo(name: name, description: name, sampleRate: 44_100, channels: 2, isDefault: isDefault)
    }

    /// Makes a queue with these devices.
    static func with(
        output: any OutputDevice = VirtualDevice(), input: any InputDevice = VirtualSource(),
        _ make: () -> OSStatus
    ) -> OSStatus {
        creation.withLock { _ in
            next.withLock { $0 = Next(output: output, input: input) }
            return QueueDevices.$current.withValue(devices) { make() }
        }
    }
}

/// The arguments of a queue's callbacks.
@safe final class CallbackRecord: Sendable {
    struct Call: Sendable, Equatable {
        var queue: UInt
        var buffer: UInt
        var packets: UInt32 = 0
        var sampleTime = 0.0
    }

    private let calls = Monitor<[Call]>([])
    private let changes = Monitor<[AudioQueuePropertyID]>([])
    private let action = unsafe Monitor<(@Sendable (AudioQueueRef, AudioQueueBufferRef) -> Void)?>(nil)

    var all: [Call] { calls.withLock { $0 } }
    var count: Int { calls.withLock { $0.count } }
    var properties: [AudioQueuePropertyID] { changes.withLock { $0 } }

    /// The action in a callback, after it was recorded.
    func onCallback(_ action: @escaping @Sendable (AudioQueueRef, AudioQueueBufferRef) -> Void) {
        unsafe self.action.withLock { unsafe $0 = action }
    }

    func add(_ call: Call) { calls.withLock { $0.append(call) } }
    func add(change: AudioQueuePropertyID) { changes.withLock { $0.append(change) } }

    func act(_ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) {
        if let action = unsafe action.withLock({ unsafe $0 }) { unsafe action(queue, buffer) }
    }

    /// The user data of a C program. The record must outlive the queue.
    var userData: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    static func of(_ userData: UnsafeMutableRawPointer?) -> CallbackRecord? {
        unsafe userData.map { unsafe Unmanaged<CallbackRecord>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Records an output callback.
func recordOutput(
    _ userData: UnsafeMutableRawPointer?, _ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef
) {
    let record = unsafe CallbackRecord.of(userData)
    record?.add(.init(queue: UInt(bitPattern: queue), buffer: UInt(bitPattern: buffer)))
    unsafe record?.act(queue, buffer)
}

/// Records a change of a property.
func recordChange(_ userData: UnsafeMutableRawPointer?, _: AudioQueueRef, _ property: AudioQueuePropertyID) {
    unsafe CallbackRecord.of(userData)?.add(change: property)
}

/// A queue of the C functions on a manual device.
@safe final class QueueRig {
    static let mono = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 1, sampleRate: 48_000)

    let device = ManualDevice()
    let record = CallbackRecord()
    let queue: AudioQueueRef

    convenience init(format: AudioStreamBasicDescription = QueueRig.mono) throws {
        var format = format
        try unsafe self.init { (record: CallbackRecord, made: inout AudioQueueRef?) -> OSStatus in
            unsafe audioQueueNewOutput(&format, recordOutput, record.userData, nil, nil, 0, &made)
        }
    }

    /// Takes a queue that is made in another way.
    ///
    /// - Parameter make: Calls one of the functions that make queues, with the record as its user data.
    init(_ make: (_ record: CallbackRecord, _ made: inout AudioQueueRef?) -> OSStatus) throws {
        var made: AudioQueueRef?
        let record = record
        let status = TestDevices.with(output: device) { unsafe make(record, &made) }
        guard status == noErr, let made = unsafe made else { throw StatusFailure(status: status) }
        unsafe queue = made
    }

    deinit { _ = unsafe audioQueueDispose(queue, true) }

    func allocate(bytes: Int) throws -> AudioQueueBufferRef {
        var buffer: AudioQueueBufferRef?
        let status = unsafe audioQueueAllocateBuffer(queue, UInt32(bytes), &buffer)
        guard status == noErr, let buffer = unsafe buffer else { throw StatusFailure(status: status) }
        return unsafe buffer
    }

    /// Allocates and enqueues a buffer of 16-bit samples, which count up from `first`.
    @discardableResult
    func enqueue(frames: Int, from first: Int) throws -> AudioQueueBufferRef {
        let buffer = try unsafe allocate(bytes: frames * 2)
        unsafe fillBuffer(buffer, frames: frames, from: first)
        let status = unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil)
        guard status == noErr else { throw StatusFailure(status: status) }
        return unsafe buffer
    }

    /// Allocates and enqueues a buffer of these samples.
    func enqueue<Sample: BitwiseCopyable>(_ samples: [Sample]) throws {
        let byteCount = samples.count * MemoryLayout<Sample>.stride
        let buffer = try unsafe allocate(bytes: byteCount)
        let data = unsafe UnsafeMutableRawBufferPointer(start: buffer.pointee.mAudioData, count: byteCount)
        unsafe samples.withUnsafeBytes { unsafe data.copyMemory(from: $0) }
        unsafe buffer.pointee.mAudioDataByteSize = UInt32(byteCount)
        let status = unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil)
        guard status == noErr else { throw StatusFailure(status: status) }
    }

    func start() throws {
        let status = unsafe audioQueueStart(queue, nil)
        guard status == noErr, eventually({ isRunning == 1 }) else { throw StatusFailure(status: status) }
    }

    var isRunning: UInt32 {
        var value: UInt32 = 9
        var size: UInt32 = 4
        let status = unsafe audioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &value, &size)
        return status == noErr ? value : 9
    }

    /// Plays frames on the device, and returns their samples.
    func render<Sample: BitwiseCopyable>(frames: Int, of type: Sample.Type) -> [Sample] {
        samples(type, device.render(frames: frames).first ?? [])
    }

    func render(frames: Int) -> [Int16] { render(frames: frames, of: Int16.self) }

    /// Renders in small steps until `condition` holds, `limit` frames at most, and returns all samples.
    func render<Sample: BitwiseCopyable>(
        of type: Sample.Type, limit: Int = 100_000, until condition: () -> Bool
    ) -> [Sample] {
        let stepFrames = 16
        var played: [Sample] = []
        var frames = 0
        while !condition(), frames < limit {
            played += render(frames: stepFrames, of: type)
            frames += stepFrames
            usleep(20)
        }
        return played
    }

    func render(limit: Int = 100_000, until condition: () -> Bool) -> [Int16] {
        render(of: Int16.self, limit: limit, until: condition)
    }
}

/// Fills a buffer with 16-bit samples, which count up from `first`.
func fillBuffer(_ buffer: AudioQueueBufferRef, frames: Int, from first: Int) {
    let samples = unsafe buffer.pointee.mAudioData.assumingMemoryBound(to: Int16.self)
    for index in 0..<frames { unsafe samples[index] = Int16(truncatingIfNeeded: first + index) }
    unsafe buffer.pointee.mAudioDataByteSize = UInt32(frames * 2)
}

/// The samples that ``fillBuffer(_:frames:from:)`` writes.
func counting(_ range: ClosedRange<Int>) -> [Int16] { range.map { Int16(truncatingIfNeeded: $0) } }

func silence(frames: Int) -> [Int16] { [Int16](repeating: 0, count: frames) }

/// The results of calls inside callbacks, in order.
final class CallResults: Sendable {
    private let results = Monitor<[OSStatus]>([])

    var all: [OSStatus] { results.withLock { $0 } }
    var count: Int { results.withLock { $0.count } }

    func add(_ result: OSStatus) { results.withLock { $0.append(result) } }
}

/// An unexpected result.
struct StatusFailure: Error {
    let status: OSStatus
}
