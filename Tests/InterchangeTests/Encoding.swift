// SPDX-License-Identifier: MIT

import Testing

/// A codec in a container, and the expected results of its files.
struct Encoding: Sendable, CustomTestStringConvertible {
    /// The expected change of the samples.
    enum Loss: Sendable {
        case none
        /// Lossy; another encoder shows the unavoidable loss.
        case some(PeerEncoder)
    }

    /// The frames that a reader returns although others trim them.
    enum Extent: Sendable {
        /// The encoded frames.
        case valid
        /// And the padding of the last packet.
        case toPacketEnd
        /// And the priming of the decoder.
        case whole
        /// An estimate of the reader.
        case unknown
    }

    /// The name of the codec for `--data`.
    var data: String
    /// The name of the container for `--file-type`.
    var container: String
    /// The sample format of the source.
    var source: SampleKind
    var loss = Loss.none
    /// The names of codec and container in ffprobe.
    var probedCodec: String
    var probedFormat: String
    /// The length in other readers: decoded by ffmpeg, and reported by ffprobe.
    var decodedExtent = Extent.valid
    var probedExtent = Extent.valid
    /// Whether the container states the trimmed frames.
    var tellsTrims = true
    /// The readers, besides ffmpeg, that support the container and the codec.
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

    /// Whether the codec does not support the rate, or the number of channels.
    func refuses(_ layout: SoundLayout) -> Bool {
        guard isBuilt else { return true }
        return switch data {
        case "mp3": layout.channels > 2 || layout.sampleRate > 48000
        case "ima4": layout.channels > 2
        case "opus": ![8000, 16000, 48000].contains(layout.sampleRate)
        default: false
        }
    }

    /// The audio to test the codec with.
    var layouts: [SoundLayout] {
        // Others decode Opus to 48 kHz, whatever its rate.
        data == "opus"
            ? SoundLayout.all.filter { ![8000, 16000].contains($0.sampleRate) } : SoundLayout.all
    }

    /// The codec for `--data`, with a rate if another one would be chosen.
    func data(_ layout: SoundLayout) -> String {
        data == "opus" ? "opus@\(layout.sampleRate)" : data
    }

    /// The permitted loss relative to another encoder, in decibels.
    ///
    /// In MP3 one step of 16 bits in the source makes a difference of 0.4 dB by itself.
    var allowance: Double { container == "mp3" ? 1 : 0.5 }

    /// The permitted difference of two decoders, in 16-bit steps: ffmpeg has its own for Opus.
    var decoderSteps: Double { data == "opus" ? 4 : 1 }

    /// The bit rate to request from an encoder, in kbit/s; nil for codecs with only one.
    func kilobitsPerSecond(_ layout: SoundLayout) -> Int? {
        switch data {
        case "aac": layout.channels * layout.sampleRate * 3 / 2 / 1000
        case "mp3" where layout.sampleRate < 16000: 16 << layout.channels
        case "mp3" where layout.sampleRate < 32000: 32 << layout.channels
        case "mp3": 64 << layout.channels
        case "opus": 64 * layout.channels
        default: nil
        }
    }
}

/// The channels, rate and length of audio to test a format with.
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
