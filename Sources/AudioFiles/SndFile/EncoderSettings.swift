import CSndFile
import CoreAudioTypes

/// The settings of libsndfile for a file that it encodes.
struct EncoderSettings {
    /// Rate, channels and coding.
    var info: SF_INFO
    /// One of `SF_BITRATE_MODE_…`; nil if there is no choice.
    var bitRateMode: Int?
    /// From 0 (the largest files, or the least work) to 1.
    var compressionLevel: Double
    /// Follows the encoder's output.
    var stream: any EncodedStream
    /// The most frames that the header can count; nil for no limit.
    var maximumFrameCount: Int64?

    /// Checks that an available encoder supports the format.
    ///
    /// - Parameters:
    ///   - type: MP3 or FLAC.
    ///   - format: The format of the samples that will be appended.
    ///   - bitRate: In bits per second; nil for the encoder's default.
    /// - Throws: `unsupported`.
    init(type: AudioFileType, format: AudioStreamBasicDescription, bitRate: Int?) throws(AudioFileError) {
        guard let sampleRate = CInt(exactly: format.mSampleRate) else {
            throw AudioFileError(
                .unsupported, "\(type.name) files have whole rates only, not \(format.mSampleRate) Hz")
        }
        let channels = Int(format.mChannelsPerFrame)
        switch type {
        case .flac:
            guard bitRate == nil else {
                throw AudioFileError(.unsupported, "FLAC files have no bit rate to choose")
            }
            try self.init(flacRate: Int(sampleRate), channels: channels, bits: Int(format.mBitsPerChannel))
        case .mp3:
            #if HAVE_MPEG_AUDIO
            try self.init(mp3Rate: Int(sampleRate), channels: channels, bitRate: bitRate)
            #else
            throw AudioFileError(.unsupported, "this program was built without MPEG audio")
            #endif
        default:
            throw AudioFileError(.unsupported, "\(type.name) files are not encoded")
        }
        guard unsafe sf_format_check(&info) != 0 else {
            throw AudioFileError(.unsupported, "the installed libsndfile does not write \(type.name) files")
        }
    }

    init(format: Int, sampleRate: Int, channels: Int, compressionLevel: Double, stream: any EncodedStream) {
        info = SF_INFO()
        info.format = CInt(format)
        info.samplerate = CInt(sampleRate)
        info.channels = CInt(channels)
        self.compressionLevel = compressionLevel
        self.stream = stream
    }

    private init(flacRate sampleRate: Int, channels: Int, bits: Int) throws(AudioFileError) {
        // Above 65535 Hz a frame's header stores the rate in units of 10 Hz (RFC 9639, 9.1.2).
        guard 1...655_350 ~= sampleRate, sampleRate <= 65_535 || sampleRate % 10 == 0 else {
            throw AudioFileError(
                .unsupported,
                "FLAC files have rates from 1 to 655350 Hz, above 65535 Hz in tens, not \(sampleRate) Hz")
        }
        guard 1...8 ~= channels else {
            throw AudioFileError(.unsupported, "FLAC files have 1 to 8 channels, not \(channels)")
        }
        let coding: Int
        switch bits {
        case 8: coding = SF_FORMAT_PCM_S8
        case 16: coding = SF_FORMAT_PCM_16
        case 24: coding = SF_FORMAT_PCM_24
        default: throw AudioFileError(.unsupported, "FLAC files have 8, 16 or 24 bits, not \(bits)")
        }
        // From level 3 on the encoder holds back 4096 frames, which is half a second at low rates.
        let level = sampleRate < 8192 ? 2.0 : 5.0
        self.init(
            format: SF_FORMAT_FLAC | coding, sampleRate: sampleRate, channels: channels,
            compressionLevel: level / 8, stream: FLACStream())
        maximumFrameCount = FLACStream.maximumFrameCount
    }
}
