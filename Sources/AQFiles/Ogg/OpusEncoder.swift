// SPDX-License-Identifier: MIT

import AQMagicCookies
import CAQOpus

/// The owner of one libopus encoder.
@safe final class OpusEncoder: OggEncoder {
    let timing: OggTiming

    private let opus: aq_opus_functions
    private let sampleRate: Int
    private let channels: Int
    private let handle: OpaquePointer
    /// The numbers of streams and of those with two channels, and the channel of each output, if they are stored.
    private let layout: (streams: UInt8, pairs: UInt8, map: [UInt8])
    private let packetFrames: Int
    /// The samples that do not fill a packet so far, in the order of the stream.
    private var rest: [Float] = []
    private var packetCount: Int64 = 0
    private var frameCount: Int64 = 0
    private var room: [UInt8]

    /// - Parameter bitRate: The average bit rate in bits per second; nil selects 64,000 for mono, 96,000 for stereo,
    ///   and for more channels 64,000 for each stream of one channel and 96,000 for each of two.
    /// - Throws: `unsupported` if Opus does not have the format, or the library is missing or rejects it.
    ///
    /// The corresponding C function is `opus_multistream_surround_encoder_create`.
    init(sampleRate: Int, channels: Int, bitRate: Int?) throws(AudioFileError) {
        guard Self.sampleRates.contains(sampleRate) else {
            throw AudioFileError(
                .unsupported, "Ogg Opus files have rates of 8, 12, 16, 24 or 48 kHz, not \(sampleRate) Hz")
        }
        guard 1...8 ~= channels else {
            throw AudioFileError(.unsupported, "Ogg Opus files have 1 to 8 channels, not \(channels)")
        }
        if let bitRate, !(6000...256_000 * channels ~= bitRate) {
            throw AudioFileError(
                .unsupported,
                "Ogg Opus files of \(channels) channels have bit rates of 6 to \(256 * channels) kbit/s, not "
                    + BitRateText.kilobits(bitRate))
        }
        unsafe opus = try LoadedLibrary.functions(for: "Opus", aq_opus)
        var (streams, pairs, status) = (CInt(0), CInt(0), CInt(0))
        var map = [UInt8](repeating: 0, count: channels)
        let created = unsafe opus.opus_multistream_surround_encoder_create(
            Int32(sampleRate), CInt(channels), Self.mappingFamily(channels: channels), &streams, &pairs, &map,
            CInt(OPUS_APPLICATION_AUDIO), &status)
        guard let created = unsafe created, status == OPUS_OK else {
            throw AudioFileError(.unsupported, "libopus refuses the format (status \(status))")
        }
        unsafe handle = created
        layout = (UInt8(streams), UInt8(pairs), map)
        self.sampleRate = sampleRate
        self.channels = channels
        packetFrames = sampleRate / Self.packetsPerSecond
        room = [UInt8](repeating: 0, count: Int(streams) * Self.mostStreamBytes)
        let delayFrames = unsafe opus.lookahead(created)
        let positionsPerFrame = Int64(Self.positionsPerSecond / sampleRate)
        timing = OggTiming(
            startPosition: Int64(delayFrames) * positionsPerFrame, positionsPerFrame: positionsPerFrame,
            positionsPerSecond: Int64(Self.positionsPerSecond))
        let usualBitRate = 64_000 * (streams - pairs) + 96_000 * pairs
        status = unsafe opus.set_bit_rate(created, bitRate.map { Int32($0) } ?? usualBitRate)
        guard status == OPUS_OK, delayFrames >= 0 else {
            throw AudioFileError(.unsupported, "libopus refuses the bit rate (status \(status))")
        }
    }

    deinit { unsafe opus.opus_multistream_encoder_destroy(handle) }

    /// The packets of RFC 7845, 5.
    func headerPackets(_ metadata: FileMetadata) -> [[UInt8]] {
        var head = HeaderBytes()
        head.append("OpusHead")
        // The version.
        head.append(little: UInt8(1))
        head.append(little: UInt8(channels))
        head.append(little: UInt16(timing.startPosition))
        head.append(little: UInt32(sampleRate))
        // No gain.
        head.append(little: UInt16(0))
        let family = UInt8(Self.mappingFamily(channels: channels))
        head.append(little: family)
        if family > 0 { head.append(raw: [layout.streams, layout.pairs] + layout.map) }
        let vendor = unsafe Array(LoadedLibrary.text(opus.opus_get_version_string()).utf8)
        return [
            head.bytes, OggComments.bytes(of: metadata, vendor: vendor, after: OggComments.opusMark),
        ]
    }

    /// The corresponding C function is `opus_multistream_encode_float`.
    func encode(_ samples: [Float], frames: Int) throws(AudioFileError) -> [OggPacket] {
        frameCount += Int64(frames)
        let order = OggChannelOrder.sources(channels: channels)
        for frame in 0..<frames {
            for source in order { rest.append(samples[frame * channels + source]) }
        }
        var packets: [OggPacket] = []
        var start = 0
        while rest.count - start >= packetFrames * channels {
            packets.append(try packet(from: start))
            start += packetFrames * channels
        }
        rest.removeFirst(start)
        return packets
    }

    func finish() throws(AudioFileError) -> [OggPacket] {
        let end = timing.startPosition + frameCount * timing.positionsPerFrame
        var packets: [OggPacket] = []
        // Silence follows, until the packets contain the frames that the encoder holds back.
        repeat {
            rest += [Float](repeating: 0, count: packetFrames * channels - rest.count)
            packets.append(try packet(from: 0))
            rest = []
        } while packets[packets.count - 1].endPosition < end
        packets[packets.count - 1].endPosition = end
        return packets
    }

    private func packet(from start: Int) throws(AudioFileError) -> OggPacket {
        let samples = Array(rest[start..<start + packetFrames * channels])
        let byteCount = unsafe opus.opus_multistream_encode_float(
            handle, samples, CInt(packetFrames), &room, Int32(room.count))
        guard byteCount > 0 else {
            throw AudioFileError(.unwritable, "libopus does not encode (status \(byteCount))")
        }
        packetCount += 1
        return OggPacket(
            bytes: Array(room[..<Int(byteCount)]),
            endPosition: packetCount * Int64(packetFrames) * timing.positionsPerFrame)
    }

    /// 0 for mono and stereo, 1 for the channel order of Vorbis.
    private static func mappingFamily(channels: Int) -> CInt { channels > 2 ? 1 : 0 }

    static let sampleRates = [8000, 12_000, 16_000, 24_000, 48_000]
    private static let packetsPerSecond = 50
    /// Granule positions are those of 48 kHz, whatever the rate (RFC 7845, 4).
    private static let positionsPerSecond = 48_000
    /// The size of the longest packet of one stream, and of its length.
    private static let mostStreamBytes = 1280
}
