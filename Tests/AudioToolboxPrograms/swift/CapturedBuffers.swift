// SPDX-License-Identifier: MIT
// swift-format-ignore-file

// Sample buffers as helpers of capture programs make and read them. `CoreMedia` is the only import.
//   CapturedBuffers

import CoreMedia

/// As in a capture session, a list of buffers becomes a sample buffer.
func createAudioSampleBuffer(from list: UnsafePointer<AudioBufferList>, asbd: inout AudioStreamBasicDescription, frames: Int, time: CMTime) -> CMSampleBuffer? {
    var format: CMFormatDescription?
    var status = CMAudioFormatDescriptionCreate(allocator: kCFAllocatorDefault, asbd: &asbd, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil, extensions: nil, formatDescriptionOut: &format)
    if status != noErr { return nil }

    var timing = CMSampleTimingInfo(duration: CMTime(value: 1, timescale: CMTimeScale(asbd.mSampleRate)), presentationTimeStamp: time, decodeTimeStamp: .invalid)
    var sampleBuffer: CMSampleBuffer?
    status = CMSampleBufferCreate(allocator: kCFAllocatorDefault, dataBuffer: nil, dataReady: false, makeDataReadyCallback: nil, refcon: nil, formatDescription: format, sampleCount: CMItemCount(frames), sampleTimingEntryCount: 1, sampleTimingArray: &timing, sampleSizeEntryCount: 0, sampleSizeArray: nil, sampleBufferOut: &sampleBuffer)
    guard status == noErr, let buffer = sampleBuffer else { return nil }

    status = CMSampleBufferSetDataBufferFromAudioBufferList(buffer, blockBufferAllocator: kCFAllocatorDefault, blockBufferMemoryAllocator: kCFAllocatorDefault, flags: 0, bufferList: list)
    return status == noErr ? buffer : nil
}

/// Keeps buffers, and finds the level in them.
final class CaptureDelegate {
    private var buffers: [CMSampleBuffer] = []
    private(set) var start = CMTime.positiveInfinity
    private(set) var end = CMTime.zero

    func captureOutput(didOutput sampleBuffer: CMSampleBuffer) {
        guard CMSampleBufferDataIsReady(sampleBuffer), CMSampleBufferIsValid(sampleBuffer) else { return }
        let pts = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
        start = min(start, pts)
        end = CMTimeAdd(pts, CMSampleBufferGetDuration(sampleBuffer))
        buffers.append(sampleBuffer)
    }

    var frames: Int { buffers.map(CMSampleBufferGetNumSamples).reduce(0, +) }

    /// By a list over the data.
    func peak() -> Float {
        var peak: Float = 0
        for buffer in buffers {
            var list = AudioBufferList()
            var block: CMBlockBuffer?
            let status = CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(buffer, bufferListSizeNeededOut: nil, bufferListOut: &list, bufferListSize: MemoryLayout<AudioBufferList>.size, blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment, blockBufferOut: &block)
            guard status == noErr, let data = list.mBuffers.mData else { continue }
            let samples = UnsafeBufferPointer(start: data.assumingMemoryBound(to: Float.self), count: Int(list.mBuffers.mDataByteSize) / MemoryLayout<Float>.size)
            peak = max(peak, samples.map(abs).max() ?? 0)
            withExtendedLifetime(block) {}
        }
        return peak
    }

    /// By a pointer to the data.
    func sum() -> Float {
        var sum: Float = 0
        for buffer in buffers {
            guard let block = CMSampleBufferGetDataBuffer(buffer) else { continue }
            var lengthAtOffset = 0, totalLength = 0
            var pointer: UnsafeMutablePointer<Int8>?
            guard CMBlockBufferGetDataPointer(block, atOffset: 0, lengthAtOffsetOut: &lengthAtOffset, totalLengthOut: &totalLength, dataPointerOut: &pointer) == kCMBlockBufferNoErr, lengthAtOffset == totalLength, let pointer else { continue }
            pointer.withMemoryRebound(to: Float.self, capacity: totalLength / 4) { samples in
                for i in 0..<totalLength / 4 { sum += samples[i] }
            }
        }
        return sum
    }

    /// By copies of the data.
    func copied() -> [Float] {
        var all = [Float]()
        for buffer in buffers {
            guard let block = CMSampleBufferGetDataBuffer(buffer) else { continue }
            var bytes = [UInt8](repeating: 0, count: CMBlockBufferGetDataLength(block))
            CMBlockBufferCopyDataBytes(block, atOffset: 0, dataLength: bytes.count, destination: &bytes)
            bytes.withUnsafeBytes { all += Array($0.bindMemory(to: Float.self)) }
        }
        return all
    }
}

var asbd = AudioStreamBasicDescription(mSampleRate: 48000, mFormatID: kAudioFormatLinearPCM, mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1, mBitsPerChannel: 32, mReserved: 0)
let delegate = CaptureDelegate()
for index in 0..<10 {
    var samples = [Float](repeating: 0.25, count: 480)
    samples[index] = 0.5
    samples.withUnsafeMutableBytes { memory in
        var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(memory.count), mData: memory.baseAddress))
        if let buffer = createAudioSampleBuffer(from: &list, asbd: &asbd, frames: 480, time: CMTime(seconds: 2, preferredTimescale: 48000) + CMTimeMultiply(CMTimeMake(value: 480, timescale: 48000), multiplier: Int32(index))) {
            delegate.captureOutput(didOutput: buffer)
        }
    }
}
print("\(delegate.frames) frames from \(delegate.start.seconds) s to \(delegate.end.seconds) s")
print(delegate.peak(), delegate.sum(), delegate.copied().count)

// A packet that a network delivered.
let packet: [UInt8] = [1, 2, 3, 4, 5]
var block: CMBlockBuffer?
let memory = UnsafeMutableRawPointer.allocate(byteCount: packet.count, alignment: 1)
memory.copyMemory(from: packet, byteCount: packet.count)
var status = CMBlockBufferCreateWithMemoryBlock(allocator: kCFAllocatorDefault, memoryBlock: memory, blockLength: packet.count, blockAllocator: kCFAllocatorNull, customBlockSource: nil, offsetToData: 0, dataLength: packet.count, flags: 0, blockBufferOut: &block)
var aac = AudioStreamBasicDescription()
aac.mFormatID = kAudioFormatMPEG4AAC
aac.mSampleRate = 44100
aac.mFramesPerPacket = 1024
aac.mChannelsPerFrame = 2
var aacFormat: CMAudioFormatDescription?
CMAudioFormatDescriptionCreate(allocator: nil, asbd: &aac, layoutSize: 0, layout: nil, magicCookieSize: 2, magicCookie: [0x12, 0x10], extensions: nil, formatDescriptionOut: &aacFormat)
var description = AudioStreamPacketDescription(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(packet.count))
var packetBuffer: CMSampleBuffer?
CMAudioSampleBufferCreateReadyWithPacketDescriptions(allocator: kCFAllocatorDefault, dataBuffer: block!, formatDescription: aacFormat!, sampleCount: 1, presentationTimeStamp: .zero, packetDescriptions: &description, sampleBufferOut: &packetBuffer)
print(status, CMSampleBufferGetSampleSize(packetBuffer!, at: 0), CMSampleBufferGetDuration(packetBuffer!) == CMTime(value: 1024, timescale: 44100))
if let format = CMSampleBufferGetFormatDescription(packetBuffer!), let asbd = CMAudioFormatDescriptionGetStreamBasicDescription(format)?.pointee {
    var size = 0
    let cookie = CMAudioFormatDescriptionGetMagicCookie(format, sizeOut: &size)
    print(asbd.mSampleRate, size, cookie!.load(as: UInt8.self), CMFormatDescriptionGetMediaSubType(format) == kAudioFormatMPEG4AAC)
}
