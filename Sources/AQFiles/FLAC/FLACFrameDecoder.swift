// SPDX-License-Identifier: MIT

import CAQFLAC

/// The owner of one libFLAC decoder, which decodes the frames of a stream one by one as they arrive.
///
/// The library reads from the queue of ``ArrivingBytes``, whose bytes stay there until the frame is decoded. So the
/// same bytes can be read again after a failure, and after a wait that was not allowed.
@safe final class FLACFrameDecoder {
    enum Outcome {
        /// The bytes of the frame were removed from the queue.
        case decoded
        case damaged
        /// The rest of the frame would require a wait.
        case late
    }

    /// The samples of the last decoded frame, interleaved.
    private(set) var samples: [UInt8] = []
    /// The number of bytes read by the library for the last frame.
    private(set) var readBytes = 0

    private let flac: aq_flac_functions
    private let info: FLACStreamInfo
    private let bytes: ArrivingBytes
    private let handle: UnsafeMutablePointer<FLAC__StreamDecoder>
    /// The rest of the header that the library reads first.
    private var head: [UInt8] = []
    /// The number of bytes at the start of the queue that the library has read.
    private var ahead = 0
    /// The number of bytes at which a frame counts as endless.
    private var mostBytes = 0
    /// The number of the sample after the last frame.
    private var nextSample: Int64?
    /// The header of the frame that is being decoded.
    private var header: FLACFrameHeader?
    private var outcome: Outcome?

    /// - Throws: `unsupported` if the library is missing, has no memory, or rejects the format.
    init(_ info: FLACStreamInfo, bytes: ArrivingBytes) throws(AudioFileError) {
        unsafe flac = try LoadedLibrary.functions(for: "FLAC", aq_flac)
        guard let handle = unsafe flac.stream_decoder_new() else {
            throw AudioFileError(.unsupported, "libFLAC has no memory for a decoder")
        }
        unsafe self.handle = handle
        self.info = info
        self.bytes = bytes
        try open()
    }

    deinit { unsafe flac.stream_decoder_delete(handle) }

    /// Starts the library with a header that has no more than the format.
    ///
    /// The corresponding C function is `FLAC__stream_decoder_init_stream`.
    private func open() throws(AudioFileError) {
        var fields = FLAC__StreamMetadata_StreamInfo()
        // Frames of one length are numbered by it.
        (fields.min_blocksize, fields.max_blocksize) = (
            UInt32(info.mostFramesPerBlock), UInt32(info.mostFramesPerBlock)
        )
        (fields.sample_rate, fields.channels) = (UInt32(info.sampleRate), UInt32(info.channels))
        fields.bits_per_sample = UInt32(info.bits)
        let contents = FLACHeader.streamInfo(fields, frames: 0)
        head = Array("fLaC".utf8) + [0x80, 0, 0, UInt8(contents.count)] + contents
        (ahead, nextSample, header, outcome) = (0, nil, nil, nil)
        let status = unsafe flac.stream_decoder_init_stream(
            handle, Self.read, nil, Self.tell, nil, nil, Self.write, nil, Self.failed,
            Unmanaged.passUnretained(self).toOpaque())
        guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK,
            unsafe flac.stream_decoder_process_until_end_of_metadata(handle) != 0, outcome == nil
        else { throw AudioFileError(.unsupported, "libFLAC refuses the format (status \(status.rawValue))") }
    }

    /// Decodes the frame at the start of the queue.
    ///
    /// - Parameter header: The header at the start of the queue.
    ///
    /// The corresponding C function is `FLAC__stream_decoder_process_single`.
    func decode(_ header: FLACFrameHeader) throws(AudioFileError) -> Outcome {
        // QUIRK: libFLAC 1.4 inserts frames of silence itself before a number that does not follow the last one.
        if let nextSample, nextSample != header.firstSample { try reopen() }
        self.header = header
        outcome = nil
        let plainBytes = Int(header.frames) * info.channels * (info.bits + 1) / 8
        mostBytes = 2 * plainBytes + Self.extraBytes
        _ = unsafe flac.stream_decoder_process_single(handle)
        readBytes = ahead
        var position: UInt64 = 0
        if outcome == .decoded,
            unsafe flac.stream_decoder_get_decode_position(handle, &position) != 0,
            position > 0, position <= ahead, position <= bytes.queue.count
        {
            bytes.queue.skip(Int64(position))
            ahead -= Int(position)
            nextSample = header.firstSample + header.frames
            return .decoded
        }
        let isLate = outcome == .late
        try restart()
        return isLate ? .late : .damaged
    }

    /// Makes the library continue at the start of the queue, wherever it read before.
    func restart() throws(AudioFileError) {
        if ahead > 0 { try reopen() }
    }

    private func reopen() throws(AudioFileError) {
        // The library keeps a byte of its search for frames when it is only flushed.
        unsafe _ = flac.stream_decoder_finish(handle)
        try open()
    }

    // MARK: Callbacks

    private static func of(_ context: UnsafeMutableRawPointer?) -> FLACFrameDecoder? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<FLACFrameDecoder>.fromOpaque(context).takeUnretainedValue()
    }

    private static let read: FLAC__StreamDecoderReadCallback = { _, memory, byteCount, context in
        guard let memory = unsafe memory, let byteCount = unsafe byteCount,
            let decoder = unsafe FLACFrameDecoder.of(context)
        else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
        let room = unsafe UnsafeMutableRawBufferPointer(start: memory, count: byteCount.pointee)
        let count = unsafe decoder.copyBytes(into: room)
        unsafe byteCount.pointee = count ?? 0
        guard let count else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
        return count > 0
            ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE : FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
    }

    /// Copies the next bytes; returns 0 at the end, and nil if the library must stop.
    private func copyBytes(into room: UnsafeMutableRawBufferPointer) -> Int? {
        if !head.isEmpty {
            let count = min(room.count, head.count)
            unsafe room.copyBytes(from: head[..<count])
            head.removeFirst(count)
            return count
        }
        guard header != nil, outcome == nil else { return nil }
        while ahead >= bytes.queue.count {
            guard ahead < mostBytes else {
                outcome = .damaged
                return nil
            }
            switch bytes.readMore() {
            case .some: break
            case .none: return 0
            case .late:
                outcome = .late
                return nil
            }
        }
        let count = min(room.count, bytes.queue.count - ahead)
        unsafe room.copyMemory(
            from: UnsafeRawBufferPointer(rebasing: bytes.queue.bytes[ahead..<ahead + count]))
        ahead += count
        return count
    }

    private static let tell: FLAC__StreamDecoderTellCallback = { _, offset, context in
        guard let decoder = unsafe FLACFrameDecoder.of(context) else {
            return FLAC__STREAM_DECODER_TELL_STATUS_ERROR
        }
        unsafe offset?.pointee = UInt64(decoder.ahead)
        return FLAC__STREAM_DECODER_TELL_STATUS_OK
    }

    private static let write: FLAC__StreamDecoderWriteCallback = { _, frame, channels, context in
        guard let frame = unsafe frame, let channels = unsafe channels,
            let decoder = unsafe FLACFrameDecoder.of(context),
            unsafe decoder.take(frame.pointee.header, channels)
        else { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
    }

    /// Stores the samples of a frame; returns false if it is not the requested one.
    private func take(
        _ found: FLAC__FrameHeader, _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>
    ) -> Bool {
        guard outcome == nil, let header, Int64(found.blocksize) == header.frames,
            found.channels == info.channels, found.bits_per_sample == info.bits
        else {
            outcome = .damaged
            return false
        }
        samples = unsafe FLACSamples.interleaved(
            channels, channelCount: info.channels, frames: Int(header.frames), bits: info.bits)
        outcome = .decoded
        return true
    }

    /// The callback for damage. The library would then search for the next frame itself, and mute parts.
    private static let failed: FLAC__StreamDecoderErrorCallback = { _, _, context in
        guard let decoder = unsafe FLACFrameDecoder.of(context), decoder.outcome != .late else { return }
        decoder.outcome = .damaged
    }

    /// The size of what the library reads at once, and of headers.
    private static let extraBytes = 64 << 10
}
