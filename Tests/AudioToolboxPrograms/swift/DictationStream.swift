// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  DictationStream.swift
//
//  16 kHz capture for a speech recogniser, as of 2024: an actor, an AsyncStream of samples, language mode 6.
//
//      DictationStream SECONDS [DEVICE-UID]
//
import AudioToolbox
import Foundation

final class CaptureSession: @unchecked Sendable {
    private let continuation: AsyncStream<[Float]>.Continuation
    private let lock = NSLock()
    private var queue: AudioQueueRef?
    let chunks: AsyncStream<[Float]>

    init() {
        (chunks, continuation) = AsyncStream.makeStream(of: [Float].self, bufferingPolicy: .bufferingNewest(64))
    }

    func start(deviceUID: String?) throws {
        var format = AudioStreamBasicDescription(
            mSampleRate: 16_000, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kLinearPCMFormatFlagIsFloat | kLinearPCMFormatFlagIsPacked,
            mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4,
            mChannelsPerFrame: 1, mBitsPerChannel: 32, mReserved: 0)
        var newQueue: AudioQueueRef?
        try throwing(AudioQueueNewInput(&format, captured, Unmanaged.passRetained(self).toOpaque(), nil, nil, 0, &newQueue))
        guard let newQueue else { throw CaptureError(status: kAudio_ParamError) }

        if let deviceUID {
            var uid = deviceUID as CFString
            let status = withUnsafePointer(to: &uid) {
                AudioQueueSetProperty(newQueue, kAudioQueueProperty_CurrentDevice, $0, UInt32(MemoryLayout<CFString>.size))
            }
            try throwing(status)
        }
        for _ in 0..<4 {
            var buffer: AudioQueueBufferRef?
            try throwing(AudioQueueAllocateBuffer(newQueue, 1_600 * 4, &buffer))
            if let buffer { try throwing(AudioQueueEnqueueBuffer(newQueue, buffer, 0, nil)) }
        }
        try throwing(AudioQueueStart(newQueue, nil))
        lock.withLock { queue = newQueue }
    }

    /// Accepts pending audio, then ends the stream.
    func stop() async {
        guard let queue = lock.withLock({ self.queue.take() }) else { return }
        AudioQueueStop(queue, false)
        for _ in 0..<50 where isRunning(queue) { try? await Task.sleep(nanoseconds: 10_000_000) }
        AudioQueueDispose(queue, true)
        continuation.finish()
        Unmanaged.passUnretained(self).release()
    }

    private func isRunning(_ queue: AudioQueueRef) -> Bool {
        var running: UInt32 = 0
        var size = UInt32(MemoryLayout<UInt32>.size)
        return AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &running, &size) == noErr && running != 0
    }

    fileprivate func take(_ buffer: AudioQueueBufferRef, from queue: AudioQueueRef) {
        let count = Int(buffer.pointee.mAudioDataByteSize) / MemoryLayout<Float>.size
        if count > 0 {
            let samples = buffer.pointee.mAudioData.assumingMemoryBound(to: Float.self)
            continuation.yield(Array(UnsafeBufferPointer(start: samples, count: count)))
        }
        let status = AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
        if status != noErr && status != kAudioQueueErr_EnqueueDuringReset { print("enqueue: \(status)") }
    }
}

struct CaptureError: Error { let status: OSStatus }

private func throwing(_ status: OSStatus) throws {
    guard status == noErr else { throw CaptureError(status: status) }
}

private let captured: AudioQueueInputCallback = { userData, queue, buffer, _, _, _ in
    guard let userData else { return }
    Unmanaged<CaptureSession>.fromOpaque(userData).takeUnretainedValue().take(buffer, from: queue)
}

actor Recogniser {
    private(set) var samples = 0
    private var energy = 0.0
    func hear(_ chunk: [Float]) {
        samples += chunk.count
        energy += chunk.reduce(0) { $0 + Double($1) * Double($1) }
    }
    var level: Double { samples == 0 ? -120 : max(-120, 10 * log10(energy / Double(samples) + 1e-12)) }
}

@main
struct Dictation {
    static func main() async {
        let arguments = CommandLine.arguments
        let seconds = arguments.count > 1 ? Double(arguments[1]) ?? 1 : 1
        let session = CaptureSession()
        let recogniser = Recogniser()
        do {
            try session.start(deviceUID: arguments.count > 2 ? arguments[2] : nil)
        } catch let error as CaptureError {
            print("cannot record: \(error.status)")
            exit(1)
        } catch {
            exit(1)
        }
        let listening = Task {
            for await chunk in session.chunks { await recogniser.hear(chunk) }
        }
        try? await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
        await session.stop()
        await listening.value
        let (count, level) = (await recogniser.samples, await recogniser.level)
        print("\(count) samples, \(String(format: "%.1f", level)) dB")
    }
}
