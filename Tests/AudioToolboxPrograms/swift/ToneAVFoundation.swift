// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  ToneAVFoundation.swift
//
//  Many programs import AVFoundation and use nothing of it but the audio types and the C functions.
//  A row of three beeps, each in a buffer with a start time.
//
//      ToneAVFoundation
//
import AVFoundation

var format = AudioStreamBasicDescription(
    mSampleRate: 44100, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: AudioFormatFlags(kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked),
    mBytesPerPacket: 2, mFramesPerPacket: 1, mBytesPerFrame: 2, mChannelsPerFrame: 1, mBitsPerChannel: 16, mReserved: 0)
var played = 0
var queueRef: AudioQueueRef?

func returned(_ userData: UnsafeMutableRawPointer?, _ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef) {
    played += 1
    AudioQueueFreeBuffer(queue, buffer)
    if played == 3 { AudioQueueStop(queue, false) }
}

let status = AudioQueueNewOutput(&format, returned, nil, nil, CFRunLoopMode.commonModes.rawValue, 0, &queueRef)
guard status == noErr, let queue = queueRef else {
    print("no queue: \(status)")
    exit(1)
}
let beepFrames = 4410
for beep in 0..<3 {
    var bufferRef: AudioQueueBufferRef?
    AudioQueueAllocateBuffer(queue, UInt32(beepFrames * MemoryLayout<Int16>.stride), &bufferRef)
    guard let buffer = bufferRef else { exit(1) }
    let samples = buffer.pointee.mAudioData.bindMemory(to: Int16.self, capacity: beepFrames)
    for i in 0..<beepFrames { samples[i] = Int16(sin(Double(i) * 2 * .pi * 660 / 44100) * 12000) }
    buffer.pointee.mAudioDataByteSize = UInt32(beepFrames * 2)

    var start = AudioTimeStamp()
    start.mFlags = .sampleTimeValid
    start.mSampleTime = Float64(beep) * 22050        // twice a second
    var actual = AudioTimeStamp()
    if beep > 0 { AudioQueueFlush(queue) }
    let enqueued = AudioQueueEnqueueBufferWithParameters(queue, buffer, 0, nil, 0, 0, 0, nil, &start, &actual)
    if enqueued != noErr { print("beep \(beep): \(enqueued)") }
}
AudioQueueStart(queue, nil)
var deviceTime = AudioTimeStamp()
AudioQueueDeviceGetCurrentTime(queue, &deviceTime)

var running: UInt32 = 1
while running != 0 || played < 3 {
    usleep(20_000)
    var size = UInt32(MemoryLayout<UInt32>.size)
    AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &running, &size)
}
AudioQueueDispose(queue, true)
