// SPDX-License-Identifier: MIT

public import CAQAudioToolbox
import CAQCoreMedia
import CoreAudioTypes
public import CoreFoundation

// The published functions that exchange audio with sample buffers.

/// Copies the buffers of a list into one block, one after the other. The block becomes the data, which is ready.
///
/// PCM that is not interleaved needs a buffer for each channel, everything else one buffer. The block begins at a
/// multiple of 16 bytes if the allocator is the default one; buffers after the first follow without a gap.
///
/// - Returns: `kCMSampleBufferError_RequiredParameterMissing` for NULL, `kCMSampleBufferError_AlreadyHasDataBuffer`,
///   `kCMSampleBufferError_InvalidMediaTypeForOperation` without a format,
///   `kCMSampleBufferError_InvalidMediaFormat` for another number of buffers,
///   `kCMSampleBufferError_InvalidSampleData` for buffers without memory, or with fewer frames than the sample buffer;
///   `kCMBlockBufferBlockAllocationFailedErr`, `kCMSampleBufferError_Invalidated`.
@_cdecl("CMSampleBufferSetDataBufferFromAudioBufferList")
public func cmSampleBufferSetDataBufferFromAudioBufferList(
    _ buffer: UnsafeRawPointer?, _ structureAllocator: CFAllocator?, _ blockAllocator: CFAllocator?,
    _ flags: UInt32, _ list: UnsafePointer<AudioBufferList>?
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let buffer = try unsafe SampleBuffer.contents(of: buffer)
        guard let list = unsafe list else {
            throw StatusError(kCMSampleBufferError_RequiredParameterMissing)
        }
        try unsafe buffer.copy(list, allocator: blockAllocator)
    }
}

/// Makes a list of buffers over the data, and returns a block buffer that owns their memory, for the caller to release.
///
/// If the data is not contiguous, or not aligned as the flags demand, it is copied.
///
/// - Parameters:
///   - outListSize: Receives the size that the list needs; may be NULL.
///   - outList: Receives the list; NULL to get only the size.
///   - listSize: The bytes of the list.
/// - Returns: `kCMSampleBufferError_RequiredParameterMissing` for NULL, `kCMSampleBufferError_ArrayTooSmall`,
///   `kCMSampleBufferError_BufferNotReady`, `kCMSampleBufferError_InvalidSampleData` if the data does not contain the
///   samples, `kCMSampleBufferError_InvalidMediaTypeForOperation`, `kCMSampleBufferError_InvalidMediaFormat`,
///   `kCMSampleBufferError_Invalidated`, and the results of block buffers.
@_cdecl("CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer")
public func cmSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
    _ buffer: UnsafeRawPointer?, _ outListSize: UnsafeMutablePointer<Int>?,
    _ outList: UnsafeMutablePointer<AudioBufferList>?, _ listSize: Int, _ structureAllocator: CFAllocator?,
    _ blockAllocator: CFAllocator?, _ flags: UInt32,
    _ outBlockBuffer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        unsafe outBlockBuffer?.pointee = nil
        let buffer = try unsafe SampleBuffer.contents(of: buffer)
        let count = BufferLists.bufferCount(of: try buffer.audioFormat())
        let needed = unsafe MemoryLayout<UInt64>.size + count * MemoryLayout<AudioBuffer>.stride
        unsafe outListSize?.pointee = needed
        guard let outList = unsafe outList else {
            // A block buffer without a list would be of no use.
            guard unsafe outBlockBuffer == nil else {
                throw StatusError(kCMSampleBufferError_RequiredParameterMissing)
            }
            return
        }
        guard let outBlockBuffer = unsafe outBlockBuffer else {
            throw StatusError(kCMSampleBufferError_RequiredParameterMissing)
        }
        // A size of more than half the address space is negative in Swift.
        guard listSize < 0 || listSize >= needed else {
            throw StatusError(kCMSampleBufferError_ArrayTooSmall)
        }
        let owner = try unsafe buffer.fill(
            outList, allocator: blockAllocator,
            isAligned: flags & UInt32(kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment) != 0)
        unsafe outBlockBuffer.pointee = owner.retainedPointer
    }
}

/// Copies the descriptions of the packets.
///
/// - Parameters:
///   - size: The bytes of the array.
///   - outPackets: Receives the descriptions; NULL to get only their size.
///   - outSize: Receives the size that they need, which is 0 if packets have one size; may be NULL.
/// - Returns: `kCMSampleBufferError_RequiredParameterMissing`, `kCMSampleBufferError_ArrayTooSmall`,
///   `kCMSampleBufferError_Invalidated`.
@_cdecl("CMSampleBufferGetAudioStreamPacketDescriptions")
public func cmSampleBufferGetAudioStreamPacketDescriptions(
    _ buffer: UnsafeRawPointer?, _ size: Int,
    _ outPackets: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    _ outSize: UnsafeMutablePointer<Int>?
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let packets = try unsafe SampleBuffer.contents(of: buffer).packets
        let needed = packets.count * MemoryLayout<AudioStreamPacketDescription>.stride
        unsafe outSize?.pointee = needed
        guard let outPackets = unsafe outPackets else { return }
        guard size < 0 || size >= needed else { throw StatusError(kCMSampleBufferError_ArrayTooSmall) }
        unsafe outPackets.update(from: packets, count: packets.count)
    }
}

/// Copies frames of PCM into the buffers of a list, and sets the buffers' sizes.
///
/// - Returns: `kCMSampleBufferError_RequiredParameterMissing` for NULL, also in a buffer;
///   `kCMSampleBufferError_InvalidMediaFormat` if the samples are not PCM, and for another number of buffers;
///   `kCMSampleBufferError_SampleIndexOutOfRange`, `kCMSampleBufferError_ArrayTooSmall`,
///   `kCMSampleBufferError_BufferNotReady`, `kCMSampleBufferError_InvalidSampleData`,
///   `kCMSampleBufferError_InvalidMediaTypeForOperation`, `kCMSampleBufferError_Invalidated`, and the results of block
///   buffers.
@_cdecl("CMSampleBufferCopyPCMDataIntoAudioBufferList")
public func cmSampleBufferCopyPCMDataIntoAudioBufferList(
    _ buffer: UnsafeRawPointer?, _ frameOffset: Int32, _ frameCount: Int32,
    _ list: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let buffer = try unsafe SampleBuffer.contents(of: buffer)
        guard let list = unsafe list else {
            throw StatusError(kCMSampleBufferError_RequiredParameterMissing)
        }
        try unsafe buffer.copyFrames(Int(frameOffset), Int(frameCount), to: list)
    }
}
