public import CoreAudioTypes

extension AudioConverter {
    /// The answer of a caller to a request for packets.
    @unsafe public enum Supply {
        /// Any number of whole packets; 0 is the end of the stream.
        ///
        /// The memory must remain unchanged until the next request, or until ``AudioConverter/reset()``:
        /// packets that are not used at once are read from it later. Packets that differ in size need a
        /// description each, with offsets from the beginning of the memory; others may have nil.
        case packets(
            UnsafeRawBufferPointer, descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?,
            packetCount: Int)
        /// Frames of non-interleaved linear PCM, in a buffer for each channel; 0 is the end of the stream.
        case buffers(UnsafeMutableAudioBufferListPointer, frames: Int)
        /// There are no more packets.
        case endOfStream
        /// More packets may follow later: the output made so far is returned.
        case noDataNow
    }

    /// The result of a call.
    public struct Filled: Sendable, Equatable {
        /// The number of packets written; for linear PCM these are frames.
        public var packets: Int
        /// The number of bytes written; for each channel of non-interleaved linear PCM.
        public var bytes: Int
        /// Whether the stream has ended and all of it has been returned.
        public var isEnd: Bool
        /// Whether the output is shorter than requested because the supply had no data at present.
        public var isWaiting: Bool

        /// Makes a result.
        public init(packets: Int = 0, bytes: Int = 0, isEnd: Bool = false, isWaiting: Bool = false) {
            self.packets = packets
            self.bytes = bytes
            self.isEnd = isEnd
            self.isWaiting = isWaiting
        }
    }

    /// Makes packets of output, and requests input as it is needed.
    ///
    /// Fewer packets than requested are made only at the end of the stream, if the supply has no data at
    /// present, if the next packet does not fit, or if an operation fails. After a failure the packets made
    /// before it are returned, and the next call throws the error. After the end every call makes nothing,
    /// and requests nothing, until ``reset()``.
    ///
    /// - Parameters:
    ///   - output: Room for packets, of any alignment. For packets that differ in size, up to
    ///     ``maximumOutputPacketSize`` bytes each.
    ///   - descriptions: Room for the descriptions of packets that differ in size; as many as are requested.
    ///     Offsets are from the beginning of `output`. Written for all packets if not nil.
    ///   - maximumPackets: The largest number of packets to make; frames for linear PCM.
    ///   - supply: Called with the least number of input packets that are needed; may return fewer or more.
    ///     Called on this thread, any number of times; must not call the converter.
    /// - Throws: ``CodecError``, or an error of `supply`. ``CodecError/Code/missingPacketDescriptions`` if
    ///   packets that differ in size have no descriptions; ``CodecError/Code/outputTooSmall`` if not a single
    ///   packet fits; ``CodecError/Code/invalidInputSize`` if a description exceeds the memory.
    ///
    /// The corresponding C function is `AudioConverterFillComplexBuffer`; there, a callback's own status
    /// corresponds to ``Supply/noDataNow``, with the packets it returns.
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

    /// Makes frames of non-interleaved linear PCM, and requests input as it is needed.
    ///
    /// It differs from ``fill(_:descriptions:maximumPackets:supply:)`` in the output: the buffers of a list,
    /// one for each channel, or one for interleaved channels. Their byte sizes are set to the number of bytes
    /// written.
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
