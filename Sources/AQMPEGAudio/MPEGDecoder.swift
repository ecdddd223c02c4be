// SPDX-License-Identifier: MIT

import CAQMpg123

/// A decoder of MPEG audio, layers I to III, that takes one packet and returns its PCM at once.
///
/// Every packet of the stream's own rate decodes to exactly `samplesPerFrame` frames, from the first packet on. Packets
/// of another rate or channel count are converted to those of the stream. Nothing is trimmed: the caller has the packet
/// table and trims priming and remainder.
///
/// Used by one thread at a time.
public final class MPEGDecoder {
    /// Frames per second of the output.
    public let sampleRate: Int
    /// Channels of the output, 1 or 2, interleaved.
    public let channels: Int
    /// The number of frames that a packet of the stream's own rate decodes to.
    public let samplesPerFrame: Int
    /// The largest number of frames that one packet decodes to: more than ``samplesPerFrame`` if the packet's rate is
    /// lower than the stream's.
    public let maximumFramesPerPacket: Int
    /// The number of packets that could not be decoded and became silence.
    public private(set) var damagedPackets = 0

    private let handle: MPEGHandle
    /// Whether the feed is open; false if the library must discard earlier packets before the next one.
    private var isFeedOpen = false
    /// The body size of free-format packets that the library is configured for; -1 if none.
    private var freeFormatBytes = -1
    /// The main data of the packets since the last reset, which later packets may refer to.
    private var reservoir = MPEGReservoir()

    /// Makes a decoder whose output has the given rate and channel count.
    ///
    /// - Throws: `unsupportedFormat` if MPEG audio has no such rate, channel count or frame length;
    ///   `libraryFailed` if memory is insufficient.
    public init(sampleRate: Int, channels: Int, samplesPerFrame: Int) throws(MPEGAudioError) {
        guard Self.sampleRates.contains(sampleRate), 1...2 ~= channels,
            [384, 576, 1152].contains(samplesPerFrame)
        else {
            throw MPEGAudioError(
                .unsupportedFormat,
                "cannot decode MPEG audio of \(sampleRate) Hz, \(channels) channels, "
                    + "\(samplesPerFrame) frames a packet: MPEG audio has no such format")
        }
        self.sampleRate = sampleRate
        self.channels = channels
        self.samplesPerFrame = samplesPerFrame
        maximumFramesPerPacket = (1152 * max(sampleRate, 8000) + 7999) / 8000 + 1
        handle = try MPEGHandle()
        try handle.set(
            MPG123_FLAGS,
            MPEG123.flags(
                MPG123_QUIET, MPG123_NO_READAHEAD, MPG123_IGNORE_INFOFRAME, MPG123_SKIP_ID3V2,
                MPG123_AUTO_RESAMPLE))
        try handle.set(MPG123_VERBOSE, 0)
        // One packet is in the feed at a time; the default pool is many times larger.
        try handle.set(MPG123_FEEDPOOL, 2)
        let encoding = Int32(MPG123_ENC_FLOAT_32.rawValue)
        guard unsafe mpg123_format_none(handle.pointer) == MPEG123.ok,
            unsafe mpg123_format(handle.pointer, sampleRate, Int32(channels), encoding) == MPEG123.ok
        else {
            throw handle.failure("cannot decode MPEG audio to \(sampleRate) Hz, \(channels) channels")
        }
    }

    /// Decodes one packet.
    ///
    /// A packet that cannot be decoded becomes silence of its length and is counted in ``damagedPackets``.
    ///
    /// - Parameters:
    ///   - packet: One whole packet, header included.
    ///   - output: Room for ``maximumFramesPerPacket`` frames; ``samplesPerFrame`` are enough for a stream
    ///     whose packets have one rate.
    /// - Returns: The number of frames written.
    /// - Throws: `outputTooSmall` if the frames do not fit; `libraryFailed` if the decoder is unusable.
    public func decode(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<Float>
    ) throws(MPEGAudioError) -> Int {
        guard packet.count >= 4,
            let header = MPEGFrameHeader(
                bits: unsafe UInt32(bigEndian: packet.loadUnaligned(as: UInt32.self)))
        else {
            return try unsafe writeSilence(frames: samplesPerFrame, into: output)
        }
        let frames = header.samplesPerFrame * sampleRate / header.sampleRate
        if let bytes = header.packetBytes {
            guard packet.count >= bytes else { return try unsafe writeSilence(frames: frames, into: output) }
            // The feed must be empty after each packet, or later packets would be decoded one packet late.
            return try unsafe decodeWhole(
                UnsafeRawBufferPointer(rebasing: packet[..<bytes]), header, silentFrames: frames, into: output
            )
        }
        if let highest = header.atHighestBitRate, packet.count <= highest.packetBytes ?? 0 {
            return try unsafe decodeWhole(packet, highest, silentFrames: frames, into: output)
        }
        let bodyBytes = packet.count - 4 - header.paddingBytes
        guard bodyBytes > 0 else { return try unsafe writeSilence(frames: frames, into: output) }
        if bodyBytes != freeFormatBytes {
            freeFormatBytes = bodyBytes
            try handle.set(MPG123_FREEFORMAT_SIZE, bodyBytes)
            isFeedOpen = false
        }
        return try unsafe decodeWhole(packet, header, silentFrames: frames, into: output)
    }

    /// Returns the number of frames that packet `number`, counted from 0, decodes to at the output's rate.
    ///
    /// The number varies: libmpg123 resamples in steps of a fraction that it rounds down.
    public static func frames(of header: MPEGFrameHeader, number: Int, sampleRate: Int) -> Int {
        guard header.sampleRate != sampleRate else { return header.samplesPerFrame }
        let unit = 32768
        let step = header.samplesPerFrame * (sampleRate * unit / header.sampleRate)
        func end(_ packets: Int) -> Int { (unit / 2 + packets * step) / unit }
        return end(number + 1) - end(number)
    }

    /// Resets the decoder, as before the first packet or after a seek.
    public func reset() {
        isFeedOpen = false
    }

    private func decodeWhole(
        _ packet: UnsafeRawBufferPointer, _ header: MPEGFrameHeader, silentFrames: Int,
        into output: UnsafeMutableBufferPointer<Float>
    ) throws(MPEGAudioError) -> Int {
        if !isFeedOpen {
            guard unsafe mpg123_open_feed(handle.pointer) == MPEG123.ok else {
                throw handle.failure("cannot start an MPEG audio decoder")
            }
            isFeedOpen = true
            reservoir = MPEGReservoir()
        }
        guard unsafe feed(packet, header) == MPEG123.ok else {
            isFeedOpen = false
            return try unsafe writeSilence(frames: silentFrames, into: output)
        }
        var audio: UnsafeMutablePointer<UInt8>?
        var audioBytes = 0
        var status = unsafe mpg123_decode_frame(handle.pointer, nil, &audio, &audioBytes)
        if status == MPEG123.newFormat {
            status = unsafe mpg123_decode_frame(handle.pointer, nil, &audio, &audioBytes)
        }
        let frameBytes = channels * MemoryLayout<Float>.stride
        guard status == MPEG123.ok, let audio = unsafe audio, audioBytes >= frameBytes else {
            // The rest of a rejected packet must not become part of the next one.
            isFeedOpen = false
            return try unsafe writeSilence(frames: silentFrames, into: output)
        }
        guard audioBytes <= output.count * MemoryLayout<Float>.stride else {
            throw outputTooSmall(frames: audioBytes / frameBytes)
        }
        // SAFETY: the library's audio remains valid until the next call on the handle.
        unsafe UnsafeMutableRawBufferPointer(output).copyMemory(
            from: UnsafeRawBufferPointer(start: audio, count: audioBytes))
        return audioBytes / frameBytes
    }

    /// Passes a packet to the library; `header` may state a bit rate other than the packet's.
    private func feed(_ packet: UnsafeRawBufferPointer, _ header: MPEGFrameHeader) -> Int32 {
        if header.layer == 2 { return unsafe feedLayerII(packet, header) }
        let available = reservoir.bytes
        if unsafe reservoir.add(packet, header) { return unsafe feed(packet[...]) }
        // QUIRK: libmpg123 silences a packet whose main data began before the first packet that it received. At the
        // lower rates, version 1.31 does not clear one byte of the side information, so the packet decodes to noise.
        // Skipped steps of the synthesis window also change the rounding of all later packets. So the packet is
        // silenced here. The packet keeps its reference to the available main data, which the library then passes to
        // later packets.
        let side = MPEGReservoir.sideInformation(of: header, packetBytes: packet.count)
        var silence = [17 of UInt8](repeating: 0)
        silence[0] = UInt8(clamping: available)
        let status = unsafe silence.span.bytes.withUnsafeBytes { silence in
            let start = unsafe feed(packet[..<side.lowerBound])
            return unsafe start == MPEG123.ok ? feed(silence[..<side.count]) : start
        }
        return unsafe status == MPEG123.ok ? feed(packet[side.upperBound...]) : status
    }

    /// Passes the header, the rest of the packet, and zeros up to the length that the header states.
    ///
    /// After its samples, a packet contains ancillary bytes of any value and number.
    private func feedLayerII(_ packet: UnsafeRawBufferPointer, _ header: MPEGFrameHeader) -> Int32 {
        var status = unsafe withUnsafeBytes(of: header.bits.bigEndian) { unsafe feed($0[...]) }
        if status == MPEG123.ok { status = unsafe feed(packet[4...]) }
        let missing = (header.packetBytes ?? packet.count) - packet.count
        if status == MPEG123.ok, missing > 0 {
            status = unsafe withUnsafeTemporaryAllocation(byteCount: missing, alignment: 1) { zeros in
                unsafe zeros.initializeMemory(as: UInt8.self, repeating: 0)
                return unsafe feed(UnsafeRawBufferPointer(zeros)[...])
            }
        }
        return status
    }

    private func feed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int32 {
        // SAFETY: the library copies the bytes before it returns.
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes)
        return unsafe mpg123_feed(
            handle.pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    private func writeSilence(
        frames: Int, into output: UnsafeMutableBufferPointer<Float>
    ) throws(MPEGAudioError) -> Int {
        guard frames * channels <= output.count else { throw outputTooSmall(frames: frames) }
        unsafe output.prefix(frames * channels).update(repeating: 0)
        damagedPackets += 1
        return frames
    }

    private func outputTooSmall(frames: Int) -> MPEGAudioError {
        MPEGAudioError(
            .outputTooSmall, "cannot decode an MPEG audio packet: its \(frames) frames do not fit the output")
    }

    private static let sampleRates = [44100, 48000, 32000, 22050, 24000, 16000, 11025, 12000, 8000]
}
