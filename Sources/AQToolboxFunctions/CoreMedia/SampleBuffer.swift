// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CAQCoreMedia
import CoreAudioTypes

/// The contents of a `CMSampleBufferRef`: samples, their format, times and sizes.
///
/// A client may read a buffer on any thread, and change it on one thread at a time.
@safe final class SampleBuffer {
    static let objects = MediaObjectClass<SampleBuffer>("CMSampleBuffer")

    /// The function of a client that provides the data later.
    typealias Provider = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer?) -> OSStatus

    let sampleCount: Int
    let format: MediaReference<FormatDescription>?
    /// None, one for all samples, or one for each.
    let timings: [CMSampleTimingInfo]
    /// The bytes of samples: none, one for all samples, or one for each.
    private(set) var sizes: [Int]
    /// Descriptions of packets of different sizes.
    let packets: [AudioStreamPacketDescription]
    private(set) var data: MediaReference<BlockBuffer>?
    var isReady: Bool
    var isValid = true

    // SAFETY: the client guarantees its function and the pointer as long as the buffer exists.
    private let provider: Provider?
    private let providerData: UnsafeMutableRawPointer?

    @unsafe
    init(
        sampleCount: Int, format: MediaReference<FormatDescription>?, timings: [CMSampleTimingInfo],
        sizes: [Int], packets: [AudioStreamPacketDescription] = [], data: MediaReference<BlockBuffer>?,
        isReady: Bool, provider: Provider?, providerData: UnsafeMutableRawPointer?
    ) {
        self.sampleCount = sampleCount
        self.format = format
        self.timings = timings
        self.sizes = sizes
        self.packets = packets
        self.data = data
        self.isReady = isReady
        unsafe self.provider = provider
        unsafe self.providerData = providerData
    }

    /// The contents of an object.
    ///
    /// - Throws: `kCMSampleBufferError_RequiredParameterMissing`, `kCMSampleBufferError_Invalidated`.
    @unsafe
    static func contents(of object: UnsafeRawPointer?) throws(StatusError) -> SampleBuffer {
        guard let buffer = unsafe objects.contents(of: object) else {
            throw StatusError(kCMSampleBufferError_RequiredParameterMissing)
        }
        guard buffer.isValid else { throw StatusError(kCMSampleBufferError_Invalidated) }
        return buffer
    }

    /// Sets the data of a buffer that has none.
    ///
    /// - Parameter bytesPerSample: The size of all samples, unless the client stated sizes.
    /// - Throws: `kCMSampleBufferError_AlreadyHasDataBuffer`.
    func setData(_ data: MediaReference<BlockBuffer>, bytesPerSample: Int? = nil) throws(StatusError) {
        guard self.data == nil else { throw StatusError(kCMSampleBufferError_AlreadyHasDataBuffer) }
        self.data = data
        if sizes.isEmpty, let bytesPerSample { sizes = [bytesPerSample] }
    }

    /// Calls the client's function unless the data is ready.
    ///
    /// - Parameter object: The object of this buffer.
    /// - Throws: The result of the function, `kCMSampleBufferError_BufferNotReady` if there is none.
    @unsafe
    func makeReady(_ object: UnsafeMutableRawPointer) throws(StatusError) {
        guard !isReady else { return }
        guard let provider = unsafe provider else {
            throw StatusError(kCMSampleBufferError_BufferNotReady)
        }
        try StatusError.check(unsafe provider(object, providerData))
        isReady = true
    }

    /// Invalidates the buffer, which keeps its data and format until it is released.
    func invalidate() { isValid = false }

    /// The data, which is ready.
    ///
    /// - Throws: `kCMSampleBufferError_BufferNotReady`.
    func readyData() throws(StatusError) -> MediaReference<BlockBuffer> {
        guard isReady, let data else { throw StatusError(kCMSampleBufferError_BufferNotReady) }
        return data
    }

    /// The bytes of all samples; nil if the sizes are unknown, or their sum is too large.
    var totalBytes: Int? {
        guard let first = sizes.first else { return nil }
        if sizes.count == 1 {
            let (total, overflow) = first.multipliedReportingOverflow(by: sampleCount)
            return overflow ? nil : total
        }
        var total = 0
        for size in sizes {
            let (sum, overflow) = total.addingReportingOverflow(size)
            if overflow { return nil }
            total = sum
        }
        return total
    }

    /// The bytes of a sample; nil if there is no such sample, or no size.
    func bytes(ofSample index: Int) -> Int? {
        guard 0..<sampleCount ~= index, let first = sizes.first else { return nil }
        return sizes.count == 1 ? first : sizes[index]
    }

    /// The duration of all samples.
    var duration: CMTime {
        guard let first = timings.first else { return .kind(.invalid) }
        if timings.count == 1 { return first.duration.times(Int64(sampleCount)) }
        return timings.dropFirst().reduce(first.duration) { .sum($0, $1.duration) }
    }

    /// The earliest time of a sample.
    var presentationTime: CMTime {
        timings.map(\.presentationTimeStamp).min { CMTime.order($0, $1) < 0 } ?? .kind(.invalid)
    }

    /// The times of a sample.
    ///
    /// - Throws: `kCMSampleBufferError_BufferHasNoSampleTimingInfo`, `kCMSampleBufferError_SampleIndexOutOfRange`.
    func timing(ofSample index: Int) throws(StatusError) -> CMSampleTimingInfo {
        guard let first = timings.first else {
            throw StatusError(kCMSampleBufferError_BufferHasNoSampleTimingInfo)
        }
        guard 0..<sampleCount ~= index else {
            throw StatusError(kCMSampleBufferError_SampleIndexOutOfRange)
        }
        guard timings.count == 1, index > 0 else { return timings[index] }
        let offset = first.duration.times(Int64(index))
        return CMSampleTimingInfo(
            duration: first.duration, presentationTimeStamp: .sum(first.presentationTimeStamp, offset),
            decodeTimeStamp: .sum(first.decodeTimeStamp, offset))
    }
}
