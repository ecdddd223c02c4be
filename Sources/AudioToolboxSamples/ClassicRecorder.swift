// SPDX-License-Identifier: MIT

//  Records the default input the classic way: a state object, three buffers whose size is derived from a
//  duration, the cookie of the encoder. A file name that ends in ".caf" selects AAC, any other name AIFF.
//
//      ClassicRecorder memo.caf 10

import AudioToolbox
import Foundation

/// The state of the callback. Nothing else uses it until the queue has stopped.
final class RecorderState {
    static let bufferCount = 3

    let file: AudioFileID
    let bytesPerPacket: UInt32
    var nextPacket: Int64 = 0
    var writeResult: OSStatus = noErr

    init(file: AudioFileID, bytesPerPacket: UInt32) {
        self.file = file
        self.bytesPerPacket = bytesPerPacket
    }
}

struct AudioError: Error, CustomStringConvertible {
    let status: OSStatus
    let operation: String
    var description: String { "cannot \(operation) (error \(status))" }
}

func check(_ status: OSStatus, _ operation: String) throws {
    if status != noErr { throw AudioError(status: status, operation: operation) }
}

// MARK: The callback

/// Writes a buffer that the queue has filled, on a thread of the queue, and enqueues it again.
func takeBuffer(
    userData: UnsafeMutableRawPointer?, queue: AudioQueueRef, buffer: AudioQueueBufferRef,
    startTime: UnsafePointer<AudioTimeStamp>, packetCount: UInt32,
    descriptions: UnsafePointer<AudioStreamPacketDescription>?
) {
    guard let userData else { return }
    let state = Unmanaged<RecorderState>.fromOpaque(userData).takeUnretainedValue()
    let bytes = buffer.pointee.mAudioDataByteSize
    // Packets of one size have no descriptions, and their number may be 0.
    var packets = state.bytesPerPacket > 0 ? bytes / state.bytesPerPacket : packetCount
    if packets > 0, state.writeResult == noErr {
        state.writeResult = AudioFileWritePackets(
            state.file, false, bytes, descriptions, state.nextPacket, &packets, buffer.pointee.mAudioData)
        state.nextPacket += Int64(packets)
    }
    AudioQueueEnqueueBuffer(queue, buffer, 0, nil)  // refused while the queue stops, which is not an error
}

// MARK: Before the first buffer

func recordingFormat(isAAC: Bool) throws -> AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    format.mSampleRate = 44_100
    format.mChannelsPerFrame = 2
    if isAAC {
        format.mFormatID = kAudioFormatMPEG4AAC
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        try check(
            AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &format), "find AAC")
        return format
    }
    format.mFormatID = kAudioFormatLinearPCM
    format.mFormatFlags =
        kAudioFormatFlagIsBigEndian | kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
    format.mBitsPerChannel = 16
    format.mFramesPerPacket = 1
    format.mBytesPerFrame = 2 * format.mChannelsPerFrame
    format.mBytesPerPacket = format.mBytesPerFrame
    return format
}

/// The size of a buffer of `seconds`, at least one packet.
func deriveBufferSize(
    queue: AudioQueueRef, format: AudioStreamBasicDescription, seconds: Double
) throws -> UInt32 {
    var largestPacket = format.mBytesPerPacket
    if largestPacket == 0 {
        var size = UInt32(MemoryLayout<UInt32>.size)
        try check(
            AudioQueueGetProperty(queue, kAudioQueueProperty_MaximumOutputPacketSize, &largestPacket, &size),
            "get the largest packet size")
    }
    let packets = (format.mSampleRate / Double(max(format.mFramesPerPacket, 1)) * seconds).rounded(.up)
    return max(UInt32(min(packets * Double(largestPacket), 0x50000)), largestPacket)
}

/// Passes the encoder's magic cookie to the file, if there is one.
func copyMagicCookie(from queue: AudioQueueRef, to file: AudioFileID) throws {
    var size: UInt32 = 0
    let status = AudioQueueGetPropertySize(queue, kAudioQueueProperty_MagicCookie, &size)
    guard status == noErr, size > 0 else { return }
    var cookie = [UInt8](repeating: 0, count: Int(size))
    try check(AudioQueueGetProperty(queue, kAudioQueueProperty_MagicCookie, &cookie, &size), "read cookie")
    try check(AudioFileSetProperty(file, kAudioFilePropertyMagicCookieData, size, cookie), "write cookie")
}

// MARK: The program

func record(to path: String, seconds: Double) throws {
    let isAAC = path.hasSuffix(".caf")
    var format = try recordingFormat(isAAC: isAAC)
    var created: AudioFileID?
    try check(
        AudioFileCreateWithURL(
            URL(fileURLWithPath: path) as CFURL, isAAC ? kAudioFileCAFType : kAudioFileAIFFType, &format,
            .eraseFile, &created), "make \(path)")
    guard let file = created else { return }
    defer { AudioFileClose(file) }

    let state = RecorderState(file: file, bytesPerPacket: format.mBytesPerPacket)
    let userData = Unmanaged.passRetained(state)  // while there are callbacks
    defer { userData.release() }
    var made: AudioQueueRef?
    try check(
        AudioQueueNewInput(&format, takeBuffer, userData.toOpaque(), nil, nil, 0, &made), "record this")
    guard let queue = made else { return }
    defer { AudioQueueDispose(queue, true) }
    try copyMagicCookie(from: queue, to: file)

    let bufferBytes = try deriveBufferSize(queue: queue, format: format, seconds: 0.5)
    for _ in 0..<RecorderState.bufferCount {
        var allocated: AudioQueueBufferRef?
        try check(AudioQueueAllocateBuffer(queue, bufferBytes, &allocated), "allocate a buffer")
        if let buffer = allocated { try check(AudioQueueEnqueueBuffer(queue, buffer, 0, nil), "enqueue it") }
    }
    try check(AudioQueueStart(queue, nil), "start")
    Thread.sleep(forTimeInterval: seconds)
    try check(AudioQueueStop(queue, true), "stop")  // the last buffer, partly filled, is delivered here
    try copyMagicCookie(from: queue, to: file)  // some encoders complete it only now
    try check(state.writeResult, "write \(path)")
}

guard CommandLine.arguments.count == 3, let seconds = Double(CommandLine.arguments[2]), seconds > 0 else {
    FileHandle.standardError.write(Data("usage: ClassicRecorder FILE SECONDS\n".utf8))
    exit(64)
}
do {
    try record(to: CommandLine.arguments[1], seconds: seconds)
} catch {
    FileHandle.standardError.write(Data("ClassicRecorder: \(error)\n".utf8))
    exit(1)
}
