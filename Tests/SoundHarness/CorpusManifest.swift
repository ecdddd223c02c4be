import Foundation
import SoundHarness
import Testing

/// A folder of real files, named by `AQ_CORPUS_DIR`, with `MANIFEST.tsv`: what other decoders made of them.
///
/// Columns are named in its first line. Used are `file`, `container`, `codec`, `frames`, `frames_source`,
/// `rate`, `duration`, `pcm_fmt`, `ffmpeg_md5`, `sndfile_frames`, `sndfile_md5`, `mpg123_frames` and
/// `mpg123_md5_f32`.
enum CorpusManifest {
    struct Row: Sendable, CustomTestStringConvertible {
        var columns: [String: String]

        var name: String { self["file"] }
        var path: String { (folder ?? "") + "/" + name }
        var testDescription: String { name }
        var isMalformed: Bool { name.hasPrefix("malformed/") }
        var isMPEGAudio: Bool { name.hasPrefix("mp3/") }

        /// What `--data` calls the samples that the checksums are of.
        var sampleKind: String {
            ["s16le": "I16", "s32le": "I32", "f64le": "F64"][self["pcm_fmt"]] ?? "F32"
        }

        /// The frames to be decoded. Where decoders dispute them, those of the library that ours is built on, or
        /// those that the container's duration makes.
        var frames: Int? {
            // QUIRK: libsndfile estimates the frames of some MPEG audio, of which libmpg123 counts them.
            for column in ["mpg123_frames", "frames", "sndfile_frames"] {
                if let frames = Int(self[column]) { return frames }
            }
            guard let seconds = Double(self["duration"]), let rate = Double(self["rate"]) else { return nil }
            return Int((seconds * rate).rounded())
        }

        subscript(_ column: String) -> String { columns[column] ?? "" }
    }

    static let folder = Environment.value("AQ_CORPUS_DIR")

    /// All files of sound; bare samples, which are there to compare with, are none.
    static let rows: [Row] = {
        guard let folder, let text = try? String(contentsOfFile: folder + "/MANIFEST.tsv", encoding: .utf8)
        else {
            return []
        }
        let lines = text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        guard let names = lines.first else { return [] }
        return lines.dropFirst()
            .map { Row(columns: Dictionary(zip(names, $0)) { first, _ in first }) }
            .filter { !$0["frames_source"].isEmpty }
    }()
}
