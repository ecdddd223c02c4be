// SPDX-License-Identifier: MIT

extension Encoding {
    /// Every codec in every container that can be written.
    static let all: [Encoding] = littleEndian + aiff + aifc + caf + mpeg4 + streams

    private static let littleEndian: [Encoding] = [("wav", "wav"), ("rf64", "wav"), ("w64", "w64")]
        .flatMap { container, probed in
            [
                (SampleKind.unsigned8, "pcm_u8"), (.integer16, "pcm_s16le"), (.integer24, "pcm_s24le"),
                (.integer32, "pcm_s32le"), (.float32, "pcm_f32le"), (.float64, "pcm_f64le"),
            ].map { linear($0, in: container, codec: $1, format: probed) }
        }

    private static let aiff: [Encoding] = [
        (SampleKind.signed8, "pcm_s8"), (.integer16, "pcm_s16be"), (.integer24, "pcm_s24be"),
        (.integer32, "pcm_s32be"),
    ].map { linear($0, in: "aiff", codec: $1, format: "aiff") }

    private static let aifc: [Encoding] = [
        (SampleKind.signed8, "pcm_s8"), (.bigEndian16, "pcm_s16be"), (.littleEndian16, "pcm_s16le"),
        (.integer24, "pcm_s24be"), (.integer32, "pcm_s32be"), (.float32, "pcm_f32be"),
        (.float64, "pcm_f64be"),
    ].map { linear($0, in: "aifc", codec: $1, format: "aiff") }

    private static let caf: [Encoding] =
        [
            (SampleKind.signed8, "pcm_s8"), (.littleEndian16, "pcm_s16le"), (.bigEndian16, "pcm_s16be"),
            (.integer24, "pcm_s24le"), (.bigEndian24, "pcm_s24be"), (.integer32, "pcm_s32le"),
            (.float32, "pcm_f32le"), (.bigEndianFloat32, "pcm_f32be"), (.float64, "pcm_f64le"),
        ].map { linear($0, in: "caf", codec: $1, format: "caf") }
        + [SampleKind.integer16, .integer24].map { source in
            // QUIRK: libavformat reports the frames of whole packets as the length. SoX does not support ALAC.
            Encoding(
                data: "alac", container: "caf", source: source, probedCodec: "alac", probedFormat: "caf",
                probedExtent: .toPacketEnd, readers: [.libsndfile])
        }
        + [
            g711("ulaw", codec: "pcm_mulaw"), g711("alaw", codec: "pcm_alaw"),
            // QUIRK: libavformat ignores the priming and remainder of a packet table.
            Encoding(
                data: "ima4", container: "caf", source: .integer16,
                loss: .some(.ffmpeg(codec: "adpcm_ima_qt", extension: "mov")), probedCodec: "adpcm_ima_qt",
                probedFormat: "caf", decodedExtent: .toPacketEnd, probedExtent: .unknown),
            Encoding(
                data: "aac", container: "caf", source: .integer16, loss: .some(advancedAudio),
                probedCodec: "aac", probedFormat: "caf", decodedExtent: .whole, probedExtent: .whole),
            Encoding(
                data: "mp3", container: "caf", source: .integer16, loss: .some(.lame), probedCodec: "mp3",
                probedFormat: "caf", decodedExtent: .whole, probedExtent: .whole),
        ]

    private static let mpeg4: [Encoding] =
        [SampleKind.integer16, .integer24].map { source in
            Encoding(
                data: "alac", container: "m4a", source: source, probedCodec: "alac", probedFormat: "mov")
        } + [
            // QUIRK: libavformat applies an edit list at the start, not at the end.
            Encoding(
                data: "aac", container: "m4a", source: .integer16, loss: .some(advancedAudio),
                probedCodec: "aac", probedFormat: "mov", decodedExtent: .toPacketEnd)
        ]

    private static let streams: [Encoding] =
        [
            Encoding(
                data: "aac", container: "aac", source: .integer16, loss: .some(advancedAudio),
                probedCodec: "aac", probedFormat: "aac", decodedExtent: .whole, probedExtent: .unknown,
                tellsTrims: false),
            Encoding(
                data: "mp3", container: "mp3", source: .integer16, loss: .some(.lame), probedCodec: "mp3",
                probedFormat: "mp3", probedExtent: .whole,
                readers: Reader.allCases),
        ]
        + [
            Encoding(
                data: "vorbis", container: "ogg", source: .integer16,
                loss: .some(.ffmpeg(codec: "libvorbis", extension: "ogg")), probedCodec: "vorbis",
                probedFormat: "ogg", readers: [.libsndfile, .sox]),
            // QUIRK: ffprobe counts the frames before the audio, which ffmpeg drops.
            Encoding(
                data: "opus", container: "opus", source: .integer16,
                loss: .some(.ffmpeg(codec: "libopus", extension: "opus")), probedCodec: "opus",
                probedFormat: "ogg", probedExtent: .unknown, readers: [.libsndfile]),
        ]
        + [SampleKind.signed8, .integer16, .integer24].map { source in
            Encoding(
                data: "flac", container: "flac", source: source, probedCodec: "flac", probedFormat: "flac",
                readers: [.libsndfile, .sox])
        }

    private static let advancedAudio = PeerEncoder.ffmpeg(codec: "aac", extension: "m4a")

    private static func linear(
        _ kind: SampleKind, in container: String, codec: String, format: String
    ) -> Encoding {
        Encoding(
            data: kind.rawValue, container: container, source: kind, probedCodec: codec, probedFormat: format,
            readers: [.libsndfile, .sox])
    }

    private static func g711(_ name: String, codec: String) -> Encoding {
        Encoding(
            data: name, container: "caf", source: .integer16,
            loss: .some(.ffmpeg(codec: codec, extension: "wav")), probedCodec: codec, probedFormat: "caf",
            readers: [.libsndfile, .sox])
    }
}
