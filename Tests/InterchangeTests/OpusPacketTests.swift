// SPDX-License-Identifier: MIT

import AQSoundHarness
import Testing

/// Packets of Opus in CAF files, from libopus and from FFmpeg's own encoder, decoded here and by FFmpeg's own decoder.
///
/// Low bit rates are missing, because the two decoders resample voice differently.
@Suite(
    "Packets of Opus made by FFmpeg",
    .enabled(if: Environment.value("AQ_INTERCHANGE") != nil, "make test-interchange"),
    .enabled(if: Tools.areInstalled, "make test-interchange"))
struct OpusPacketTests {
    private let folder = ScratchFolder()

    private static let encoders = [
        ["-c:a", "libopus"], ["-c:a", "libopus", "-frame_duration", "2.5"],
        ["-c:a", "libopus", "-frame_duration", "60"],
        ["-c:a", "opus", "-strict", "-2"],
    ]

    @Test("are decoded to the same frames", arguments: encoders, [1, 2])
    func decoding(encoder: [String], channels: Int) throws {
        let layout = SoundLayout(channels: channels, sampleRate: 48_000)
        let (wave, packets, decoded) = (folder.file("a.wav"), folder.file("a.caf"), folder.file("b.wav"))
        try Sound.music(channels: channels, sampleRate: 48_000).kept(as: .integer16)
            .writeWave(toPath: wave, as: .integer16)
        _ = try Tools.output("ffmpeg", ["-v", "error", "-nostdin", "-i", wave] + encoder + [packets])
        _ = try Tools.output("aqconvert", ["-d", "F64", packets, decoded])
        let own = try Sound(wavePath: decoded)
        let other = try Tools.decodeWithFFmpeg(packets, layout)
        // QUIRK: FFmpeg 5.1 states 120 frames a packet for its own encoder, whose packets have 960. The file then has
        // fewer frames.
        #expect(encoder.contains("opus") ? own.frames >= other.frames / 8 : own.frames == other.frames)
        #expect(own.signalToNoise(against: other) > 60)
    }
}
