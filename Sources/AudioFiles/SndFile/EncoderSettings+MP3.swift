#if HAVE_MPEG_AUDIO
import CSndFile
import MPEGAudio

extension EncoderSettings {
    /// - Parameter bitRate: One of the format's rates, in bits per second: constant, or constant on average if packets
    ///   of that rate are too short for a tag with length and priming. Nil selects a variable rate of LAME's quality 2,
    ///   about 190 kbit/s in stereo at 44.1 kHz; at low sample rates a constant rate.
    init(mp3Rate sampleRate: Int, channels: Int, bitRate: Int?) throws(AudioFileError) {
        guard 1...2 ~= channels else {
            throw AudioFileError(.unsupported, "MP3 files have 1 or 2 channels, not \(channels)")
        }
        let headers = Self.headers(sampleRate: sampleRate, channels: channels)
        guard !headers.isEmpty else {
            throw AudioFileError(
                .unsupported,
                "MP3 files have rates of 8, 11.025, 12, 16, 22.05, 24, 32, 44.1 or 48 kHz, not \(sampleRate) Hz"
            )
        }
        let mode: Int
        let level: Double
        let coding: MP3TagWriter.Coding
        if let bitRate = bitRate ?? Self.usualBitRate(sampleRate: sampleRate, channels: channels) {
            guard let header = headers.first(where: { $0.bitRate == bitRate }) else {
                let known = headers.map { String($0.bitRate / 1000) }.joined(separator: ", ")
                throw AudioFileError(
                    .unsupported,
                    "MP3 files of \(sampleRate) Hz have bit rates of \(known) kbit/s, not \(bitRate) bit/s")
            }
            let packetBytes = header.packetBytes ?? 0
            let isTagged = packetBytes >= 4 + header.sideInformationBytes + Self.lameTagBytes
            mode = isTagged ? SF_BITRATE_MODE_CONSTANT : SF_BITRATE_MODE_AVERAGE
            coding = isTagged ? .constant : .average
            level = Self.compressionLevel(bitRate: bitRate, sampleRate: sampleRate)
        } else {
            mode = SF_BITRATE_MODE_VARIABLE
            coding = .variable
            // The library passes ten times the level to LAME.
            level = 0.2
        }
        self.init(
            format: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, sampleRate: sampleRate, channels: channels,
            compressionLevel: level, stream: MP3Stream(coding: coding))
        bitRateMode = mode
    }

    /// Nil if the rate varies.
    ///
    /// At low sample rates the shortest packets have only a few bytes of audio. Digital silence would take two seconds
    /// to fill LAME's reservoir, and until then no packet could be stored.
    private static func usualBitRate(sampleRate: Int, channels: Int) -> Int? {
        sampleRate >= 32_000 ? nil : (sampleRate >= 16_000 ? 64_000 : 32_000) * channels
    }

    /// A packet header for each bit rate that LAME supports at this rate, lowest first; empty for other rates.
    private static func headers(sampleRate: Int, channels: Int) -> [MPEGFrameHeader] {
        for (version, rate) in [3, 2, 0].flatMap({ version in (0..<3).map { (UInt32(version), UInt32($0)) } })
        {
            let headers = (1...14).compactMap { index in
                // Sync, version, layer III, no checksum, bit rate, rate, mode.
                MPEGFrameHeader(
                    bits: 0xFFE0_0000 | version << 19 | 1 << 17 | 1 << 16 | UInt32(index) << 12 | rate << 10
                        | (channels == 1 ? 0xC0 : 0))
            }
            if headers.first?.sampleRate == sampleRate {
                return headers.filter { $0.bitRate <= bitRates(sampleRate: sampleRate).upperBound * 1000 }
            }
        }
        return []
    }

    /// The level that the library converts to this bit rate: it divides its range by the level, and rounds down.
    private static func compressionLevel(bitRate: Int, sampleRate: Int) -> Double {
        let range = bitRates(sampleRate: sampleRate)
        let distance = Double(range.upperBound) - (Double(bitRate / 1000) + 0.5)
        return max(distance, 0) / Double(range.upperBound - range.lowerBound)
    }

    /// The rates from level 1 to level 0 of the library, in kbit/s.
    private static func bitRates(sampleRate: Int) -> ClosedRange<Int> {
        sampleRate >= 32_000 ? 32...320 : sampleRate >= 16_000 ? 8...160 : 8...64
    }

    /// The bytes after the side information that LAME requires to write its tag.
    private static let lameTagBytes = 156
}
#endif
