// SPDX-License-Identifier: MIT

public import CAQAudioToolbox
public import CAQCoreMedia
public import CoreFoundation

// The published functions that create sample buffers. The allocator is not used: on Linux the Swift runtime allocates
// all objects.

/// The C type `CMSampleBufferMakeDataReadyCallback`.
public typealias SampleBufferProvider =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer?) -> OSStatus

/// Returns the type of sample buffers.
@_cdecl("CMSampleBufferGetTypeID")
public func cmSampleBufferGetTypeID() -> CFTypeID { SampleBuffer.objects.typeID }

/// Creates a sample buffer.
///
/// - Parameters:
///   - dataBuffer: The data; NULL if it is set later.
///   - isReady: Whether the data is complete.
///   - makeDataReady: Called by `CMSampleBufferMakeDataReady`; may be NULL.
///   - formatDescription: The format; may be NULL.
///   - sampleCount: Frames of PCM, or packets.
///   - timingCount: 0, 1 for all samples, which follow each other, or one for each.
///   - sizeCount: 0, 1 for all samples, or one for each.
/// - Returns: `kCMSampleBufferError_RequiredParameterMissing` if the result or an array is NULL, or an object is not of
///   its type; `kCMSampleBufferError_InvalidEntryCount` for other and for negative counts,
///   `kCMSampleBufferError_InvalidSampleData` for sizes of more than half the address space,
///   `kCMSampleBufferError_AllocationFailed`.
@_cdecl("CMSampleBufferCreate")
public func cmSampleBufferCreate(
    _ allocator: CFAllocator?, _ dataBuffer: UnsafeRawPointer?, _ isReady: Bool,
    _ makeDataReady: SampleBufferProvider?, _ refcon: UnsafeMutableRawPointer?,
    _ formatDescription: UnsafeRawPointer?, _ sampleCount: Int, _ timingCount: Int,
    _ timings: UnsafePointer<CMSampleTimingInfo>?, _ sizeCount: Int, _ sizes: UnsafePointer<Int>?,
    _ outBuffer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    unsafe makeSampleBuffer(outBuffer, dataBuffer, formatDescription) { (data, format) throws(StatusError) in
        let timings = try unsafe SampleBuffer.entries(timings, count: timingCount, sampleCount: sampleCount)
        let sizes = try unsafe SampleBuffer.entries(sizes, count: sizeCount, sampleCount: sampleCount)
        guard sizes.allSatisfy({ $0 >= 0 }) else {
            throw StatusError(kCMSampleBufferError_InvalidSampleData)
        }
        return unsafe SampleBuffer(
            sampleCount: sampleCount, format: format, timings: timings, sizes: sizes, data: data,
            isReady: isReady, provider: makeDataReady, providerData: refcon)
    }
}

/// Creates a sample buffer whose data is ready, as ``cmSampleBufferCreate(_:_:_:_:_:_:_:_:_:_:_:_:)``.
@_cdecl("CMSampleBufferCreateReady")
public func cmSampleBufferCreateReady(
    _ allocator: CFAllocator?, _ dataBuffer: UnsafeRawPointer?, _ formatDescription: UnsafeRawPointer?,
    _ sampleCount: Int, _ timingCount: Int, _ timings: UnsafePointer<CMSampleTimingInfo>?,
    _ sizeCount: Int, _ sizes: UnsafePointer<Int>?,
    _ outBuffer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    unsafe cmSampleBufferCreate(
        allocator, dataBuffer, true, nil, nil, formatDescription, sampleCount, timingCount, timings,
        sizeCount,
        sizes, outBuffer)
}

/// Creates a sample buffer of audio, whose times and sizes follow from the format and the packets.
///
/// - Parameters:
///   - presentationTime: The time of the first sample.
///   - packets: A description for each sample; NULL if the format has frames or packets of one size.
/// - Returns: `kCMSampleBufferError_RequiredParameterMissing` for NULL, `kCMSampleBufferError_InvalidEntryCount` if
///   there are no samples, `kCMSampleBufferError_InvalidSampleData` for packets that are not in the data,
///   `kCMSampleBufferError_InvalidMediaFormat` for a format without rate, or without the sizes that are needed;
///   `kCMSampleBufferError_AllocationFailed`.
@_cdecl("CMAudioSampleBufferCreateWithPacketDescriptions")
public func cmAudioSampleBufferCreateWithPacketDescriptions(
    _ allocator: CFAllocator?, _ dataBuffer: UnsafeRawPointer?, _ isReady: Bool,
    _ makeDataReady: SampleBufferProvider?, _ refcon: UnsafeMutableRawPointer?,
    _ formatDescription: UnsafeRawPointer?, _ sampleCount: Int, _ presentationTime: CMTime,
    _ packets: UnsafePointer<AudioStreamPacketDescription>?,
    _ outBuffer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    unsafe makeSampleBuffer(outBuffer, dataBuffer, formatDescription) { (data, format) throws(StatusError) in
        guard let format else { throw StatusError(kCMSampleBufferError_RequiredParameterMissing) }
        guard sampleCount > 0 else { throw StatusError(kCMSampleBufferError_InvalidEntryCount) }
        let packets = try unsafe SampleBuffer.entries(
            packets, count: packets == nil ? 0 : sampleCount, sampleCount: sampleCount)
        let asbd = format.contents.format
        let timings = try SampleBuffer.timings(asbd, from: presentationTime, packets: packets)
        let sizes = try SampleBuffer.sizes(asbd, packets: packets, data: data)
        return unsafe SampleBuffer(
            sampleCount: sampleCount, format: format, timings: timings, sizes: sizes, packets: packets,
            data: data, isReady: isReady, provider: makeDataReady, providerData: refcon)
    }
}

/// Creates a sample buffer of audio whose data is ready, as
/// ``cmAudioSampleBufferCreateWithPacketDescriptions(_:_:_:_:_:_:_:_:_:_:)``; the data must not be NULL.
@_cdecl("CMAudioSampleBufferCreateReadyWithPacketDescriptions")
public func cmAudioSampleBufferCreateReadyWithPacketDescriptions(
    _ allocator: CFAllocator?, _ dataBuffer: UnsafeRawPointer?, _ formatDescription: UnsafeRawPointer?,
    _ sampleCount: Int, _ presentationTime: CMTime,
    _ packets: UnsafePointer<AudioStreamPacketDescription>?,
    _ outBuffer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    guard unsafe dataBuffer != nil else { return kCMSampleBufferError_RequiredParameterMissing }
    return unsafe cmAudioSampleBufferCreateWithPacketDescriptions(
        allocator, dataBuffer, true, nil, nil, formatDescription, sampleCount, presentationTime, packets,
        outBuffer)
}

/// Makes a buffer and gives it to the client; NULL if it cannot be made.
///
/// - Parameter make: Called with the objects of the client, which are of their types or NULL.
private func makeSampleBuffer(
    _ outBuffer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ data: UnsafeRawPointer?,
    _ format: UnsafeRawPointer?,
    _ make: (MediaReference<BlockBuffer>?, MediaReference<FormatDescription>?) throws(StatusError) ->
        SampleBuffer
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        guard let outBuffer = unsafe outBuffer else {
            throw StatusError(kCMSampleBufferError_RequiredParameterMissing)
        }
        unsafe outBuffer.pointee = nil
        let dataReference = unsafe MediaReference(data, of: BlockBuffer.objects)
        let formatReference = unsafe MediaReference(format, of: FormatDescription.objects)
        guard unsafe (data == nil) == (dataReference == nil),
            unsafe (format == nil) == (formatReference == nil)
        else { throw StatusError(kCMSampleBufferError_RequiredParameterMissing) }
        let buffer = try make(dataReference, formatReference)
        guard let object = unsafe SampleBuffer.objects.make(buffer) else {
            throw StatusError(kCMSampleBufferError_AllocationFailed)
        }
        unsafe outBuffer.pointee = object
    }
}
