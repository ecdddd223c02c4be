// swift-format-ignore-file
//
//  ClassicPlayer.swift
//
//  The player of the Audio Queue programming guide, carried over to Swift step by step: a state structure
//  behind a pointer, a global callback, three buffers, a derived size, cookie and packet descriptions.
//
//      ClassicPlayer FILE
//
import AudioToolbox
import Foundation

let kNumberBuffers = 3

struct PlayerState {
    var dataFormat = AudioStreamBasicDescription()
    var queue: AudioQueueRef?
    var buffers = [AudioQueueBufferRef?](repeating: nil, count: kNumberBuffers)
    var audioFile: AudioFileID?
    var bufferByteSize: UInt32 = 0
    var currentPacket: Int64 = 0
    var numPacketsToRead: UInt32 = 0
    var packetDescs: UnsafeMutablePointer<AudioStreamPacketDescription>?
    var isRunning = false
    var isDone = false
}

func checkError(_ error: OSStatus, _ operation: String) {
    guard error != noErr else { return }
    print("Error: \(operation) (\(error))")
    exit(1)
}

func handleOutputBuffer(userData: UnsafeMutableRawPointer?, queue: AudioQueueRef, buffer: AudioQueueBufferRef) {
    let state = userData!.assumingMemoryBound(to: PlayerState.self)
    if state.pointee.isDone { return }

    var numBytes: UInt32 = state.pointee.bufferByteSize
    var numPackets = state.pointee.numPacketsToRead
    AudioFileReadPacketData(state.pointee.audioFile!, false, &numBytes, state.pointee.packetDescs,
                            state.pointee.currentPacket, &numPackets, buffer.pointee.mAudioData)
    if numPackets > 0 {
        buffer.pointee.mAudioDataByteSize = numBytes
        AudioQueueEnqueueBuffer(queue, buffer, state.pointee.packetDescs != nil ? numPackets : 0,
                                state.pointee.packetDescs)
        state.pointee.currentPacket += Int64(numPackets)
    } else {
        state.pointee.isDone = true
        AudioQueueStop(queue, false)
    }
}

func handleIsRunning(userData: UnsafeMutableRawPointer?, queue: AudioQueueRef, property: AudioQueuePropertyID) {
    let state = userData!.assumingMemoryBound(to: PlayerState.self)
    var running: UInt32 = 0
    var size = UInt32(MemoryLayout<UInt32>.size)
    AudioQueueGetProperty(queue, property, &running, &size)
    state.pointee.isRunning = running != 0
    if running == 0 { CFRunLoopStop(CFRunLoopGetMain()) }
}

func deriveBufferSize(format: AudioStreamBasicDescription, maxPacketSize: UInt32, seconds: Float64)
    -> (bytes: UInt32, packets: UInt32)
{
    let maxBufferSize: UInt32 = 0x50000
    let minBufferSize: UInt32 = 0x4000
    var bytes: UInt32
    if format.mFramesPerPacket != 0 {
        let packetsForTime = format.mSampleRate / Float64(format.mFramesPerPacket) * seconds
        bytes = UInt32(packetsForTime) * maxPacketSize
    } else {
        bytes = max(maxBufferSize, maxPacketSize)
    }
    if bytes > maxBufferSize && bytes > maxPacketSize {
        bytes = maxBufferSize
    } else if bytes < minBufferSize {
        bytes = minBufferSize
    }
    return (bytes, bytes / maxPacketSize)
}

func copyCookie(from file: AudioFileID, to queue: AudioQueueRef) {
    var size: UInt32 = 0
    let result = AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &size, nil)
    guard result == noErr && size > 0 else { return }
    let cookie = UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 1)
    defer { cookie.deallocate() }
    checkError(AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &size, cookie), "file's cookie")
    checkError(AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, size), "queue's cookie")
}

guard CommandLine.arguments.count == 2 else {
    print("usage: ClassicPlayer file")
    exit(64)
}
let state = UnsafeMutablePointer<PlayerState>.allocate(capacity: 1)
state.initialize(to: PlayerState())

let url = URL(fileURLWithPath: CommandLine.arguments[1])
checkError(AudioFileOpenURL(url as CFURL, .readPermission, 0, &state.pointee.audioFile), "opening the file")
var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
checkError(AudioFileGetProperty(state.pointee.audioFile!, kAudioFilePropertyDataFormat, &size,
                                &state.pointee.dataFormat), "file's format")
checkError(AudioQueueNewOutput(&state.pointee.dataFormat, handleOutputBuffer, state, CFRunLoopGetCurrent(),
                               CFRunLoopMode.commonModes.rawValue, 0, &state.pointee.queue), "making the queue")

var maxPacketSize: UInt32 = 0
size = UInt32(MemoryLayout<UInt32>.size)
checkError(AudioFileGetProperty(state.pointee.audioFile!, kAudioFilePropertyPacketSizeUpperBound, &size,
                                &maxPacketSize), "largest packet")
let derived = deriveBufferSize(format: state.pointee.dataFormat, maxPacketSize: maxPacketSize, seconds: 0.5)
state.pointee.bufferByteSize = derived.bytes
state.pointee.numPacketsToRead = derived.packets

let isFormatVBR = state.pointee.dataFormat.mBytesPerPacket == 0 || state.pointee.dataFormat.mFramesPerPacket == 0
if isFormatVBR {
    state.pointee.packetDescs = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: Int(derived.packets))
}
copyCookie(from: state.pointee.audioFile!, to: state.pointee.queue!)
AudioQueueAddPropertyListener(state.pointee.queue!, kAudioQueueProperty_IsRunning, handleIsRunning, state)

for i in 0..<kNumberBuffers {
    checkError(AudioQueueAllocateBuffer(state.pointee.queue!, state.pointee.bufferByteSize,
                                        &state.pointee.buffers[i]), "allocating")
    handleOutputBuffer(userData: state, queue: state.pointee.queue!, buffer: state.pointee.buffers[i]!)
}
AudioQueueSetParameter(state.pointee.queue!, kAudioQueueParam_Volume, 1.0)

let wasShort = state.pointee.isDone
state.pointee.isRunning = true
checkError(AudioQueueStart(state.pointee.queue!, nil), "starting")
if wasShort { AudioQueueStop(state.pointee.queue!, false) }
repeat {
    CFRunLoopRunInMode(.defaultMode, 0.25, false)
} while state.pointee.isRunning

AudioQueueDispose(state.pointee.queue!, true)
AudioFileClose(state.pointee.audioFile!)
state.pointee.packetDescs?.deallocate()
state.deinitialize(count: 1)
state.deallocate()
