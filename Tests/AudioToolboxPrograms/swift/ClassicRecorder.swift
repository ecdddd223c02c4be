// swift-format-ignore-file
//
//  ClassicRecorder.swift
//
//  The recorder of the Audio Queue programming guide, in Swift.  ".caf" gets AAC, any other name AIFF.
//
//      ClassicRecorder FILE SECONDS
//
import AudioToolbox
import Foundation

final class RecorderState {
    var dataFormat = AudioStreamBasicDescription()
    var queue: AudioQueueRef?
    var buffers: [AudioQueueBufferRef] = []
    var audioFile: AudioFileID?
    var currentPacket: Int64 = 0
    var isRunning = false
}

enum AudioError: Error {
    case status(OSStatus, String)
}

func check(_ status: OSStatus, _ operation: String) throws {
    if status != noErr { throw AudioError.status(status, operation) }
}

let handleInputBuffer: AudioQueueInputCallback = { userData, queue, buffer, startTime, numberOfPackets, packetDescs in
    let state = Unmanaged<RecorderState>.fromOpaque(userData!).takeUnretainedValue()
    var packets = numberOfPackets
    if packets == 0 && state.dataFormat.mBytesPerPacket != 0 {
        packets = buffer.pointee.mAudioDataByteSize / state.dataFormat.mBytesPerPacket
    }
    if packets > 0 && AudioFileWritePackets(state.audioFile!, false, buffer.pointee.mAudioDataByteSize, packetDescs,
                                            state.currentPacket, &packets, buffer.pointee.mAudioData) == noErr {
        state.currentPacket += Int64(packets)
    }
    if state.isRunning {
        AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
    }
}

func deriveBufferSize(_ queue: AudioQueueRef, _ format: AudioStreamBasicDescription, seconds: Float64) throws -> UInt32 {
    let maxBufferSize: Float64 = 0x50000
    var maxPacketSize = format.mBytesPerPacket
    if maxPacketSize == 0 {
        var size = UInt32(MemoryLayout.size(ofValue: maxPacketSize))
        try check(AudioQueueGetProperty(queue, kAudioConverterPropertyMaximumOutputPacketSize, &maxPacketSize, &size),
                  "largest packet")
    }
    let bytes = format.mFramesPerPacket > 0
        ? ceil(format.mSampleRate / Float64(format.mFramesPerPacket) * seconds) * Float64(maxPacketSize)
        : format.mSampleRate * Float64(maxPacketSize) * seconds
    return UInt32(min(bytes, maxBufferSize))
}

func setMagicCookie(_ queue: AudioQueueRef, _ file: AudioFileID) throws {
    var cookieSize: UInt32 = 0
    guard AudioQueueGetPropertySize(queue, kAudioQueueProperty_MagicCookie, &cookieSize) == noErr, cookieSize > 0 else {
        return
    }
    var cookie = [UInt8](repeating: 0, count: Int(cookieSize))
    try check(AudioQueueGetProperty(queue, kAudioQueueProperty_MagicCookie, &cookie, &cookieSize), "queue's cookie")
    try check(AudioFileSetProperty(file, kAudioFilePropertyMagicCookieData, cookieSize, cookie), "file's cookie")
}

func record(to path: String, seconds: Double) throws {
    let state = RecorderState()
    let wantsAAC = path.hasSuffix(".caf")
    state.dataFormat.mSampleRate = 44100
    state.dataFormat.mChannelsPerFrame = 2
    if wantsAAC {
        state.dataFormat.mFormatID = kAudioFormatMPEG4AAC
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        try check(AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &state.dataFormat), "AAC")
    } else {
        state.dataFormat.mFormatID = kAudioFormatLinearPCM
        state.dataFormat.mFormatFlags = kLinearPCMFormatFlagIsBigEndian | kLinearPCMFormatFlagIsSignedInteger
            | kLinearPCMFormatFlagIsPacked
        state.dataFormat.mBitsPerChannel = 16
        state.dataFormat.mBytesPerFrame = 2 * state.dataFormat.mChannelsPerFrame
        state.dataFormat.mBytesPerPacket = state.dataFormat.mBytesPerFrame
        state.dataFormat.mFramesPerPacket = 1
    }

    try check(AudioQueueNewInput(&state.dataFormat, handleInputBuffer, Unmanaged.passUnretained(state).toOpaque(),
                                 nil, nil, 0, &state.queue), "making the queue")
    guard let queue = state.queue else { return }
    defer { AudioQueueDispose(queue, true) }
    var size = UInt32(MemoryLayout.size(ofValue: state.dataFormat))
    try check(AudioQueueGetProperty(queue, kAudioQueueProperty_StreamDescription, &state.dataFormat, &size), "format")

    let type = wantsAAC ? kAudioFileCAFType : kAudioFileAIFFType
    try check(AudioFileCreateWithURL(URL(fileURLWithPath: path) as CFURL, type, &state.dataFormat, .eraseFile,
                                     &state.audioFile), "making the file")
    guard let file = state.audioFile else { return }
    defer { AudioFileClose(file) }
    try setMagicCookie(queue, file)

    let bytes = try deriveBufferSize(queue, state.dataFormat, seconds: 0.5)
    for _ in 0..<3 {
        var buffer: AudioQueueBufferRef?
        try check(AudioQueueAllocateBuffer(queue, bytes, &buffer), "allocating")
        try check(AudioQueueEnqueueBuffer(queue, buffer!, 0, nil), "enqueuing")
        state.buffers.append(buffer!)
    }

    state.isRunning = true
    try check(AudioQueueStart(queue, nil), "starting")
    Thread.sleep(forTimeInterval: seconds)      // the callbacks come on a thread of the queue
    try check(AudioQueueStop(queue, true), "stopping")
    state.isRunning = false
    try setMagicCookie(queue, file)
    print("\(state.currentPacket) packets")
    withExtendedLifetime(state) {}
}

guard CommandLine.arguments.count == 3, let seconds = Double(CommandLine.arguments[2]) else {
    print("usage: ClassicRecorder file seconds")
    exit(64)
}
do {
    try record(to: CommandLine.arguments[1], seconds: seconds)
} catch AudioError.status(let status, let operation) {
    print("Error: \(operation) (\(status))")
    exit(1)
} catch {
    print(error)
    exit(1)
}
