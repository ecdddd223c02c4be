// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQMPEGAudio

struct MP3Settings {
    /// The bit rate, one of the format's rates, in bits per second; nil if it varies.
    let bitRate: Int?
    /// A packet header with the bit rate, or with the lowest rate if the bit rate varies.
    let header: MPEGFrameHeader

    /// - Parameter bitRate: The bit rate in bits per second; nil selects a variable rate, or a constant one at low
    ///   sample rates.
    /// - Throws: `unsupported` if MP3 has no such rates or channels.
    init(sampleRate: Int, channels: Int, bitRate: Int?) throws(AudioFileError) {
        guard 1...2 ~= channels else {
            throw AudioFileError(.unsupported, "MP3 files have 1 or 2 channels, not \(channels)")
        }
        let headers = Self.headers(sampleRate: sampleRate, channels: channels)
        guard let first = headers.first else {
            throw AudioFileError(
                .unsupported,
                "MP3 files have rates of 8, 11.025, 12, 16, 22.05, 24, 32, 44.1 or 48 kHz, not \(sampleRate) Hz"
            )
        }
        self.bitRate = bitRate ?? Self.usualBitRate(sampleRate: sampleRate, channels: channels)
        let headerBitRate = self.bitRate ?? first.bitRate
        guard let header = headers.first(where: { $0.bitRate == headerBitRate }) else {
            let known = headers.map { String($0.bitRate / 1000) }.joined(separator: ", ")
            throw AudioFileError(
                .unsupported,
                "MP3 files of \(sampleRate) Hz have bit rates of \(known) kbit/s, not "
                    + BitRateText.kilobits(headerBitRate))
        }
        self.header = header
    }

    /// The bit rate if none is requested; nil if it varies.
    ///
    /// At low sample rates the shortest packets have only a few bytes of audio. Digital silence would take two seconds
    /// to fill LAME's bit reservoir, and until then no packet could be stored.
    private static func usualBitRate(sampleRate: Int, channels: Int) -> Int? {
        sampleRate >= 32_000 ? nil : (sampleRate >= 16_000 ? 64_000 : 32_000) * channels
    }

    /// A packet header for each bit rate that LAME supports at a sample rate, lowest first; empty if there is none.
    private static func headers(sampleRate: Int, channels: Int) -> [MPEGFrameHeader] {
        // LAME limits the unofficial MPEG-2.5 to 64 kbit/s.
        let mostBitRate = sampleRate < 16_000 ? 64_000 : Int.max
        for version in [3, 2, 0] as [UInt32] {
            for rate in 0..<3 as Range<UInt32> {
                let headers = (1...14 as ClosedRange<UInt32>).compactMap { index in
                    // Sync, version, layer III, no checksum, bit rate, rate, mode.
                    MPEGFrameHeader(
                        bits: 0xFFE3_0000 | version << 19 | index << 12 | rate << 10
                            | (channels == 1 ? 0xC0 : 0x40))
                }
                if headers.first?.sampleRate == sampleRate {
                    return headers.filter { $0.bitRate <= mostBitRate }
                }
            }
        }
        return []
    }
}
#endif
