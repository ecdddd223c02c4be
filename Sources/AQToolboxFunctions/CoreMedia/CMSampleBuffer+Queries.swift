// SPDX-License-Identifier: MIT

public import CAQAudioToolbox
public import CAQCoreMedia

// The published functions that return facts about sample buffers, and that change their state.

/// Sets the data of a sample buffer that has none. The data is not ready before `CMSampleBufferSetDataReady`.
///
/// - Returns: `kCMSampleBufferError_RequiredParameterMissing`, `kCMSampleBufferError_AlreadyHasDataBuffer`,
///   `kCMSampleBufferError_Invalidated`.
@_cdecl("CMSampleBufferSetDataBuffer")
public func cmSampleBufferSetDataBuffer(_ buffer: UnsafeRawPointer?, _ data: UnsafeRawPointer?) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let buffer = try unsafe SampleBuffer.contents(of: buffer)
        guard let data = unsafe MediaReference(data, of: BlockBuffer.objects) else {
            throw StatusError(kCMSampleBufferError_RequiredParameterMissing)
        }
        try buffer.setData(data)
    }
}

/// Returns the data, without a reference for the caller; NULL if there is none, or the buffer is invalid.
@_cdecl("CMSampleBufferGetDataBuffer")
public func cmSampleBufferGetDataBuffer(_ buffer: UnsafeRawPointer?) -> UnsafeMutableRawPointer? {
    guard let buffer = unsafe SampleBuffer.objects.contents(of: buffer), buffer.isValid else { return nil }
    return unsafe buffer.data?.pointer
}

/// Returns the format, without a reference for the caller; NULL if there is none.
@_cdecl("CMSampleBufferGetFormatDescription")
public func cmSampleBufferGetFormatDescription(_ buffer: UnsafeRawPointer?) -> UnsafeMutableRawPointer? {
    unsafe SampleBuffer.objects.contents(of: buffer)?.format?.pointer
}

/// Marks the data as ready.
///
/// - Returns: `kCMSampleBufferError_RequiredParameterMissing`, `kCMSampleBufferError_Invalidated`.
@_cdecl("CMSampleBufferSetDataReady")
public func cmSampleBufferSetDataReady(_ buffer: UnsafeRawPointer?) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        try unsafe SampleBuffer.contents(of: buffer).isReady = true
    }
}

/// Returns whether the data is ready; false for NULL.
@_cdecl("CMSampleBufferDataIsReady")
public func cmSampleBufferDataIsReady(_ buffer: UnsafeRawPointer?) -> Bool {
    guard let buffer = unsafe SampleBuffer.objects.contents(of: buffer) else { return false }
    return buffer.isValid && buffer.isReady
}

/// Calls the callback that provides the data, on this thread, unless the data is ready.
///
/// - Returns: The result of the callback; `kCMSampleBufferError_BufferNotReady` if there is none,
///   `kCMSampleBufferError_RequiredParameterMissing`, `kCMSampleBufferError_Invalidated`.
@_cdecl("CMSampleBufferMakeDataReady")
public func cmSampleBufferMakeDataReady(_ buffer: UnsafeMutableRawPointer?) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let contents = try unsafe SampleBuffer.contents(of: buffer)
        if let buffer = unsafe buffer { try unsafe contents.makeReady(buffer) }
    }
}

/// Makes a buffer invalid: other functions return `kCMSampleBufferError_Invalidated`.
///
/// - Returns: `kCMSampleBufferError_RequiredParameterMissing`, `kCMSampleBufferError_Invalidated` the second time.
@_cdecl("CMSampleBufferInvalidate")
public func cmSampleBufferInvalidate(_ buffer: UnsafeRawPointer?) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        try unsafe SampleBuffer.contents(of: buffer).invalidate()
    }
}

/// Returns whether a buffer is valid; false for NULL.
@_cdecl("CMSampleBufferIsValid")
public func cmSampleBufferIsValid(_ buffer: UnsafeRawPointer?) -> Bool {
    unsafe SampleBuffer.objects.contents(of: buffer)?.isValid ?? false
}

/// Returns the number of samples; 0 for NULL.
@_cdecl("CMSampleBufferGetNumSamples")
public func cmSampleBufferGetNumSamples(_ buffer: UnsafeRawPointer?) -> Int {
    unsafe SampleBuffer.objects.contents(of: buffer)?.sampleCount ?? 0
}

/// Returns the duration of all samples; an invalid time if there are no times.
@_cdecl("CMSampleBufferGetDuration")
public func cmSampleBufferGetDuration(_ buffer: UnsafeRawPointer?) -> CMTime {
    unsafe SampleBuffer.objects.contents(of: buffer)?.duration ?? .kind(.invalid)
}

/// Returns the earliest time of a sample; an invalid time if there are no times.
@_cdecl("CMSampleBufferGetPresentationTimeStamp")
public func cmSampleBufferGetPresentationTimeStamp(_ buffer: UnsafeRawPointer?) -> CMTime {
    unsafe SampleBuffer.objects.contents(of: buffer)?.presentationTime ?? .kind(.invalid)
}

/// Returns the decoding time of the first sample; an invalid time if there is none.
@_cdecl("CMSampleBufferGetDecodeTimeStamp")
public func cmSampleBufferGetDecodeTimeStamp(_ buffer: UnsafeRawPointer?) -> CMTime {
    unsafe SampleBuffer.objects.contents(of: buffer)?.timings.first?.decodeTimeStamp ?? .kind(.invalid)
}

/// Returns the times of a sample. One entry for all samples is the first one's; the others follow it.
///
/// - Returns: `kCMSampleBufferError_RequiredParameterMissing`,
///   `kCMSampleBufferError_BufferHasNoSampleTimingInfo`, `kCMSampleBufferError_SampleIndexOutOfRange`,
///   `kCMSampleBufferError_Invalidated`.
@_cdecl("CMSampleBufferGetSampleTimingInfo")
public func cmSampleBufferGetSampleTimingInfo(
    _ buffer: UnsafeRawPointer?, _ sampleIndex: Int, _ outTiming: UnsafeMutablePointer<CMSampleTimingInfo>?
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let buffer = try unsafe SampleBuffer.contents(of: buffer)
        guard let outTiming = unsafe outTiming else {
            throw StatusError(kCMSampleBufferError_RequiredParameterMissing)
        }
        unsafe outTiming.pointee = try buffer.timing(ofSample: sampleIndex)
    }
}

/// Returns the bytes of a sample; 0 if there is no such sample, or no size.
@_cdecl("CMSampleBufferGetSampleSize")
public func cmSampleBufferGetSampleSize(_ buffer: UnsafeRawPointer?, _ sampleIndex: Int) -> Int {
    unsafe SampleBuffer.objects.contents(of: buffer)?.bytes(ofSample: sampleIndex) ?? 0
}

/// Returns the bytes of all samples; 0 if there are no sizes.
@_cdecl("CMSampleBufferGetTotalSampleSize")
public func cmSampleBufferGetTotalSampleSize(_ buffer: UnsafeRawPointer?) -> Int {
    unsafe SampleBuffer.objects.contents(of: buffer)?.totalBytes ?? 0
}
