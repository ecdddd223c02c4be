import Testing

/// A codec in a container, and what is to be expected of files of it.
struct Encoding: Sendable, CustomTestStringConvertible {
    /// What becomes of the samples.
    enum Loss: Sendable {
        case none
        /// Some is lost; another encoder shows how much must be.
        case some(PeerEncoder)
    }

    /// Which frames a reader gives that another one trims away.
    enum Extent: Sendable {
        /// Those that were encoded.
        case valid
        /// And those that fill the last packet.
        case toPacketEnd
        /// And those before the first, which prime the decoder.
        case whole
        /// Whatever the reader estimates.
        case unknown
    }

    /// What `--data` calls the codec.
    var data: String
    /// What `--file-type` calls the container.
    var container: String
    /// How the source's samples are kept.
    var source: SampleKind
    var loss = Loss.none
    /// What ffprobe calls the codec and the container.
    var probedCodec: String
    var probedFormat: String
    /// What other readers make of the file's length: decoding it with ffmpeg, and asking ffprobe.
    var decodedExtent = Extent.valid
    var probedExtent = Extent.valid
    /// Whether the container says which frames are to be trimmed.
    var tellsTrims = true
    /// The readers, besides ffmpeg, that know the container and the codec.
    var readers: [Reader] = []

    var testDescription: String { name }
    var isLossless: Bool { if case .none = loss { true } else { false } }

    /// Whether the tools were built with the codec.
    private var isBuilt: Bool {
        var built = true
        #if !HAVE_AV_CODECS
        built = !["aac", "alac", "ima4"].contains(data) && name != "mp3 in caf"
        #endif
        #if !HAVE_MPEG_AUDIO
        built = built && data != "mp3"
        #endif
        return built
    }

    /// Whether the codec has no such rate, or not so many channels.
    func refuses(_ layout: SoundLayout) -> Bool {
        guard isBuilt else { return true }
        return switch data {
        case "mp3": layout.channels > 2 || layout.sampleRate > 48000
        case "ima4": layout.channels > 2
        default: false
        }
    }

    /// How much worse than its peer our encoder may do, in decibels.
    ///
    /// In MP3 one step of 16 bits in the source makes a difference of 0.4 dB by itself.
    var allowance: Double { container == "mp3" ? 1 : 0.5 }

    /// What to ask of an encoder, in kbit/s; nil for codecs that have but one rate.
    func kilobitsPerSecond(_ layout: SoundLayout) -> Int? {
        switch data {
        case "aac": layout.channels * layout.sampleRate * 3 / 2 / 1000
        case "mp3" where layout.sampleRate < 16000: 16 << layout.channels
        case "mp3" where layout.sampleRate < 32000: 32 << layout.channels
        case "mp3": 64 << layout.channels
        default: nil
        }
    }
}

/// The shape of a sound: what a format is tried with.
struct SoundLayout: Sendable, Hashable, CustomStringConvertible {
    var channels: Int
    var sampleRate: Int

    var description: String { "\(sampleRate) Hz, \(channels) ch" }

    static let all = [1, 2, 6].flatMap { channels in
        [8000, 11025, 16000, 22050, 32000, 44100, 48000, 88200, 96000].map {
            SoundLayout(channels: channels, sampleRate: $0)
        }
    }
}

/// Another program that encodes the same, from the same library.
enum PeerEncoder: Sendable, Hashable {
    case ffmpeg(codec: String, extension: String)
    case lame
}

/// A reader of files besides ffmpeg.
enum Reader: String, Sendable, CaseIterable {
    case libsndfile, sox, mpg123
}
