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

    /// Checks that an available encoder supports the format.
    ///
    /// - Parameters:
    ///   - format: The format of the samples that will be appended.
    ///   - bitRate: In bits per second; nil for the encoder's default.
    /// - Throws: `unsupported`.
    init(format: AudioStreamBasicDescription, bitRate: Int?) throws(AudioFileError) {
        #if HAVE_MPEG_AUDIO
        try self.init(
            mp3Rate: Int(format.mSampleRate), channels: Int(format.mChannelsPerFrame), bitRate: bitRate)
        #else
        throw AudioFileError(.unsupported, "this program was built without MPEG audio")
        #endif
        guard unsafe sf_format_check(&info) != 0 else {
            throw AudioFileError(.unsupported, "the installed libsndfile does not write MP3 files")
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
}
