// SPDX-License-Identifier: MIT

import Foundation
import AQSoundHarness

extension RoundTrip {
    /// The facts that ffprobe reports of the file.
    mutating func probe(_ facts: FileFacts) throws {
        let values = try Tools.probe(encoded)
        let format = values["format_name"] ?? ""
        expect(format.hasPrefix(encoding.probedFormat), "ffprobe says format '\(format)'")
        expect(
            values["codec_name"] == encoding.probedCodec, "ffprobe says codec '\(values["codec_name"] ?? "")'"
        )
        expect(
            values["channels"] == "\(layout.channels)", "ffprobe says \(values["channels"] ?? "no") channels")
        expect(
            values["sample_rate"] == "\(layout.sampleRate)",
            "ffprobe says \(values["sample_rate"] ?? "no") Hz")
        if encoding.probedExtent != .unknown {
            let frames = (Double(values["duration"] ?? "") ?? 0) * Double(layout.sampleRate)
            let expected = Double(self.frames(facts, encoding.probedExtent))
            // Durations have six decimals, or are whole ticks of one frame.
            expect(abs(frames - expected) < 1.5, "ffprobe says \(decimal(frames)) of \(expected) frames")
        }
    }

    /// Whether a reader finds the frames that were written.
    mutating func read(with reader: Reader) throws {
        switch reader {
        case .libsndfile:
            let text = try Tools.output("sndfile-info", [encoded])
            for (name, expected) in [
                ("Frames ", source.frames), ("Channels ", layout.channels),
                ("Sample Rate ", layout.sampleRate),
            ] {
                let line = text.split(separator: "\n").last { $0.hasPrefix(name) } ?? ""
                let value = line.split(separator: " ").last ?? ""
                expect(value == "\(expected)", "libsndfile says '\(line)' of \(expected)")
            }
        case .sox:
            let raw = folder.file("sox.raw")
            let result = try Tools.run("sox", ["-V1", encoded, "-t", "raw", "-e", "signed", "-b", "16", raw])
            guard result.exitStatus == 0 else { throw InterchangeError(result.errorLine) }
            let bytes = try FileManager.default.attributesOfItem(atPath: raw)[.size] as? Int ?? 0
            // QUIRK: SoX decodes MP3 with libmad, which does not trim.
            let frames = bytes / 2 / layout.channels
            let isRight = encoding.data == "mp3" ? frames >= source.frames : frames == source.frames
            expect(isRight, "sox decodes \(frames) of \(source.frames) frames")
        case .mpg123:
            let path = folder.file("mpg123.wav")
            _ = try Tools.output("mpg123", ["-q", "-w", path, encoded])
            let content = try WaveContent(path: path)
            let frames = content.data.count / max(1, content.channels * content.bitsPerSample / 8)
            expect(frames == source.frames, "mpg123 decodes \(frames) of \(source.frames) frames")
            expect(content.channels == layout.channels, "mpg123 decodes \(content.channels) channels")
        }
    }
}
