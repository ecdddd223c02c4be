// SPDX-License-Identifier: MIT

import AQMagicCookies
import CAQVorbis

/// The owner of one libvorbis encoder.
@safe final class VorbisEncoder: OggEncoder {
    let timing: OggTiming

    private let vorbis: aq_vorbis_functions
    private let channels: Int
    private let info: UnsafeMutablePointer<vorbis_info>
    private let state: UnsafeMutablePointer<vorbis_dsp_state>
    private let block: UnsafeMutablePointer<vorbis_block>
    private var identification: [UInt8] = []
    private var setup: [UInt8] = []
    /// The library's name as it stores it.
    private var vendor: [UInt8] = []

    /// - Parameter bitRate: The average bit rate in bits per second, which selects the quality; nil selects quality 5,
    ///   about 160 kbit/s in stereo at 44.1 kHz.
    /// - Throws: `unsupported` if Vorbis does not have the format, or the libraries are missing or reject it.
    ///
    /// The corresponding C functions are `vorbis_encode_init_vbr` and `vorbis_encode_setup_managed`.
    init(sampleRate: Int, channels: Int, bitRate: Int?) throws(AudioFileError) {
        guard 8000...200_000 ~= sampleRate else {
            throw AudioFileError(
                .unsupported, "Ogg Vorbis files have rates from 8 to 200 kHz, not \(sampleRate) Hz")
        }
        guard 1...8 ~= channels else {
            throw AudioFileError(.unsupported, "Ogg Vorbis files have 1 to 8 channels, not \(channels)")
        }
        unsafe vorbis = try LoadedLibrary.functions(for: "Vorbis", aq_vorbis)
        timing = OggTiming(positionsPerSecond: Int64(sampleRate))
        self.channels = channels
        unsafe info = .allocate(capacity: 1)
        unsafe state = .allocate(capacity: 1)
        unsafe block = .allocate(capacity: 1)
        // The library's functions that release memory accept zeros.
        unsafe info.initialize(to: vorbis_info())
        unsafe state.initialize(to: vorbis_dsp_state())
        unsafe block.initialize(to: vorbis_block())
        unsafe vorbis.vorbis_info_init(info)
        guard configure(sampleRate: sampleRate, bitRate: bitRate) == 0 else {
            throw AudioFileError(
                .unsupported, refusal(sampleRate: sampleRate, channels: channels, bitRate: bitRate))
        }
        guard unsafe vorbis.vorbis_analysis_init(state, info) == 0,
            unsafe vorbis.vorbis_block_init(state, block) == 0
        else {
            throw AudioFileError(.unsupported, "libvorbis has no memory for an encoder")
        }
        try makeHeaders()
    }

    deinit {
        unsafe _ = vorbis.vorbis_block_clear(block)
        unsafe vorbis.vorbis_dsp_clear(state)
        unsafe vorbis.vorbis_info_clear(info)
        unsafe block.deallocate()
        unsafe state.deallocate()
        unsafe info.deallocate()
    }

    /// - Returns: The library's status.
    private func configure(sampleRate: Int, bitRate: Int?) -> CInt {
        guard let bitRate else {
            return unsafe vorbis.vorbis_encode_init_vbr(info, channels, sampleRate, Self.quality)
        }
        // The bit rate selects a quality; a constant rate would cost more of it.
        let status = unsafe vorbis.vorbis_encode_setup_managed(info, channels, sampleRate, -1, bitRate, -1)
        guard status == 0 else { return status }
        unsafe _ = vorbis.vorbis_encode_ctl(info, OV_ECTL_RATEMANAGE2_SET, nil)
        return unsafe vorbis.vorbis_encode_setup_init(info)
    }

    private func refusal(sampleRate: Int, channels: Int, bitRate: Int?) -> String {
        let files = "Ogg Vorbis files of \(sampleRate) Hz and \(channels) channels"
        guard let bitRate else { return "\(files) cannot have quality 5" }
        guard let range = kilobitRange(sampleRate: sampleRate, channels: channels) else {
            return "\(files) cannot have \(BitRateText.kilobits(bitRate)); other bit rates may work"
        }
        return "\(files) have bit rates of \(range.lowerBound) to \(range.upperBound) kbit/s, not "
            + BitRateText.kilobits(bitRate)
    }

    /// The highest bit rate that is tried, above that of the best quality for each channel.
    private static let mostKilobitsPerChannel = 320

    /// Returns the bit rates that the library supports, in kbit/s; nil if there are none.
    ///
    /// The library does not publish its limits, so it is asked for each rate, which costs less than a millisecond in
    /// all.
    private func kilobitRange(sampleRate: Int, channels: Int) -> ClosedRange<Int>? {
        let supported = (1...Self.mostKilobitsPerChannel * channels).filter { kilobits in
            var info = unsafe vorbis_info()
            // SAFETY: the library initializes and clears a local.
            unsafe vorbis.vorbis_info_init(&info)
            defer { unsafe vorbis.vorbis_info_clear(&info) }
            let bitRate = kilobits * 1000
            return unsafe vorbis.vorbis_encode_setup_managed(&info, channels, sampleRate, -1, bitRate, -1)
                == 0
        }
        guard let lowest = supported.first, let highest = supported.last else { return nil }
        return lowest...highest
    }

    private func makeHeaders() throws(AudioFileError) {
        var (first, comments, last) = unsafe (ogg_packet(), ogg_packet(), ogg_packet())
        var none = unsafe vorbis_comment()
        unsafe vorbis.vorbis_comment_init(&none)
        defer { unsafe vorbis.vorbis_comment_clear(&none) }
        guard unsafe vorbis.vorbis_analysis_headerout(state, &none, &first, &comments, &last) == 0 else {
            throw AudioFileError(.unsupported, "libvorbis makes no headers")
        }
        (identification, setup) = unsafe (Self.bytes(of: first), Self.bytes(of: last))
        let written = unsafe Self.bytes(of: comments)
        var cursor = FieldCursor(written.dropFirst(OggComments.vorbisMark.count), isBigEndian: false)
        vendor = cursor.readCounted().map { Array($0) } ?? []
    }

    func headerPackets(_ metadata: FileMetadata) -> [[UInt8]] {
        // A bit that is set ends the comments.
        let comments = OggComments.bytes(of: metadata, vendor: vendor, after: OggComments.vorbisMark) + [1]
        return [identification, comments, setup]
    }

    /// The corresponding C functions are `vorbis_analysis_buffer` and `vorbis_analysis_wrote`.
    func encode(_ samples: [Float], frames: Int) throws(AudioFileError) -> [OggPacket] {
        // For the library, no frames are the end.
        guard frames > 0 else { return [] }
        guard let room = unsafe vorbis.vorbis_analysis_buffer(state, CInt(frames)) else {
            throw Self.failure(nil)
        }
        for (channel, source) in OggChannelOrder.sources(channels: channels).enumerated() {
            guard let memory = unsafe room[channel] else { throw Self.failure(nil) }
            // SAFETY: the library makes room for the frames of each channel.
            for frame in 0..<frames { unsafe memory[frame] = samples[frame * channels + source] }
        }
        return try packets(afterFrames: frames)
    }

    func finish() throws(AudioFileError) -> [OggPacket] {
        try packets(afterFrames: 0)
    }

    /// Announces the frames in the library's memory, and returns the packets that are complete.
    private func packets(afterFrames frames: Int) throws(AudioFileError) -> [OggPacket] {
        var status = unsafe vorbis.vorbis_analysis_wrote(state, CInt(frames))
        var packets: [OggPacket] = []
        while status == 0 {
            let isBlock = unsafe vorbis.vorbis_analysis_blockout(state, block)
            guard isBlock == 1 else {
                status = isBlock
                break
            }
            status = unsafe vorbis.vorbis_analysis(block, nil)
            if status == 0 { status = unsafe vorbis.vorbis_bitrate_addblock(block) }
            var packet = unsafe ogg_packet()
            while status == 0, unsafe vorbis.vorbis_bitrate_flushpacket(state, &packet) == 1 {
                unsafe packets.append(
                    OggPacket(bytes: Self.bytes(of: packet), endPosition: packet.granulepos))
            }
        }
        guard status == 0 else { throw Self.failure(status) }
        return packets
    }

    private static func bytes(of packet: ogg_packet) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: packet.packet, count: packet.bytes))
    }

    private static func failure(_ status: CInt?) -> AudioFileError {
        AudioFileError(.unwritable, "libvorbis does not encode" + (status.map { " (status \($0))" } ?? ""))
    }

    /// Quality 5 of the usual scale from -1 to 10.
    private static let quality: Float = 0.5
}
