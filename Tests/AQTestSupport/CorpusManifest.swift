// SPDX-License-Identifier: MIT

import Foundation

/// A folder of real files, named by `AQ_CORPUS_DIR`, with `MANIFEST.tsv`: what other decoders made of them.
///
/// Columns are named in its first line. Used are `file`, `container`, `codec`, `channels`, `frames`, `frames_source`,
/// `structure`, `rate`, `duration`, `pcm_fmt`, `ffmpeg_md5`, `sndfile_frames`, `sndfile_md5`, `mpg123_frames`,
/// `mpg123_md5_f32` and `reference_pcm`.
package enum CorpusManifest {
    package struct Row: Sendable {
        var columns: [String: String]

        package var name: String { self["file"] }
        package var path: String { (folder ?? "") + "/" + name }
        /// The folder of the corpus, which implies the file type.
        package var kind: String { String(name.prefix { $0 != "/" }) }
        package var isMalformed: Bool { kind == "malformed" }
        package var isMPEGAudio: Bool { kind == "mp3" }
        package var channels: Int { Int(self["channels"]) ?? 0 }
        package var sampleRate: Double { Double(self["rate"]) ?? 0 }

        /// The name for `--data` of the samples in the checksums.
        package var sampleKind: String {
            ["s16le": "I16", "s32le": "I32", "f64le": "F64"][self["pcm_fmt"]] ?? "F32"
        }

        /// The author's own samples of the file, 16 bits each, in a file beside it.
        package var referencePath: String? {
            self["reference_pcm"].isEmpty
                ? nil : path.prefix(path.count - path.reversed().prefix { $0 != "." }.count) + "pcm"
        }

        /// Frames that libmpg123 decodes before the audio.
        ///
        /// QUIRK: libmpg123 plays the packet that holds a VBRI tag (seen in 1.31).
        package var foreignFrames: Int { isMPEGAudio && self["structure"].contains("VBRI(") ? 1152 : 0 }

        /// The expected number of frames. If decoders differ, that of the author's samples, of the library used here,
        /// or of the container's duration.
        package var frames: Int? {
            if let path = referencePath, channels > 0,
                let bytes = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            {
                return bytes / 2 / channels
            }
            if let frames = Int(self["mpg123_frames"]) { return frames - foreignFrames }
            // QUIRK: libsndfile estimates the frames of some MPEG audio, which libmpg123 counts.
            if let frames = Int(self["frames"]) ?? Int(self["sndfile_frames"]) {
                return min(frames, countedFrames ?? frames)
            }
            guard let seconds = Double(self["duration"]) else { return nil }
            return Int((seconds * sampleRate).rounded())
        }

        /// The frame count in the header of an AIFF file: its audio chunk may have filler beyond, which others play.
        private var countedFrames: Int? {
            guard kind == "aiff", let count = self["structure"].firstMatch(of: #/COMM\(ch=\d+ frames=(\d+) /#)
            else {
                return nil
            }
            return Int(count.1)
        }

        package subscript(_ column: String) -> String { columns[column] ?? "" }
    }

    package static let folder = Environment.value("AQ_CORPUS_DIR")

    package static func rows(of kind: String) -> [Row] { rows.filter { $0.kind == kind } }

    /// All audio files; the raw samples for comparison are none.
    package static let rows: [Row] = {
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

extension CorpusManifest.Row: CustomStringConvertible {
    package var description: String { name }
}
