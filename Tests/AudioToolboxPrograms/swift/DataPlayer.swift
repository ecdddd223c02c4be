// swift-format-ignore-file
//
//  DataPlayer.swift
//
//  A sound file that is only in memory: made there with AudioFileInitializeWithCallbacks, read back with
//  AudioFileOpenWithCallbacks, and played.
//
//      DataPlayer aiff|wav|caf [SECONDS]
//
import AudioToolbox
import Foundation

final class Memory {
    var bytes = [UInt8]()
}

func memory(_ pointer: UnsafeMutableRawPointer) -> Memory { Unmanaged<Memory>.fromOpaque(pointer).takeUnretainedValue() }

let readProc: AudioFile_ReadProc = { client, position, count, buffer, actual in
    let all = memory(client).bytes
    let start = min(max(0, Int(position)), all.count)
    let length = min(Int(count), all.count - start)
    all.withUnsafeBytes { if length > 0 { buffer.copyMemory(from: $0.baseAddress! + start, byteCount: length) } }
    actual.pointee = UInt32(length)
    return noErr
}
let writeProc: AudioFile_WriteProc = { client, position, count, buffer, actual in
    let storage = memory(client)
    let end = Int(position) + Int(count)
    if end > storage.bytes.count { storage.bytes += [UInt8](repeating: 0, count: end - storage.bytes.count) }
    storage.bytes.withUnsafeMutableBytes { ($0.baseAddress! + Int(position)).copyMemory(from: buffer, byteCount: Int(count)) }
    actual.pointee = count
    return noErr
}
let getSizeProc: AudioFile_GetSizeProc = { Int64(memory($0).bytes.count) }
let setSizeProc: AudioFile_SetSizeProc = { client, size in
    let storage = memory(client)
    if Int(size) < storage.bytes.count {
        storage.bytes.removeLast(storage.bytes.count - Int(size))
    } else {
        storage.bytes += [UInt8](repeating: 0, count: Int(size) - storage.bytes.count)
    }
    return noErr
}

let kind = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "caf"
let seconds = CommandLine.arguments.count > 2 ? Double(CommandLine.arguments[2]) ?? 1 : 1
let type = kind == "aiff" ? kAudioFileAIFFType : kind == "wav" ? kAudioFileWAVEType : kAudioFileCAFType
let bigEndian = type == kAudioFileAIFFType
var format = AudioStreamBasicDescription()
format.mSampleRate = 32000
format.mFormatID = kAudioFormatLinearPCM
format.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | (bigEndian ? kAudioFormatFlagIsBigEndian : 0)
format.mChannelsPerFrame = 1
format.mBitsPerChannel = 16
format.mBytesPerFrame = 2
format.mBytesPerPacket = 2
format.mFramesPerPacket = 1

let store = Memory()
let client = Unmanaged.passRetained(store).toOpaque()
var file: AudioFileID?
var status = AudioFileInitializeWithCallbacks(client, readProc, writeProc, getSizeProc, setSizeProc, type, &format, [], &file)
guard status == noErr else {
    print("AudioFileInitializeWithCallbacks: \(status)")
    exit(1)
}
var samples: [Int16] = (0..<Int(seconds * 32000)).map {
    let value = Int16(sin(Double($0) * 2 * Double.pi * 500 / 32000) * 10000)
    return bigEndian ? value.bigEndian : value.littleEndian
}
var byteCount = UInt32(samples.count * 2)
status = AudioFileWriteBytes(file!, false, 0, &byteCount, &samples)
AudioFileClose(file!)
print("\(store.bytes.count) bytes in memory, status \(status)")

// Read only: neither write nor set-size function.
status = AudioFileOpenWithCallbacks(client, readProc, nil, getSizeProc, nil, type, &file)
guard status == noErr else {
    print("AudioFileOpenWithCallbacks: \(status)")
    exit(1)
}
let opened = file!
var position: Int64 = 0
let loop = CFRunLoopGetCurrent()
var queue: AudioQueueRef?
AudioQueueNewOutput(&format, { _, queue, buffer in
    var count = buffer.pointee.mAudioDataBytesCapacity
    let status = AudioFileReadBytes(opened, false, position, &count, buffer.pointee.mAudioData)
    guard count > 0, status == noErr || status == kAudioFileEndOfFileError else {
        AudioQueueStop(queue, false)
        return
    }
    position += Int64(count)
    buffer.pointee.mAudioDataByteSize = count
    AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
}, nil, loop, nil, 0, &queue)
AudioQueueAddPropertyListener(queue!, kAudioQueueProperty_IsRunning, { _, queue, id in
    var running: UInt32 = 0
    var size: UInt32 = 4
    if AudioQueueGetProperty(queue, id, &running, &size) == noErr && running == 0 { CFRunLoopStop(loop) }
}, nil)
AudioQueueStart(queue!, nil)
for _ in 0..<3 {
    var buffer: AudioQueueBufferRef?
    AudioQueueAllocateBuffer(queue!, 3200, &buffer)
    memset(buffer!.pointee.mAudioData, 0, 2)
    buffer!.pointee.mAudioDataByteSize = 2
    AudioQueueEnqueueBuffer(queue!, buffer!, 0, nil)       // a frame of silence, to get it going
}
CFRunLoopRun()
AudioQueueDispose(queue!, true)
AudioFileClose(opened)
