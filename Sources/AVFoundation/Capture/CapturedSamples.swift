// SPDX-License-Identifier: MIT

import AudioQueues
import AudioToolbox
import CoreAudioTypes
import CoreMedia

/// Makes sample buffers of captured audio.
struct CapturedSamples: Sendable {
    private let description: CMFormatDescription
    private let bytesPerFrame: Int

    /// Nil if memory is insufficient.
    init?(_ format: AudioStreamBasicDescription) {
        var format = format
        var made: CMAudioFormatDescription?
        let status = unsafe CMAudioFormatDescriptionCreate(
            allocator: nil, asbd: &format, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
            extensions: nil, formatDescriptionOut: &made)
        guard status == noErr, let made, format.mBytesPerFrame > 0 else { return nil }
        description = made
        bytesPerFrame = Int(format.mBytesPerFrame)
    }

    /// Copies a buffer of a queue; nil if it has no frame, or memory is insufficient.
    ///
    /// - Parameters:
    ///   - hostTime: The time of the first frame.
    ///   - isMuted: Whether to make silence instead.
    func makeSampleBuffer(_ buffer: QueueBuffer, hostTime: UInt64, isMuted: Bool) -> CMSampleBuffer? {
        let frames = buffer.byteCount / bytesPerFrame
        let byteCount = frames * bytesPerFrame
        guard frames > 0, let bytes = unsafe buffer.bytes.baseAddress else { return nil }
        var block: CMBlockBuffer?
        var status = unsafe CMBlockBufferCreateWithMemoryBlock(
            allocator: nil, memoryBlock: nil, blockLength: byteCount, blockAllocator: nil,
            customBlockSource: nil, offsetToData: 0, dataLength: byteCount,
            flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &block)
        guard status == kCMBlockBufferNoErr, let block else { return nil }
        if isMuted {
            status = CMBlockBufferFillDataBytes(
                with: 0, blockBuffer: block, offsetIntoDestination: 0, dataLength: byteCount)
        } else {
            status = unsafe CMBlockBufferReplaceDataBytes(
                with: bytes, blockBuffer: block, offsetIntoDestination: 0, dataLength: byteCount)
        }
        guard status == kCMBlockBufferNoErr else { return nil }
        var sample: CMSampleBuffer?
        status = unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
            allocator: nil, dataBuffer: block, formatDescription: description, sampleCount: frames,
            presentationTimeStamp: CMClockMakeHostTimeFromSystemUnits(hostTime), packetDescriptions: nil,
            sampleBufferOut: &sample)
        return status == noErr ? sample : nil
    }
}
