/// A FLAC file with silence in place of frames that are damaged or missing.
///
/// libsndfile ends where libFLAC meets damage, or goes on a few frames later as if nothing had been between. So it is
/// shown the whole frames one after another, and frames of silence where their numbers leave some out: time stays
/// right, and it can seek.
struct MendedFLAC: MendedBytes {
    let byteCount: Int64
    /// What was left out, a line each.
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
    /// Each with where its end comes.
    private let pieces: [(content: Content, end: Int64)]

    /// Reads through the file.
    ///
    /// Nil if it is no FLAC, or if there is no whole frame behind damage: that it ends too early is known to others.
    init?(file: any MendedBytes) {
        guard let info = FLACStreamInfo(file: file) else { return nil }
        let runs = FLACFrameScan(file: file, info: info).runs
        var contents = [Content.file(info.start..<info.firstFrame)]
        var warnings: [String] = []
        // A hole in the file may have been of any length; that it is longer than all that there is, is a lie.
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
        // What the last frame is, nothing behind it tells; the library will.
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

    /// The first piece that ends behind a place.
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

    /// Of the shortest frame there is: of silence.
    private static let leastFrameBytes: Int64 = 10
}
