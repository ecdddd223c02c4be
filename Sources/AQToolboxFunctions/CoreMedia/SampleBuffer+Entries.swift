// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CAQCoreMedia
import CoreAudioTypes

/// Times, sizes and packets, as the client passes them, or as they follow from a format.
extension SampleBuffer {
    /// So many entries at most. A buffer of a second has 192,000 samples, and one entry for all of them.
    private static let entryLimit = 1 << 24

    /// The entries of an array of the client.
    ///
    /// - Parameter isExact: Whether there is one entry for each sample, not also none or one.
    /// - Throws: `kCMSampleBufferError_InvalidEntryCount`, `kCMSampleBufferError_RequiredParameterMissing` if the
    ///   array is missing, `kCMSampleBufferError_AllocationFailed` for too many entries.
    @unsafe
    static func entries<Entry>(
        _ array: UnsafePointer<Entry>?, count: Int, sampleCount: Int
    ) throws(StatusError) -> [Entry] {
        guard sampleCount >= 0, count == 0 || count == 1 || count == sampleCount else {
            throw StatusError(kCMSampleBufferError_InvalidEntryCount)
        }
        guard count > 0 else { return [] }
        guard let array = unsafe array else {
            throw StatusError(kCMSampleBufferError_RequiredParameterMissing)
        }
        guard count <= entryLimit else { throw StatusError(kCMSampleBufferError_AllocationFailed) }
        return unsafe Array(UnsafeBufferPointer(start: array, count: count))
    }

    /// The times of packets or frames that begin at a time.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidMediaFormat` if the format has no rate.
    static func timings(
        _ format: AudioStreamBasicDescription, from start: CMTime, packets: [AudioStreamPacketDescription]
    ) throws(StatusError) -> [CMSampleTimingInfo] {
        guard format.mSampleRate > 0, format.mSampleRate.isFinite else {
            throw StatusError(kCMSampleBufferError_InvalidMediaFormat)
        }
        func timing(frames: UInt32, at time: CMTime) -> CMSampleTimingInfo {
            CMSampleTimingInfo(
                duration: duration(ofFrames: Int64(frames), format), presentationTimeStamp: time,
                decodeTimeStamp: .kind(.invalid))
        }
        if format.mFramesPerPacket > 0 { return [timing(frames: format.mFramesPerPacket, at: start)] }
        var timings: [CMSampleTimingInfo] = []
        var frame: Int64 = 0
        for packet in packets {
            let time = CMTime.sum(start, duration(ofFrames: frame, format))
            timings.append(timing(frames: packet.mVariableFramesInPacket, at: time))
            frame += Int64(packet.mVariableFramesInPacket)
        }
        guard !timings.isEmpty else { throw StatusError(kCMSampleBufferError_InvalidMediaFormat) }
        return timings
    }

    /// The duration of frames, exact if the rate is an integer.
    private static func duration(ofFrames frames: Int64, _ format: AudioStreamBasicDescription) -> CMTime {
        if let rate = Int32(exactly: format.mSampleRate) { return .number(frames, rate) }
        return .seconds(Float64(frames) / format.mSampleRate, timescale: 1_000_000_000)
    }

    /// The sizes of packets or frames.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidSampleData` if packets are not in the data,
    ///   `kCMSampleBufferError_InvalidMediaFormat` if sizes do not follow from the format.
    static func sizes(
        _ format: AudioStreamBasicDescription, packets: [AudioStreamPacketDescription],
        data: MediaReference<BlockBuffer>?
    ) throws(StatusError) -> [Int] {
        guard !packets.isEmpty else {
            guard let bytes = bytesPerSample(format) else {
                throw StatusError(kCMSampleBufferError_InvalidMediaFormat)
            }
            return [bytes]
        }
        if let data {
            let isInData = packets.allSatisfy { packet in
                let (end, overflow) = packet.mStartOffset.addingReportingOverflow(
                    Int64(packet.mDataByteSize))
                return packet.mStartOffset >= 0 && !overflow && end <= data.contents.byteCount
            }
            guard isInData else { throw StatusError(kCMSampleBufferError_InvalidSampleData) }
        }
        return packets.map { Int($0.mDataByteSize) }
    }

    /// The bytes of a frame of PCM, in all channels, or of a packet of constant size; nil if there is no such size.
    static func bytesPerSample(_ format: AudioStreamBasicDescription) -> Int? {
        let bytes = format.isLinearPCM ? format.mBytesPerFrame : format.mBytesPerPacket
        let (total, overflow) = Int(bytes).multipliedReportingOverflow(
            by: BufferLists.bufferCount(of: format))
        return overflow || total == 0 ? nil : total
    }
}
