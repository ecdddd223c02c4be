// SPDX-License-Identifier: MIT

import Foundation
import AQSoundHarness
import AQTestSupport

/// The result of decoding a corpus file, compared with other decoders.
struct CorpusVerdict: Sendable {
    let row: CorpusManifest.Row
    /// The number of decoded frames; nil for a refused file.
    private(set) var frames: Int?
    /// The result of the comparison, or the reason of the refusal.
    private(set) var finding = ""
    private(set) var warnings: [String] = []
    private(set) var failures: [String] = []

    /// Decodes a file with aqconvert, and compares.
    init(_ row: CorpusManifest.Row) throws {
        self.row = row
        let folder = ScratchFolder()
        let decoded = folder.file("decoded.wav")
        let result = try Tools.run("aqconvert", ["--quiet", "-d", row.sampleKind, row.path, decoded])
        guard result.exitStatus == 0 else {
            finding = "refused: " + result.errorLine.replacing(row.path, with: "…")
            let isRefusal = result.exitStatus == 1 && result.standardError.hasPrefix("aqconvert: cannot ")
            if !isRefusal { failures.append("aqconvert ended with status \(result.exitStatus)") }
            if !row.isMalformed { failures.append("a well-formed file was refused") }
            return
        }
        let content = try WaveContent(path: decoded)
        let frames = content.data.count / max(1, content.channels * content.bitsPerSample / 8)
        self.frames = frames
        let text = try Tools.output("aqinfo", ["--json", row.path])
        let facts = try JSONDecoder().decode(FileFacts.self, from: Data(text.utf8))
        warnings = facts.warnings
        if frames != row.frames, !(row.isMalformed && !warnings.isEmpty) {
            failures.append("\(frames) frames, not \(row.frames.map(String.init) ?? "none")")
        }
        if facts.frames != frames { failures.append("aqinfo says \(facts.frames) frames") }
        if frames == 0 { finding = "no frames" } else { try compare(content, facts, folder) }
    }

    /// Compares checksums, and if none is equal, samples.
    private mutating func compare(_ content: WaveContent, _ facts: FileFacts, _ folder: ScratchFolder) throws
    {
        let raw = folder.file("samples")
        try content.data.write(to: URL(fileURLWithPath: raw))
        let checksum = try Tools.output("md5sum", [raw]).prefix(32)
        let same = [("ffmpeg_md5", "ffmpeg"), ("sndfile_md5", "libsndfile"), ("mpg123_md5_f32", "mpg123")]
            .filter { row[$0.0] == checksum }
        guard same.isEmpty else {
            return finding = "exact: " + same.map(\.1).joined(separator: ", ")
        }
        let layout = SoundLayout(channels: content.channels, sampleRate: content.sampleRate)
        let wide = folder.file("wide.wav")
        _ = try Tools.output("aqconvert", ["--quiet", "-d", "F64", row.path, wide])
        let ours = try Sound(wavePath: wide)
        let peer = row.referencePath != nil ? "author" : row.isMPEGAudio ? "mpg123" : "ffmpeg"
        let theirs = try decode(with: peer, layout, folder)
        // Frames trimmed here are included by ffmpeg, and not by libmpg123.
        let start = row.referencePath != nil ? 0 : row.isMPEGAudio ? row.foreignFrames : facts.primingFrames
        let compared = row.isMPEGAudio && start == 0 ? theirs : theirs.cut(from: start, frames: ours.frames)
        let difference = ours.largestDifference(from: compared)
        let steps = decimal(difference * 32768)
        finding =
            difference == 0 ? "exact over \(compared.frames) frames" : "within \(steps) steps of 16 bits"
        finding += ": \(peer)"
        // Two decoders of the same lossy packets may differ by one step.
        if difference > RoundTrip.step, !row.isMalformed {
            failures.append("samples differ from \(peer)'s by \(steps) steps of 16 bits")
        }
        if compared.frames < ours.frames { finding += ", which has \(theirs.frames) frames" }
    }

    /// Decodes with another program; ffmpeg trims nothing.
    private func decode(with peer: String, _ layout: SoundLayout, _ folder: ScratchFolder) throws -> Sound {
        var source = row.path
        var options: [String] = []
        if let path = row.referencePath {
            source = path
            options = ["-f", "s16le", "-ar", "\(layout.sampleRate)", "-ac", "\(layout.channels)"]
        } else if peer == "mpg123" {
            source = folder.file("mpg123.wav")
            _ = try Tools.run("mpg123", ["-q", "-e", "f32", "-w", source, row.path])
        }
        let raw = folder.file("peer.raw")
        // QUIRK: ffmpeg 5.1 trims the priming of HE-AAC twice, and doubles its one channel. It reports damaged files;
        // only the decoded frames matter.
        _ = try Tools.run(
            "ffmpeg",
            ["-v", "quiet", "-nostdin", "-flags2", "+skip_manual"] + options + ["-i", source, "-map", "a:0"]
                + (layout.channels == 1 ? ["-filter:a", "pan=mono|c0=c0"] : []) + ["-f", "f64le", raw])
        return try Sound(rawPath: raw, channels: layout.channels, sampleRate: layout.sampleRate)
    }
}
