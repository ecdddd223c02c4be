public import CoreAudioTypes

extension AudioConverter {
    /// What a caller has to give when it is asked for packets.
    @unsafe public enum Supply {
        /// Whole packets, any number of them; 0 is the end of the stream.
        ///
        /// The memory must stay as it is until the next request, or until ``AudioConverter/reset()``: what is not
        /// used at once is used later, from where it is. Packets that differ in size need a description each, with
        /// offsets from the beginning of the memory; for others they may be nil.
        case packets(
            UnsafeRawBufferPointer, descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?,
            packetCount: Int)
        /// Frames of non-interleaved linear PCM, in a buffer for each channel; 0 is the end of the stream.
        case buffers(UnsafeMutableAudioBufferListPointer, frames: Int)
        /// There is no more.
        case endOfStream
        /// There may be more later: what has been made so far is given.
        case noDataNow
    }

    /// What a call has made.
    public struct Filled: Sendable, Equatable {
        /// Packets written; for linear PCM these are frames.
        public var packets: Int
        /// Bytes written; of each channel for non-interleaved linear PCM.
        public var bytes: Int
        /// True if the stream has ended and all of it has been given.
        public var isEnd: Bool
        /// True if there is less than asked for because the supply had no data for now.
        public var isWaiting: Bool

        /// Makes a result.
        public init(packets: Int = 0, bytes: Int = 0, isEnd: Bool = false, isWaiting: Bool = false) {
            self.packets = packets
            self.bytes = bytes
            self.isEnd = isEnd
            self.isWaiting = isWaiting
        }
    }

    /// Makes packets of output, asking for input as it is needed.
    ///
    /// Fewer packets than asked for are made only at the end of the stream, if the supply has no data for now, if
    /// the next one does not fit, or if something fails. After a failure the packets before it are given, and the
    /// next call throws it. After the end every call makes nothing, and asks for nothing, until ``reset()``.
    ///
    /// - Parameters:
    ///   - output: Room for packets, of any alignment. For packets that differ in size, up to
    ///     ``maximumOutputPacketSize`` bytes each.
    ///   - descriptions: Where packets that differ in size are described; as many as are asked for. Offsets are
    ///     from the beginning of `output`. Written if given, also for others.
    ///   - maximumPackets: The most packets to make; frames for linear PCM.
    ///   - supply: Asked for packets of the input: for so many at least, but may give fewer or more. Called on
    ///     this thread, any number of times; must not call the converter.
    /// - Throws: ``CodecError``, or what `supply` throws. ``CodecError/Code/missingPacketDescriptions`` if
    ///   packets that differ in size come or would go without; ``CodecError/Code/outputTooSmall`` if not one
    ///   packet fits; ``CodecError/Code/invalidInputSize`` if packets are not where they are said to be.
    ///
    /// The corresponding C function is `AudioConverterFillComplexBuffer`; a callback's own status is what
    /// ``Supply/noDataNow`` stands for, and what follows the packets there.
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

    /// Makes frames of non-interleaved linear PCM, asking for input as it is needed.
    ///
    /// As ``fill(_:descriptions:maximumPackets:supply:)``, but for where the frames go: into the buffers of a list,
    /// one for each channel, or one for interleaved channels. Their byte sizes are set to what was written.
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
