/// A FLAC file with silence in place of damaged or missing frames.
///
/// If libFLAC finds damage, libsndfile ends, or continues a few frames later as if there had been no gap. Therefore it
/// gets the complete frames one after another, and frames of silence where frame numbers are missing. So the audio
/// keeps its time, and seeking works.
struct MendedFLAC: MendedBytes {
    let byteCount: Int64
    /// The omitted parts, one line each.
    let warnings: [String]

    private enum Content {
        case file(Range<Int64>)
        case silence(FLACSilence)

        var byteCount: Int64 {
            switch self {
            case .file(let bytes): Int64(bytes.count)
            case .silence(let silence): silence.byteCount
            }
        }
    }

    private let start: PatchedFile
    /// The pieces, each with its end offset.
    private let pieces: [(content: Content, end: Int64)]

    /// Reads the whole file.
    ///
    /// Nil if it is not FLAC, or if no complete frame follows damage; an early end is reported elsewhere.
    init?(file: any MendedBytes) {
        guard let info = FLACStreamInfo(file: file) else { return nil }
        let runs = FLACFrameScan(file: file, info: info).runs
        var contents = [Content.file(info.start..<info.firstFrame)]
        var warnings: [String] = []
        // A gap may have any length, but one longer than all frames together is not credible.
        var mostMissing = runs.reduce(0) { $0 + Int64($1.samples.count) }
        var (place, next) = (info.firstFrame, Int64(0))
        if let first = runs.first, first.bytes.lowerBound == place { next = first.samples.lowerBound }
        var end = file.byteCount
        for run in runs {
            let lost = run.bytes.lowerBound - place
            let missing = next..<run.samples.lowerBound
            let explained = (lost / Self.leastFrameBytes + 1) * info.mostFramesPerBlock
            mostMissing -= max(Int64(missing.count) - explained, 0)
            guard mostMissing >= 0 else {
                end = place
                break
            }
            if !missing.isEmpty {
                let silences = FLACSilence.runs(for: missing, isVariable: run.isVariable, info: info)
                contents += silences.map { .silence($0) }
                warnings.append(Self.words(missing, from: place))
            } else if lost > 0 {
                warnings.append(DamageWords.foreign(lost, at: place, "before frame \(next)", no: "FLAC"))
            }
            contents.append(.file(run.bytes))
            (place, next) = (run.bytes.upperBound, run.samples.upperBound)
        }
        guard !warnings.isEmpty else { return nil }
        // Nothing after the last frame confirms its length; the library will check it.
        if place < end { contents.append(.file(place..<end)) }
        var reached: Int64 = 0
        pieces = contents.map { content in
            reached += content.byteCount
            return (content, reached)
        }
        byteCount = reached
        start = PatchedFile(file: file, patches: info.seekTables)
        self.warnings = warnings
    }

    private static func words(_ missing: Range<Int64>, from byte: Int64) -> String {
        let one = missing.count == 1
        return
            "\(missing.count) frame\(one ? "" : "s") from frame \(missing.lowerBound) on, at byte \(byte), "
            + "\(one ? "is" : "are") lost, and silent"
    }

    func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) -> Int {
        guard offset >= 0 else { return 0 }
        var done = 0
        var index = piece(at: offset)
        while done < memory.count, index < pieces.count {
            let begin = index == 0 ? 0 : pieces[index - 1].end
            let skipped = offset + Int64(done) - begin
            let room = min(Int64(memory.count - done), pieces[index].end - begin - skipped)
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[done..<done + Int(room)])
            let got: Int
            switch pieces[index].content {
            case .file(let bytes): got = unsafe start.read(at: bytes.lowerBound + skipped, into: rest)
            case .silence(let silence): got = unsafe Self.fill(rest, from: skipped, of: silence)
            }
            done += got
            guard got == room else { break }
            index += 1
        }
        return done
    }

    /// The first piece that ends after an offset.
    private func piece(at offset: Int64) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].end <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func fill(
        _ memory: UnsafeMutableRawBufferPointer, from offset: Int64, of silence: FLACSilence
    ) -> Int {
        var done = 0
        while done < memory.count {
            let (index, place) = (offset + Int64(done)).quotientAndRemainder(
                dividingBy: Int64(silence.blockBytes))
            for byte in silence.block(index)[Int(place)...].prefix(memory.count - done) {
                unsafe memory[done] = byte
                done += 1
            }
        }
        return done
    }

    /// The size of the shortest possible frame, which is silent.
    private static let leastFrameBytes: Int64 = 10
}
