// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  GlobalTone.swift
//
//  @convention(c) values and globals; AudioToolbox is the only import.  A tone that glides while it sounds.
//
//      GlobalTone [FROM [TO [SECONDS]]]
//
import AudioToolbox

let sampleRate = 44100.0
let argument = { (index: Int, other: Double) in
    index < CommandLine.arguments.count ? Double(CommandLine.arguments[index]) ?? other : other
}
let from = argument(1, 440)
let to = argument(2, 880)
let totalFrames = Int(argument(3, 2) * sampleRate)
var frame = 0
var phase = 0.0
var stopped = false

let fill: @convention(c) (UnsafeMutableRawPointer?, AudioQueueRef, AudioQueueBufferRef) -> Void = { _, queue, buffer in
    let frames = min(Int(buffer.pointee.mAudioDataBytesCapacity) / 4, totalFrames - frame)
    if frames == 0 {
        AudioQueueStop(queue, false)
        return
    }
    let samples = buffer.pointee.mAudioData.bindMemory(to: Float32.self, capacity: frames)
    for i in 0..<frames {
        let hertz = from + (to - from) * Double(frame) / Double(totalFrames)
        phase += 2 * .pi * hertz / sampleRate
        samples[i] = Float32(sin(phase)) * 0.3
        frame += 1
    }
    buffer.pointee.mAudioDataByteSize = UInt32(frames * 4)
    AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
}

let runningChanged: AudioQueuePropertyListenerProc = { _, queue, id in
    var running: UInt32 = 1
    var size = UInt32(MemoryLayout<UInt32>.size)
    AudioQueueGetProperty(queue, id, &running, &size)
    if running == 0 {
        stopped = true
        CFRunLoopStop(CFRunLoopGetCurrent())
    }
}

var format = AudioStreamBasicDescription(
    mSampleRate: sampleRate,
    mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kLinearPCMFormatFlagIsFloat | kLinearPCMFormatFlagIsPacked,
    mBytesPerPacket: 4,
    mFramesPerPacket: 1,
    mBytesPerFrame: 4,
    mChannelsPerFrame: 1,
    mBitsPerChannel: 32,
    mReserved: 0
)
var audioQueue: AudioQueueRef?
AudioQueueNewOutput(&format, fill, nil, CFRunLoopGetCurrent(), CFRunLoopMode.commonModes.rawValue, 0, &audioQueue)
AudioQueueAddPropertyListener(audioQueue!, kAudioQueueProperty_IsRunning, runningChanged, nil)
AudioQueueSetParameter(audioQueue!, kAudioQueueParam_Pan, 0.0)
AudioQueueSetParameter(audioQueue!, kAudioQueueParam_PlayRate, 1.0)
AudioQueueSetParameter(audioQueue!, kAudioQueueParam_VolumeRampTime, 0.0)
AudioQueueSetParameter(audioQueue!, kAudioQueueParam_Volume, 1.0)
for _ in 0..<3 {
    var buffer: AudioQueueBufferRef? = nil
    AudioQueueAllocateBuffer(audioQueue!, 4096 * 4, &buffer)
    fill(nil, audioQueue!, buffer!)
}
AudioQueuePrime(audioQueue!, 0, nil)
AudioQueueStart(audioQueue!, nil)
while !stopped { CFRunLoopRun() }
AudioQueueDispose(audioQueue!, false)
