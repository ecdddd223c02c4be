// SPDX-License-Identifier: MIT

public import CoreAudioTypes

extension AudioConverter {
    /// The answer of a caller to a request for packets.
    @unsafe public enum Supply {
        /// Whole packets, any number of them; 0 is the end of the stream.
        ///
        /// The memory must remain unchanged until the next request or ``AudioConverter/reset()``, because unused
        /// packets are read later. Each packet of varying size needs a description, with its offset from the
        /// beginning of the memory. Other packets may have nil.
        case packets(
            UnsafeRawBufferPointer, descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?,
            packetCount: Int)
        /// Frames of non-interleaved linear PCM of several channels, in a buffer for each channel; 0 is the end of the
        /// stream. The frames are copied before the next request.
        case buffers(UnsafeMutableAudioBufferListPointer, frames: Int)
        /// The end of the stream.
        case endOfStream
        /// No packets at present: the output made so far is returned.
        case noDataNow
    }

    /// The result of a call.
    public struct Filled: Sendable, Equatable {
        /// The number of packets written; for linear PCM, of frames.
        public var packets: Int
        /// The number of bytes written; for non-interleaved linear PCM, of each channel.
        public var bytes: Int
        /// Whether the stream has ended and was returned completely.
        public var isEnd: Bool
        /// Whether the output is shorter than requested because no input was supplied at present.
        public var isWaiting: Bool

        /// Makes a result.
        public init(packets: Int = 0, bytes: Int = 0, isEnd: Bool = false, isWaiting: Bool = false) {
            self.packets = packets
            self.bytes = bytes
            self.isEnd = isEnd
            self.isWaiting = isWaiting
        }
    }

    /// Makes packets of output, and requests input as required.
    ///
    /// Fewer packets than requested are made only at the end of the stream, if no input is supplied at present, if
    /// the next packet does not fit, or if an operation fails. After a failure, this call returns the packets made
    /// before, and the next call throws the error. After the end, every call makes no packet and requests no input,
    /// until ``reset()``.
    ///
    /// - Parameters:
    ///   - output: Room for packets, of any alignment: for ``maximumOutputPacketSize`` bytes each if packets vary in
    ///     size.
    ///   - descriptions: Room for as many descriptions as packets are requested; required if packets vary in size.
    ///     Offsets are from the beginning of `output`. If not nil, descriptions are written for packets of any format.
    ///   - maximumPackets: The largest number of packets to make; for linear PCM, of frames.
    ///   - supply: Supplies packets, if possible at least as many as its argument requests. Called on this thread, any
    ///     number of times; must not call the converter.
    /// - Throws: ``CodecError``, or an error of `supply`. ``CodecError/Code/missingPacketDescriptions`` if packets of
    ///   varying size have no descriptions; ``CodecError/Code/outputTooSmall`` if no packet fits;
    ///   ``CodecError/Code/invalidInputSize`` if the supplied packets exceed their memory, or the input format requires
    ///   the other case of ``Supply``; ``CodecError/Code/unsupportedOperation`` if the output has a buffer for each
    ///   channel.
    ///
    /// The corresponding C function is `AudioConverterFillComplexBuffer`, in which a callback's own status
    /// corresponds to ``Supply/noDataNow`` after the packets that it returns.
    @unsafe
    public func fill(
        _ output: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>? = nil, maximumPackets: Int,
        supply: (_ packetsWanted: Int) throws -> Supply
    ) throws -> Filled {
        guard deinterleaver == nil else {
            throw conversionError(.unsupportedOperation, "one buffer for channels that have one each")
        }
        return try unsafe fillWhole(output, descriptions, maximumPackets, supply)
    }

    /// Makes packets of output in the buffers of a list, and requests input as required.
    ///
    /// Differs from the function with one buffer in the output: a buffer for each channel of non-interleaved linear
    /// PCM, for which no descriptions are written, or one buffer for all other formats. Sets the byte sizes of these
    /// buffers. Throws ``CodecError/Code/outputTooSmall`` also if buffers are missing.
    @unsafe
    public func fill(
        _ output: UnsafeMutableAudioBufferListPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>? = nil, maximumPackets: Int,
        supply: (_ packetsWanted: Int) throws -> Supply
    ) throws -> Filled {
        guard unsafe output.count > 0 else { throw conversionError(.outputTooSmall, "a list of no buffers") }
        guard let deinterleaver else {
            let whole = unsafe UnsafeMutableRawBufferPointer(
                start: output[0].mData, count: output[0].mData == nil ? 0 : Int(output[0].mDataByteSize))
            let filled = try unsafe fillWhole(whole, descriptions, maximumPackets, supply)
            unsafe output[0].mDataByteSize = UInt32(filled.bytes)
            return filled
        }
        let bytesPerSample = Int(outputFormat.mBytesPerFrame)
        let channels = Int(outputFormat.mChannelsPerFrame)
        guard unsafe output.count >= channels else {
            throw conversionError(.outputTooSmall, "\(unsafe output.count) buffers for \(channels) channels")
        }
        var frames = max(maximumPackets, 0)
        for channel in 0..<channels {
            let buffer = unsafe output[channel]
            frames = unsafe min(frames, buffer.mData == nil ? 0 : Int(buffer.mDataByteSize) / bytesPerSample)
        }
        guard frames > 0 || maximumPackets <= 0 else {
            throw conversionError(.outputTooSmall, "no frame fits the buffers")
        }
        let whole = unsafe deinterleaver.room(byteCount: frames * bytesPerSample * channels)
        var filled = try unsafe fillWhole(whole, nil, frames, supply)
        try unsafe deinterleaver.deinterleave(frames: filled.packets, into: output)
        filled.bytes = filled.packets * bytesPerSample
        return filled
    }
}
