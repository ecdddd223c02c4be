// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  DispatchPlayer.swift
//
//  Two queues on one dispatch queue: the input's sound goes to the output after a delay (an echo).
//
//      DispatchPlayer SECONDS [DELAY]
//
import AudioToolbox
import Dispatch
import Foundation

final class Echo {
    private let work = DispatchQueue(label: "echo", qos: .userInteractive)
    private var input: AudioQueueRef?
    private var output: AudioQueueRef?
    private var free: [AudioQueueBufferRef] = []
    private(set) var framesThrough = 0
    private(set) var framesLost = 0

    private var format = AudioStreamBasicDescription(
        mSampleRate: 48000, mFormatID: kAudioFormatLinearPCM, mFormatFlags: kAudioFormatFlagsNativeFloatPacked,
        mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1, mBitsPerChannel: 32, mReserved: 0)

    init(delay: Double) throws {
        var status = AudioQueueNewOutputWithDispatchQueue(&output, &format, 0, work) { [unowned self] _, buffer in
            self.free.append(buffer)
        }
        guard status == noErr, let output = output else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }

        status = AudioQueueNewInputWithDispatchQueue(&input, &format, 0, work) { [unowned self] queue, buffer, _, _, _ in
            self.pass(buffer.pointee)
            AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
        }
        guard status == noErr, let input = input else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }

        let bytes: UInt32 = 960 * 4     // 20 ms
        for _ in 0..<4 {
            var buffer: AudioQueueBufferRef?
            AudioQueueAllocateBuffer(input, bytes, &buffer)
            AudioQueueEnqueueBuffer(input, buffer!, 0, nil)
        }
        for _ in 0..<16 {
            var buffer: AudioQueueBufferRef?
            AudioQueueAllocateBuffer(output, bytes, &buffer)
            free.append(buffer!)
        }
        // The delay is a buffer of silence at the start.
        var silence: AudioQueueBufferRef?
        let silentFrames = max(1, Int(delay * format.mSampleRate))
        AudioQueueAllocateBuffer(output, UInt32(silentFrames * 4), &silence)
        memset(silence!.pointee.mAudioData, 0, silentFrames * 4)
        silence!.pointee.mAudioDataByteSize = UInt32(silentFrames * 4)
        AudioQueueEnqueueBuffer(output, silence!, 0, nil)
    }

    private func pass(_ recorded: AudioQueueBuffer) {
        let frames = Int(recorded.mAudioDataByteSize) / 4
        guard let buffer = free.first(where: { $0.pointee.mAudioDataBytesCapacity >= recorded.mAudioDataByteSize }),
              frames > 0 else {
            framesLost += frames
            return
        }
        free.removeAll { $0 == buffer }
        buffer.pointee.mAudioData.copyMemory(from: recorded.mAudioData, byteCount: frames * 4)
        buffer.pointee.mAudioDataByteSize = recorded.mAudioDataByteSize
        if AudioQueueEnqueueBuffer(output!, buffer, 0, nil) == noErr { framesThrough += frames } else { free.append(buffer) }
    }

    func start() {
        AudioQueueStart(output!, nil)
        AudioQueueStart(input!, nil)
    }

    func stop() {
        AudioQueueStop(input!, true)
        AudioQueueDispose(input!, true)
        AudioQueueStop(output!, true)
        AudioQueueDispose(output!, true)
        work.sync {}        // what was on its way to us has come
    }
}

let seconds = CommandLine.arguments.count > 1 ? Double(CommandLine.arguments[1]) ?? 2 : 2
let delay = CommandLine.arguments.count > 2 ? Double(CommandLine.arguments[2]) ?? 0.25 : 0.25
do {
    let echo = try Echo(delay: delay)
    echo.start()
    Thread.sleep(forTimeInterval: seconds)
    echo.stop()
    print("\(echo.framesThrough) frames, \(echo.framesLost) lost")
} catch let error as NSError {
    print("error \(error.code)")
    exit(1)
}
