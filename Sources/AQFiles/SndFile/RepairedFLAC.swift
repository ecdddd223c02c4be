// SPDX-License-Identifier: MIT

/// A FLAC file with silence in offset of damaged or missing frames.
///
/// If libFLAC finds damage, libsndfile ends, or continues a few frames later as if there had been no gap. Therefore
/// libsndfile gets the complete frames one after another, and frames of silence where frame numbers are missing. So the
/// audio keeps its time, and seeking works.
struct RepairedFLAC {
    let bytes: SplicedBytes
    /// The omitted parts, one line each.
    let warnings: [String]

    /// Reads the whole file; nil if it is not FLAC, or if no complete frame follows damage. The file's reader reports
    /// an early end.
    init?(file: any ReadableBytes) {
        guard let info = FLACStreamInfo(file: file) else { return nil }
        let runs = FLACFrameScan(file: file, info: info).runs
        var contents = [SplicedBytes.Piece.file(info.start..<info.firstFrame)]
        var warnings: [String] = []
        // A gap may have any length, but one longer than all frames together is not credible.
        var mostMissing = runs.reduce(0) { $0 + Int64($1.samples.count) }
        var (offset, next) = (info.firstFrame, Int64(0))
        if let first = runs.first, first.bytes.lowerBound == offset { next = first.samples.lowerBound }
        var end = file.byteCount
        for run in runs {
            let lost = run.bytes.lowerBound - offset
            let missing = next..<run.samples.lowerBound
            let explained = Self.explainedFrames(lostBytes: lost, info)
            mostMissing -= max(Int64(missing.count) - explained, 0)
            guard mostMissing >= 0 else {
                end = offset
                break
            }
            if !missing.isEmpty {
                let silences = FLACSilence.runs(for: missing, isVariable: run.isVariable, info: info)
                contents += silences.map { .other($0) }
                warnings.append(Self.words(missing, from: offset))
            } else if lost > 0 {
                warnings.append(DamageWords.foreign(lost, at: offset, "before frame \(next)", no: "FLAC"))
            }
            contents.append(.file(run.bytes))
            (offset, next) = (run.bytes.upperBound, run.samples.upperBound)
        }
        guard !warnings.isEmpty else { return nil }
        // Nothing after the last frame confirms its length; the library will check it.
        if offset < end { contents.append(.file(offset..<end)) }
        bytes = SplicedBytes(contents, of: SplicedBytes(file, patches: info.seekTables))
        self.warnings = warnings
    }

    /// The largest number of frames that lost bytes, and one frame without a trace, can have encoded.
    static func explainedFrames(lostBytes: Int64, _ info: FLACStreamInfo) -> Int64 {
        (lostBytes / leastFrameBytes + 1) * info.mostFramesPerBlock
    }

    /// Makes a warning such as `4096 frames from frame 8192 on, at byte 5, are lost, and replaced by silence`.
    static func words(_ missing: Range<Int64>, from byte: Int64) -> String {
        let one = missing.count == 1
        return
            "\(missing.count) frame\(one ? "" : "s") from frame \(missing.lowerBound) on, at byte \(byte), "
            + "\(one ? "is" : "are") lost, and replaced by silence"
    }

    /// The size of the shortest possible frame, which is silent.
    private static let leastFrameBytes: Int64 = 10
}
