// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  MeterRecorder.swift
//
//  Level meters with a timer on the run loop, for a recording or for a playing queue.
//
//      MeterRecorder input|output [SECONDS]
//
//  "output" meters a stereo tone of its own: left at half, right at a quarter of full scale.
//
import AudioToolbox
import Foundation

private func inputCallback(_ userData: UnsafeMutableRawPointer?, _ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef,
                           _ startTime: UnsafePointer<AudioTimeStamp>, _ numberOfPackets: UInt32,
                           _ descriptions: UnsafePointer<AudioStreamPacketDescription>?) {
    AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
}

private func outputCallback(_ userData: UnsafeMutableRawPointer?, _ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) {
    let meter = Unmanaged<Meter>.fromOpaque(userData!).takeUnretainedValue()
    let frames = Int(buffer.pointee.mAudioDataBytesCapacity) / 4
    let samples = UnsafeMutableBufferPointer(start: buffer.pointee.mAudioData.assumingMemoryBound(to: Int16.self), count: frames * 2)
    for frame in 0..<frames {
        let value = sin(meter.phase)
        samples[2 * frame] = Int16(value * 16384)
        samples[2 * frame + 1] = Int16(value * 8192)
        meter.phase += 2 * Double.pi * 441 / 44100
    }
    buffer.pointee.mAudioDataByteSize = UInt32(frames * 4)
    AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
}

class Meter {
    fileprivate var phase = 0.0
    private var queue: AudioQueueRef!
    private var format = AudioStreamBasicDescription()
    var highest: [Float] = []

    init(input: Bool) {
        format.mSampleRate = 44100
        format.mFormatID = kAudioFormatLinearPCM
        format.mFormatFlags = kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked
        format.mChannelsPerFrame = 2
        format.mBitsPerChannel = 16
        format.mFramesPerPacket = 1
        format.mBytesPerFrame = 4
        format.mBytesPerPacket = 4
        let this = Unmanaged.passUnretained(self).toOpaque()
        let status = input
            ? AudioQueueNewInput(&format, inputCallback, this, CFRunLoopGetCurrent(), nil, 0, &queue)
            : AudioQueueNewOutput(&format, outputCallback, this, CFRunLoopGetCurrent(), nil, 0, &queue)
        guard status == noErr else { fatalError("no queue: \(status)") }

        var enabled: UInt32 = 1
        AudioQueueSetProperty(queue, kAudioQueueProperty_EnableLevelMetering, &enabled, UInt32(MemoryLayout<UInt32>.size))
        for _ in 0..<3 {
            var buffer: AudioQueueBufferRef?
            AudioQueueAllocateBuffer(queue, 4410 * 4, &buffer)
            if input { AudioQueueEnqueueBuffer(queue, buffer!, 0, nil) } else { outputCallback(this, queue, buffer!) }
        }
        AudioQueueStart(queue, nil)
    }

    func levels(_ property: AudioQueuePropertyID) -> [AudioQueueLevelMeterState] {
        let channels = Int(format.mChannelsPerFrame)
        let states = UnsafeMutablePointer<AudioQueueLevelMeterState>.allocate(capacity: channels)
        defer { states.deallocate() }
        var size = UInt32(MemoryLayout<AudioQueueLevelMeterState>.stride * channels)
        guard AudioQueueGetProperty(queue, property, states, &size) == noErr else { return [] }
        return Array(UnsafeBufferPointer(start: states, count: Int(size) / MemoryLayout<AudioQueueLevelMeterState>.stride))
    }

    func tick() {
        let linear = levels(kAudioQueueProperty_CurrentLevelMeter)
        let decibels = levels(kAudioQueueProperty_CurrentLevelMeterDB)
        if highest.isEmpty { highest = [Float](repeating: 0, count: linear.count) }
        for (channel, level) in linear.enumerated() { highest[channel] = max(highest[channel], level.mPeakPower) }
        print(zip(linear, decibels).map { String(format: "%.3f %6.1f dB", $0.mAveragePower, $1.mAveragePower) }.joined(separator: " | "))
    }

    func stop() {
        AudioQueueStop(queue, true)
        AudioQueueDispose(queue, true)
    }
}

let isInput = CommandLine.arguments.count > 1 && CommandLine.arguments[1] == "input"
let seconds = CommandLine.arguments.count > 2 ? Double(CommandLine.arguments[2]) ?? 1 : 1
let meter = Meter(input: isInput)
let timer = Timer.scheduledTimer(withTimeInterval: 0.1, repeats: true) { _ in meter.tick() }
RunLoop.current.run(until: Date(timeIntervalSinceNow: seconds))
timer.invalidate()
meter.stop()
print("peaks: " + meter.highest.map { String(format: "%.3f", $0) }.joined(separator: " "))
