// SPDX-License-Identifier: MIT

//  Renders a tone through a queue that has no device, faster than it would play, into a WAVE file. The tone
//  begins at a quarter of its volume.
//
//      Offline tone.wav 10

import AudioToolbox
import Foundation

struct AudioError: Error, CustomStringConvertible {
    let status: OSStatus
    let operation: String
    var description: String { "cannot \(operation) (error \(status))" }
}

func check(_ status: OSStatus, _ operation: String) throws {
    if status != noErr { throw AudioError(status: status, operation: operation) }
}

/// The tone, and the number of frames made. The queue's callback is called within the calls that render.
final class Tone {
    static let sampleRate = 48_000.0
    static let frequency = 1000.0
    static let bytesPerFrame = 4  // a sample of Float

    let frameCount: Int
    var framesMade = 0
    var result: OSStatus = noErr
    var hasEnded: Bool { framesMade == frameCount || result != noErr }

    init(seconds: Double) { frameCount = Int(seconds * Self.sampleRate) }

    /// Enqueues the next frames; after the last ones, stops the queue at their end.
    func fill(_ buffer: AudioQueueBufferRef, of queue: AudioQueueRef) {
        let capacity = Int(buffer.pointee.mAudioDataBytesCapacity) / Self.bytesPerFrame
        let frames = min(capacity, frameCount - framesMade)
        guard frames > 0, result == noErr else {
            AudioQueueStop(queue, false)
            return
        }
        let samples = buffer.pointee.mAudioData.bindMemory(to: Float.self, capacity: frames)
        for frame in 0..<frames {
            let turns = Double(framesMade + frame) * Self.frequency / Self.sampleRate
            samples[frame] = Float(0.5 * sin(2 * Double.pi * turns))
        }
        buffer.pointee.mAudioDataByteSize = UInt32(frames * Self.bytesPerFrame)
        // The volume takes effect at the first frame of this buffer.
        var volume = AudioQueueParameterEvent(
            mID: kAudioQueueParam_Volume, mValue: framesMade == 0 ? 0.25 : 1)
        result = AudioQueueEnqueueBufferWithParameters(queue, buffer, 0, nil, 0, 0, 1, &volume, nil, nil)
        framesMade += frames
    }
}

func bufferDone(userData: UnsafeMutableRawPointer?, queue: AudioQueueRef, buffer: AudioQueueBufferRef) {
    guard let userData else { return }
    Unmanaged<Tone>.fromOpaque(userData).takeUnretainedValue().fill(buffer, of: queue)
}

/// Linear PCM of one channel, in the machine's byte order.
func format(bytesPerFrame: UInt32, flags: AudioFormatFlags) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
        mSampleRate: Tone.sampleRate, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: flags | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked,
        mBytesPerPacket: bytesPerFrame, mFramesPerPacket: 1, mBytesPerFrame: bytesPerFrame,
        mChannelsPerFrame: 1, mBitsPerChannel: 8 * bytesPerFrame, mReserved: 0)
}

func allocateBuffer(of queue: AudioQueueRef, bytes: Int) throws -> AudioQueueBufferRef {
    var allocated: AudioQueueBufferRef?
    try check(AudioQueueAllocateBuffer(queue, UInt32(bytes), &allocated), "allocate a buffer")
    guard let buffer = allocated else {
        throw AudioError(status: kAudio_MemFullError, operation: "allocate a buffer")
    }
    return buffer
}

/// Renders the tone, and returns the number of frames in the file.
func render(to path: String, seconds: Double) throws -> Int {
    let tone = Unmanaged.passRetained(Tone(seconds: seconds))  // while there are callbacks
    defer { tone.release() }
    let source = tone.takeUnretainedValue()

    var queueFormat = format(bytesPerFrame: UInt32(Tone.bytesPerFrame), flags: kAudioFormatFlagIsFloat)
    var made: AudioQueueRef?
    try check(
        AudioQueueNewOutput(&queueFormat, bufferDone, tone.toOpaque(), nil, nil, 0, &made), "make a queue")
    guard let queue = made else { return 0 }
    defer { AudioQueueDispose(queue, true) }

    var fileFormat = format(bytesPerFrame: 2, flags: kAudioFormatFlagIsSignedInteger)
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Mono
    try check(AudioQueueSetOfflineRenderFormat(queue, &fileFormat, &layout), "render without a device")

    var created: ExtAudioFileRef?
    try check(
        ExtAudioFileCreateWithURL(
            URL(fileURLWithPath: path) as CFURL, kAudioFileWAVEType, &fileFormat, nil,
            AudioFileFlags.eraseFile.rawValue, &created), "make \(path)")
    guard let file = created else { return 0 }
    defer { ExtAudioFileDispose(file) }

    // Half of the enqueued frames are rendered at a time, so that the queue never underruns.
    let framesAtATime = 4096
    let input = try allocateBuffer(of: queue, bytes: 2 * framesAtATime * Tone.bytesPerFrame)
    let output = try allocateBuffer(of: queue, bytes: framesAtATime * 2)

    try check(AudioQueueStart(queue, nil), "start")
    var time = AudioTimeStamp()
    time.mFlags = .sampleTimeValid
    try check(AudioQueueOfflineRender(queue, &time, output, 0), "begin to render")
    source.fill(input, of: queue)

    while true {
        try check(AudioQueueOfflineRender(queue, &time, output, UInt32(framesAtATime)), "render")
        try check(source.result, "enqueue a buffer")
        let frames = output.pointee.mAudioDataByteSize / fileFormat.mBytesPerFrame
        if frames == 0, source.hasEnded { return Int(time.mSampleTime) }
        var list = AudioBufferList()
        list.mNumberBuffers = 1
        list.mBuffers.mNumberChannels = 1
        list.mBuffers.mDataByteSize = output.pointee.mAudioDataByteSize
        list.mBuffers.mData = output.pointee.mAudioData
        try check(ExtAudioFileWrite(file, frames, &list), "write \(path)")
        time.mSampleTime += Double(frames)
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let seconds = Double(arguments[2]), seconds > 0, seconds < 86_400 else {
    FileHandle.standardError.write(Data("usage: Offline FILE.wav SECONDS\n".utf8))
    exit(64)
}
do {
    let frames = try render(to: arguments[1], seconds: seconds)
    print("\(frames) frames")
} catch {
    FileHandle.standardError.write(Data("Offline: \(error)\n".utf8))
    exit(1)
}
