// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  FileConverter.swift
//
//  AudioConverter from Swift, with planar output: any sound file to raw float channels, resampled.
//
//      FileConverter INPUT RATE OUTPUT-PREFIX
//
//  Writes PREFIX-1.f32, PREFIX-2.f32 and so on, one for each channel.
//
import AudioToolbox
import Foundation

final class PacketReader {
    let file: AudioFileID
    var format = AudioStreamBasicDescription()
    var packet: Int64 = 0
    let capacity: UInt32 = 32_768
    let bytes: UnsafeMutableRawPointer
    let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>
    var packetsPerRead: UInt32

    init?(path: String) {
        var file: AudioFileID?
        guard AudioFileOpenURL(NSURL(fileURLWithPath: path), .readPermission, 0, &file) == noErr, let opened = file else { return nil }
        self.file = opened
        var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        AudioFileGetProperty(opened, kAudioFilePropertyDataFormat, &size, &format)
        var largest: UInt32 = 0
        size = 4
        AudioFileGetProperty(opened, kAudioFilePropertyPacketSizeUpperBound, &size, &largest)
        packetsPerRead = max(1, capacity / max(1, largest))
        bytes = UnsafeMutableRawPointer.allocate(byteCount: Int(max(capacity, largest)), alignment: 16)
        descriptions = UnsafeMutablePointer.allocate(capacity: Int(packetsPerRead))
    }

    deinit {
        AudioFileClose(file)
        bytes.deallocate()
        descriptions.deallocate()
    }
}

let inputProc: AudioConverterComplexInputDataProc = { _, ioPackets, ioData, outDescriptions, userData in
    let reader = Unmanaged<PacketReader>.fromOpaque(userData!).takeUnretainedValue()
    var byteCount = reader.capacity
    ioPackets.pointee = min(ioPackets.pointee, reader.packetsPerRead)
    let status = AudioFileReadPacketData(reader.file, false, &byteCount, reader.descriptions, reader.packet,
                                         ioPackets, reader.bytes)
    if status != noErr && status != kAudioFileEndOfFileError {
        ioPackets.pointee = 0
        return status
    }
    reader.packet += Int64(ioPackets.pointee)
    let buffers = UnsafeMutableAudioBufferListPointer(ioData)
    buffers[0].mData = reader.bytes
    buffers[0].mDataByteSize = ioPackets.pointee == 0 ? 0 : byteCount
    buffers[0].mNumberChannels = reader.format.mChannelsPerFrame
    outDescriptions?.pointee = reader.descriptions
    return noErr
}

guard CommandLine.arguments.count == 4, let rate = Double(CommandLine.arguments[2]),
      let reader = PacketReader(path: CommandLine.arguments[1]) else {
    print("usage: FileConverter input rate output-prefix")
    exit(64)
}
let channels = Int(reader.format.mChannelsPerFrame)
var output = AudioStreamBasicDescription()
output.mSampleRate = rate
output.mFormatID = kAudioFormatLinearPCM
output.mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved
output.mBytesPerPacket = 4
output.mFramesPerPacket = 1
output.mBytesPerFrame = 4
output.mChannelsPerFrame = UInt32(channels)
output.mBitsPerChannel = 32

var converterRef: AudioConverterRef?
var status = AudioConverterNew(&reader.format, &output, &converterRef)
guard status == noErr, let converter = converterRef else {
    print("AudioConverterNew: \(status)")
    exit(1)
}
var cookieSize: UInt32 = 0
if AudioFileGetPropertyInfo(reader.file, kAudioFilePropertyMagicCookieData, &cookieSize, nil) == noErr && cookieSize > 0 {
    var cookie = [UInt8](repeating: 0, count: Int(cookieSize))
    AudioFileGetProperty(reader.file, kAudioFilePropertyMagicCookieData, &cookieSize, &cookie)
    AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, cookieSize, &cookie)
}
var quality = UInt32(kAudioConverterQuality_Max)
AudioConverterSetProperty(converter, kAudioConverterSampleRateConverterQuality, 4, &quality)

let outputs: [FileHandle] = (1...channels).map { channel in
    let path = "\(CommandLine.arguments[3])-\(channel).f32"
    FileManager.default.createFile(atPath: path, contents: nil)
    return FileHandle(forWritingAtPath: path)!
}
let framesPerFill = 4096
let list = AudioBufferList.allocate(maximumBuffers: channels)
var storage = (0..<channels).map { _ in UnsafeMutableBufferPointer<Float>.allocate(capacity: framesPerFill) }
var total = 0
while true {
    for channel in 0..<channels { list[channel] = AudioBuffer(storage[channel], numberOfChannels: 1) }
    var frames = UInt32(framesPerFill)
    status = AudioConverterFillComplexBuffer(converter, inputProc, Unmanaged.passUnretained(reader).toOpaque(), &frames,
                                             list.unsafeMutablePointer, nil)
    guard status == noErr else {
        print("AudioConverterFillComplexBuffer: \(status)")
        exit(1)
    }
    if frames == 0 { break }
    for (channel, buffer) in list.enumerated() {
        outputs[channel].write(Data(bytes: buffer.mData!, count: Int(buffer.mDataByteSize)))
    }
    total += Int(frames)
}
print("\(total) frames, \(channels) channels")
AudioConverterDispose(converter)
storage.forEach { $0.deallocate() }
free(list.unsafeMutablePointer)
