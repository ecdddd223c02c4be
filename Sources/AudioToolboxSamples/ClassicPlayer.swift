// SPDX-License-Identifier: MIT

//  Plays an audio file the classic way: a state structure for the callbacks, three buffers whose size is
//  derived from a duration, the cookie of the file, descriptions of packets.
//
//      ClassicPlayer song.m4a

import AudioToolbox
import Foundation

/// The state of the callbacks. They run on the main run loop, so nothing else uses it at the same time.
struct PlayerState {
    static let bufferCount = 3

    let file: AudioFileID
    var packetsPerBuffer: UInt32 = 0
    /// The memory for descriptions; nil for formats with a constant packet size.
    var packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    var nextPacket: Int64 = 0
    var readResult: OSStatus = noErr
}

struct AudioError: Error, CustomStringConvertible {
    let status: OSStatus
    let operation: String
    var description: String { "cannot \(operation) (error \(status))" }
}

func check(_ status: OSStatus, _ operation: String) throws {
    if status != noErr { throw AudioError(status: status, operation: operation) }
}

// MARK: Callbacks

/// Fills a buffer that the queue has returned. At the end of the file the queue stops after the last frame.
func fillBuffer(userData: UnsafeMutableRawPointer?, queue: AudioQueueRef, buffer: AudioQueueBufferRef) {
    guard let state = userData?.assumingMemoryBound(to: PlayerState.self) else { return }
    var bytes = buffer.pointee.mAudioDataBytesCapacity
    var packets = state.pointee.packetsPerBuffer
    let status = AudioFileReadPacketData(
        state.pointee.file, false, &bytes, state.pointee.packetDescriptions, state.pointee.nextPacket,
        &packets, buffer.pointee.mAudioData)
    if status != noErr, status != kAudioFileEndOfFileError { state.pointee.readResult = status }
    guard packets > 0 else {
        AudioQueueStop(queue, false)
        return
    }
    buffer.pointee.mAudioDataByteSize = bytes
    let descriptions = state.pointee.packetDescriptions
    AudioQueueEnqueueBuffer(queue, buffer, descriptions == nil ? 0 : packets, descriptions)
    state.pointee.nextPacket += Int64(packets)
}

/// Stops the program's run loop when the last frame has been played.
func runningChanged(userData: UnsafeMutableRawPointer?, queue: AudioQueueRef, id: AudioQueuePropertyID) {
    var isRunning: UInt32 = 0
    var size = UInt32(MemoryLayout<UInt32>.size)
    AudioQueueGetProperty(queue, id, &isRunning, &size)
    if isRunning == 0 { CFRunLoopStop(CFRunLoopGetMain()) }
}

// MARK: Before the first buffer

/// The size of a buffer of `seconds`, and the number of packets to read into it.
func deriveBufferSize(
    format: AudioStreamBasicDescription, largestPacket: UInt32, seconds: Double
) -> (bytes: UInt32, packets: UInt32) {
    let (smallest, largest): (UInt32, UInt32) = (0x4000, 0x50000)
    let packetBytes = max(largestPacket, 1)
    var bytes = largest
    if format.mFramesPerPacket != 0 {
        let packets = format.mSampleRate / Double(format.mFramesPerPacket) * seconds
        let wanted = packets * Double(packetBytes)
        if wanted < Double(largest) { bytes = max(UInt32(max(wanted, 0)), smallest) }
    }
    bytes = max(bytes, packetBytes)
    return (bytes, bytes / packetBytes)
}

/// Passes the file's magic cookie to the queue, if there is one.
func copyMagicCookie(from file: AudioFileID, to queue: AudioQueueRef) throws {
    var size: UInt32 = 0
    let status = AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &size, nil)
    guard status == noErr, size > 0 else { return }
    var cookie = [UInt8](repeating: 0, count: Int(size))
    try check(AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &size, &cookie), "read cookie")
    try check(AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, size), "use cookie")
}

// MARK: The program

func play(_ path: String) throws {
    var opened: AudioFileID?
    try check(
        AudioFileOpenURL(URL(fileURLWithPath: path) as CFURL, .readPermission, 0, &opened), "open \(path)")
    guard let file = opened else { return }
    defer { AudioFileClose(file) }

    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    try check(AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &format), "read its format")
    var largestPacket: UInt32 = 0
    size = UInt32(MemoryLayout<UInt32>.size)
    try check(
        AudioFileGetProperty(file, kAudioFilePropertyPacketSizeUpperBound, &size, &largestPacket),
        "read how large its packets are")

    let state = UnsafeMutablePointer<PlayerState>.allocate(capacity: 1)
    state.initialize(to: PlayerState(file: file))
    defer {
        state.pointee.packetDescriptions?.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }
    let bufferSize = deriveBufferSize(format: format, largestPacket: largestPacket, seconds: 0.5)
    state.pointee.packetsPerBuffer = bufferSize.packets
    if format.mBytesPerPacket == 0 || format.mFramesPerPacket == 0 {
        state.pointee.packetDescriptions = .allocate(capacity: Int(bufferSize.packets))
    }

    var made: AudioQueueRef?
    try check(
        AudioQueueNewOutput(
            &format, fillBuffer, state, CFRunLoopGetCurrent(), CFRunLoopMode.commonModes.rawValue, 0, &made),
        "play its format")
    guard let queue = made else { return }
    defer { AudioQueueDispose(queue, true) }
    try copyMagicCookie(from: file, to: queue)
    try check(
        AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, runningChanged, nil), "listen")

    for _ in 0..<PlayerState.bufferCount {
        var allocated: AudioQueueBufferRef?
        try check(AudioQueueAllocateBuffer(queue, bufferSize.bytes, &allocated), "allocate a buffer")
        if let buffer = allocated { fillBuffer(userData: state, queue: queue, buffer: buffer) }
    }
    guard state.pointee.nextPacket > 0 else { return try check(state.pointee.readResult, "read \(path)") }
    try check(AudioQueueStart(queue, nil), "start")
    CFRunLoopRun()
    try check(state.pointee.readResult, "read \(path)")
}

guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: ClassicPlayer FILE\n".utf8))
    exit(64)
}
do {
    try play(CommandLine.arguments[1])
} catch {
    FileHandle.standardError.write(Data("ClassicPlayer: \(error)\n".utf8))
    exit(1)
}
