// SPDX-License-Identifier: MIT

extension AudioFileType {
    /// Checks a bit rate before a file is created, so that a wrong one can be reported as a fault of the request.
    ///
    /// Files whose writers do not encode have no limits.
    ///
    /// - Parameter bitRate: The average bit rate in bits per second.
    /// - Throws: `unsupported` if the encoder of MP3, Vorbis or Opus does not support the bit rate, the sample rate or
    ///   the number of channels.
    public func checkBitRate(
        _ bitRate: Int, sampleRate: Double, channels: Int
    ) throws(AudioFileError) {
        guard let rate = Int(exactly: sampleRate) else { return }
        switch self {
        #if HAVE_MPEG_AUDIO
        case .mp3: _ = try MP3Settings(sampleRate: rate, channels: channels, bitRate: bitRate)
        #endif
        case .oggVorbis: _ = try VorbisEncoder(sampleRate: rate, channels: channels, bitRate: bitRate)
        case .oggOpus: _ = try OpusEncoder(sampleRate: rate, channels: channels, bitRate: bitRate)
        default: break
        }
    }
}
