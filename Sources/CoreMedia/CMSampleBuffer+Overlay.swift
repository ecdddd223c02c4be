// SPDX-License-Identifier: MIT

public import CAQCoreMedia
public import CoreAudioTypes
import Foundation

extension CMFormatDescription {
    /// The format of audio; nil if this describes no audio.
    ///
    /// The corresponding C function is `CMAudioFormatDescriptionGetStreamBasicDescription`.
    public var audioStreamBasicDescription: AudioStreamBasicDescription? {
        unsafe CMAudioFormatDescriptionGetStreamBasicDescription(self)?.pointee
    }
}

extension CMSampleBuffer {
    /// The format of the samples; nil without one.
    ///
    /// The corresponding C function is `CMSampleBufferGetFormatDescription`.
    public var formatDescription: CMFormatDescription? { CMSampleBufferGetFormatDescription(self) }

    /// The bytes of the samples; nil without any.
    ///
    /// The corresponding C function is `CMSampleBufferGetDataBuffer`.
    public var dataBuffer: CMBlockBuffer? { CMSampleBufferGetDataBuffer(self) }

    /// The number of samples: frames of linear PCM, or packets.
    ///
    /// The corresponding C function is `CMSampleBufferGetNumSamples`.
    public var numSamples: Int { CMSampleBufferGetNumSamples(self) }

    /// The time of the first sample, invalid without one.
    ///
    /// The corresponding C function is `CMSampleBufferGetPresentationTimeStamp`.
    public var presentationTimeStamp: CMTime { CMSampleBufferGetPresentationTimeStamp(self) }

    /// The duration of all samples, invalid if it is not known.
    ///
    /// The corresponding C function is `CMSampleBufferGetDuration`.
    public var duration: CMTime { CMSampleBufferGetDuration(self) }

    /// Calls `body` with the audio as a list of buffers, and the block that has their memory. The list is valid during
    /// the call.
    ///
    /// The corresponding C function is `CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer`.
    ///
    /// - Throws: An `NSError` with the function's result if the buffer has no audio, and what `body` throws.
    public func withAudioBufferList<Result>(
        _ body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> Result
    ) throws -> Result {
        var size = 0
        try unsafe MediaFailure.check(
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                self, bufferListSizeNeededOut: &size, bufferListOut: nil, bufferListSize: 0,
                blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil),
            "get the list of a sample buffer")
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { unsafe memory.deallocate() }
        let list = unsafe memory.assumingMemoryBound(to: AudioBufferList.self)
        var block: CMBlockBuffer?
        try unsafe MediaFailure.check(
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                self, bufferListSizeNeededOut: nil, bufferListOut: list, bufferListSize: size,
                blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: &block),
            "get the list of a sample buffer")
        guard let block else {
            throw MediaFailure.error(kCMSampleBufferError_BufferNotReady, "get the list of a sample buffer")
        }
        return try unsafe body(UnsafeMutableAudioBufferListPointer(list), block)
    }
}
