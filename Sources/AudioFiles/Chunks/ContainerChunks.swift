import CoreAudioTypes

/// What the chunks of an IFF-like file (RIFF, AIFF) promise, to be held against what the file has.
///
/// libsndfile reads around such faults without a word; the user should hear of them.
struct ContainerChunks {
    private enum Family { case riff, rf64, iff }

    /// What the length of the audio chunk is worth.
    private enum AudioLength {
        case counted
        /// The number that says nothing: the audio goes on to the end of the file.
        case open
        /// A number that a recorder put there which could not go back, and which the file does not keep to.
        case placeholder
    }

    /// True for AIFF-C.
    private(set) var isCompressedAIFF = false
    /// Frames that an AIFF header counts.
    private var countedFrames: Int64?
    /// Bytes of audio that the audio chunk promises; nil if it leaves them open.
    private var promisedAudioBytes: UInt64?
    /// Bytes from the beginning of the audio chunk's contents to the end of the file.
    private var availableAudioBytes: UInt64 = 0
    private var problems: [AudioFileProblem] = []
    private let fileBytes: UInt64
    /// A coding in blocks, of a WAVE file.
    private var blocks: BlockCoding?
    private var hasAudio = false
    /// How the file ends before its audio; nil if it does not.
    private(set) var cutFault: AudioFileError?
    /// Where a 'ds64' is that ends with the last of its sizes, before the length of its table.
    private var shortSizesOffset: Int64?
    private var audioLength = AudioLength.counted
    /// Where the length of the audio chunk stands, and where the outermost chunk claims to end.
    private var audioLengthOffset: UInt64 = 0
    /// Where RF64 has it, which is what counts there.
    private var largeLengthOffset: UInt64?
    private var declaredEnd: UInt64 = 0
    private let family: Family
    private let isBigEndian: Bool
    /// False for other files in chunks, such as 8SVX.
    private let isWaveOrAIFF: Bool
    /// What the header says of the format, wrong or not.
    private var declaredRate: Double?
    private var declaredChannels: Int?
    /// The name of a coding that libsndfile does not read: "WAVE format 0x0161", "AIFF-C type 'QDM2'".
    private(set) var codingName: String?
    /// Chunks that describe the format; more than one only in a file that is damaged.
    private(set) var formatChunks = 0
    /// What has libsndfile know the samples of AIFF-C.
    private var codingPatches: [MendedFile.Patch] = []
    /// What AIFF says that the channels are for; empty if it does not.
    private(set) var channelLabels: [AudioChannelLabel] = []

    /// Walks the chunks; nil if the file has none.
    init?(file: OpenFile) {
        guard let fileBytes = file.bytes.map(UInt64.init), let head = Self.read(file, at: 0, count: 12) else {
            return nil
        }
        let mark = String(decoding: head[0..<4], as: UTF8.self)
        isBigEndian = ["RIFX", "FORM"].contains(mark)
        isWaveOrAIFF = ["WAVE", "AIFF", "AIFC"].contains { head[8..<12].elementsEqual($0.utf8) }
        switch mark {
        case "RIFF", "RIFX": family = .riff
        case "RF64", "BW64": family = .rf64
        case "FORM":
            family = .iff
            isCompressedAIFF = head[8..<12].elementsEqual("AIFC".utf8)
        default: return nil
        }
        declaredEnd = 8 + Self.number(head[4..<8], isBigEndian: isBigEndian)
        self.fileBytes = fileBytes
        walk(file, fileBytes: fileBytes)
    }

    private mutating func walk(_ file: OpenFile, fileBytes: UInt64) {
        var offset: UInt64 = 12
        var largeDataBytes: UInt64?
        for _ in 0..<FormatLimits.mostChunks {
            guard let header = Self.read(file, at: offset, count: Self.headerBytes) else {
                if offset < fileBytes, !hasAudio, isWaveOrAIFF {
                    cutFault = AudioFileError(
                        .damaged, "the file ends inside the header of a chunk, at byte \(offset)")
                }
                return
            }
            let name = String(decoding: header[0..<4].map { 0x20..<0x7F ~= $0 ? $0 : 0x3F }, as: UTF8.self)
            let length = Self.number(header[4...], isBigEndian: isBigEndian)
            let contents = offset + UInt64(Self.headerBytes)
            let available = fileBytes - min(contents, fileBytes)
            if name == "ds64", let sizes = Self.read(file, at: contents, count: 16) {
                largeDataBytes = Self.number(sizes[8..<16], isBigEndian: false)
                largeLengthOffset = contents + 8
                if family == .rf64, length == 24, available >= 24 {
                    shortSizesOffset = Int64(clamping: offset)
                }
                if family == .rf64 {
                    declaredEnd = 8 + min(Self.number(sizes[0..<8], isBigEndian: false), .max - 8)
                }
            }
            readFormat(file, chunk: name, at: contents)
            if family == .iff, name == "CHAN" {
                readLayout(file, at: contents, bytes: min(length, available))
            }
            switch (family, name) {
            case (.riff, "data"), (.rf64, "data"), (.iff, "SSND"):
                hasAudio = true
                availableAudioBytes = available
                audioLengthOffset = offset + 4
                let isLarge = length == 0xFFFF_FFFF && largeDataBytes != nil
                let isOpen = isLarge && largeDataBytes == UInt64(PlaceholderLength.large)
                audioLength =
                    isOpen
                    ? .open : isLarge ? .counted : judge(length, of: file, at: contents, fileBytes: fileBytes)
                promisedAudioBytes = audioLength != .counted ? nil : isLarge ? largeDataBytes : length
                if isToEnd { return }
            case (_, _) where length > available:
                problems.append(
                    AudioFileProblem(
                        .damage,
                        "chunk '\(name)' at byte \(offset) runs \(length - available) bytes past the end of the file"
                    ))
            default: break
            }
            let promised = name == "data" ? promisedAudioBytes ?? length : length
            guard promised <= available else { return }
            // Chunks begin at even places.
            offset = contents + promised + (promised & 1)
        }
    }

    private func judge(
        _ length: UInt64, of file: OpenFile, at contents: UInt64, fileBytes: UInt64
    ) -> AudioLength {
        if length == 0xFFFF_FFFF { return .open }
        guard family == .riff, PlaceholderLength.contains(length), length < availableAudioBytes,
            declaredEnd != fileBytes
        else { return .counted }
        // Audio may be just that long; then what follows it are chunks.
        let next = contents + length + length & 1
        return holdsChunks(file, from: next, fileBytes: fileBytes) ? .counted : .placeholder
    }

    /// True if there is nothing but chunks from a place on to the end of the file.
    private func holdsChunks(_ file: OpenFile, from first: UInt64, fileBytes: UInt64) -> Bool {
        var offset = first
        for _ in 0..<FormatLimits.mostChunks {
            guard let header = Self.read(file, at: offset, count: Self.headerBytes) else {
                // The padding of the last may be missing.
                return offset <= fileBytes + 1
            }
            guard header[0..<4].allSatisfy({ 0x20..<0x7F ~= $0 }) else { return false }
            let length = Self.number(header[4...], isBigEndian: isBigEndian)
            offset += UInt64(Self.headerBytes) + length + length & 1
        }
        return true
    }

    private mutating func readFormat(_ file: OpenFile, chunk: String, at offset: UInt64) {
        switch chunk {
        case "fmt ":
            formatChunks += 1
            guard let fields = Self.read(file, at: offset, count: 8) else { return }
            declaredChannels = Int(Self.number(fields[2..<4], isBigEndian: isBigEndian))
            declaredRate = Double(Self.number(fields[4..<8], isBigEndian: isBigEndian))
            let tag = Self.number(fields[0..<2], isBigEndian: isBigEndian)
            if !Self.readTags.contains(tag) {
                let digits = String(tag, radix: 16, uppercase: true)
                codingName = "WAVE format 0x\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)"
            }
            if !isBigEndian, let fields = Self.read(file, at: offset, count: BlockCoding.formatBytes) {
                blocks = BlockCoding(format: fields)
            }
        case "fact":
            guard let digits = Self.read(file, at: offset, count: 4) else { return }
            blocks?.countedFrames = Int64(Self.number(digits[...], isBigEndian: isBigEndian))
        case "COMM":
            formatChunks += 1
            guard let fields = Self.read(file, at: offset, count: 18) else { return }
            declaredChannels = Int(Self.number(fields[0..<2], isBigEndian: true))
            countedFrames = Int64(Self.number(fields[2..<6], isBigEndian: true))
            // Eighty bits: sign, fifteen of exponent, and the mantissa with its leading bit.
            let exponent = Int(Self.number(fields[8..<10], isBigEndian: true) & 0x7FFF) - 16383 - 63
            let mantissa = Double(Self.number(fields[10..<18], isBigEndian: true))
            declaredRate = Double(
                sign: fields[8] < 0x80 ? .plus : .minus, exponent: exponent, significand: mantissa)
            guard isCompressedAIFF, let fields = Self.read(file, at: offset, count: 22) else { return }
            let code = UInt32(Self.number(fields[18..<22], isBigEndian: true))
            codingName = "AIFF-C type \(FourCharacterCode(rawValue: code))"
            codingPatches += AIFFCoding.patches(common: fields, at: Int64(clamping: offset))
        default: break
        }
    }

    private mutating func readLayout(_ file: OpenFile, at offset: UInt64, bytes: UInt64) {
        // As much as the most channels take.
        let most = 12 + UInt64(FormatLimits.channels.upperBound) * 20
        let contents = Self.read(file, at: offset, count: Int(min(bytes, most)))
        if let labels = contents.flatMap({ try? CAFChannelLayout.labels($0) }) { channelLabels = labels }
    }

    /// The rate of AIFF, which need not be whole; nil for other files.
    var exactRate: Double? { family == .iff ? declaredRate : nil }

    /// What in the declared format nobody can play; nil if it says nothing impossible.
    var formatFault: AudioFileError? {
        FormatLimits.fault(sampleRate: declaredRate, channels: declaredChannels).map {
            AudioFileError(.unsupported, "its header gives \($0)")
        }
    }

    /// A better reason than the library's for a file that it did not open; nil if the chunks show none.
    var openFault: AudioFileError? {
        (promiseFault ?? missingFault).map { AudioFileError(.damaged, $0) }
    }

    private var missingFault: String? {
        guard isWaveOrAIFF else { return nil }
        let (format, audio) = family == .iff ? ("COMM", "SSND") : ("fmt ", "data")
        if formatChunks == 0 { return "its format is missing, the chunk '\(format)'" }
        return hasAudio ? nil : "its audio is missing, the chunk '\(audio)'"
    }

    /// True if a recorder was killed before it filled in the lengths.
    private var isUnfinished: Bool {
        family != .iff && promisedAudioBytes == 0 && availableAudioBytes > 0
            && declaredEnd <= audioLengthOffset + 4
    }

    /// True if the audio goes on to the end of the file, whatever its length.
    private var isToEnd: Bool { audioLength != .counted || isUnfinished }

    /// Where the audio is, if it goes on behind a length that could be one; else nil.
    var prolongedAudio: Range<Int64>? {
        guard audioLength == .placeholder else { return nil }
        let start = audioLengthOffset + 4
        return Int64(clamping: start)..<Int64(clamping: start + availableAudioBytes)
    }

    /// The file with lengths that have libsndfile read all of its audio, if its own do not, and without what
    /// libsndfile must not be shown; nil if it can be read as it is.
    func mend(_ file: OpenFile) -> MendedFile? {
        // Behind the length of audio that goes on to the end, what looks like a chunk is audio.
        let end = isToEnd ? Int64(clamping: audioLengthOffset) : Int64.max
        let traps = RIFFTraps(file: file).offsets.filter { $0 < end }
        let patches = traps.map { (offset: $0, bytes: RIFFTraps.passed) } + lengthPatches + codingPatches
        if let pieces = splices(file) {
            return MendedFile(SplicedBytes(pieces, of: PatchedFile(file: file, patches: patches)))
        }
        return patches.isEmpty ? nil : MendedFile(PatchedFile(file: file, patches: patches))
    }

    /// The file with the chunks or fields that libsndfile requires and the file lacks; nil if it lacks none.
    private func splices(_ file: OpenFile) -> [SplicedBytes.Piece]? {
        // Audio of no frames needs no chunk (AIFF 1.3, "Sound Data Chunk").
        if family == .iff, !hasAudio, countedFrames == 0, problems.isEmpty {
            let padding = [UInt8](repeating: 0, count: Int(file.byteCount & 1))
            return [
                .file(0..<file.byteCount),
                .literal(padding + Array("SSND".utf8) + [0, 0, 0, 8] + [UInt8](repeating: 0, count: 8)),
            ]
        }
        // QUIRK: libsndfile 1.2 reads the length of a table behind the sizes, whatever the length of their chunk.
        if let offset = shortSizesOffset {
            let (sizes, end) = (offset + 8, offset + 8 + 24)
            return [
                .file(0..<offset + 4), .literal([28, 0, 0, 0]), .file(sizes..<end), .literal([0, 0, 0, 0]),
                .file(end..<file.byteCount),
            ]
        }
        return nil
    }

    /// Frames of audio, if libsndfile finds more; nil if it knows better.
    func mostFrames(coding: SndFileCoding) -> Int64? {
        guard audioLength == .counted, let promised = promisedAudioBytes, promised > 0 else { return nil }
        if coding.access == .raw { return countedFrames.flatMap { $0 > 0 ? $0 : nil } }
        return blocks?.frames(inBytes: Int64(clamping: min(promised, availableAudioBytes)))
    }

    /// What has libsndfile read the audio up to the end of the file; empty if it does so anyway.
    private var lengthPatches: [MendedFile.Patch] {
        let isTooLong = audioLength == .open && availableAudioBytes > UInt32.max
        let lacksSizes = family == .rf64 && largeLengthOffset == nil && audioLength == .open
        guard isUnfinished || isTooLong || lacksSizes || audioLength == .placeholder else { return [] }
        let offset = Int64(clamping: audioLengthOffset)
        switch family {
        // QUIRK: libsndfile takes 8 and 0, which its own recordings have until they are finished, for audio up to
        // the end of the file, and of any size. All other lengths it takes at their word, and they have 32 bits.
        case .riff:
            return [(offset: 4, bytes: digits(UInt32(8))), (offset: offset, bytes: digits(UInt32(0)))]
        case .rf64:
            // It refuses RF64 without the chunk of the sizes.
            guard let largeLengthOffset else {
                return [
                    (offset: 0, bytes: Array("RIFF".utf8)), (offset: 4, bytes: digits(UInt32(8))),
                    (offset: offset, bytes: digits(UInt32(0))),
                ]
            }
            return [
                (offset: Int64(clamping: largeLengthOffset), bytes: digits(availableAudioBytes)),
                (offset: offset, bytes: digits(UInt32.max)),
            ]
        case .iff: return []
        }
    }

    /// A length as the file writes it.
    private func digits<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        let digits = (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return isBigEndian ? digits.reversed() : digits
    }

    /// How the header promises more audio than there is; nil if it does not.
    private var promiseFault: String? {
        guard let promised = promisedAudioBytes, promised > availableAudioBytes else { return nil }
        return DamageWords.missingAudio(promised: promised, available: availableAudioBytes)
    }

    /// Reports what the header promises and the file does not hold.
    ///
    /// - Parameter heldFrames: Of the audio chunk, counted or not.
    func report(heldFrames: Int64, coding: SndFileCoding, into warnings: inout WarningList) {
        if let promiseFault {
            warnings.append(promiseFault)
        } else if isUnfinished || audioLength == .placeholder {
            warnings.append(
                "the header was never finished; all that follows it is played", grade: .oddity)
        }
        if coding.access == .raw, let countedFrames, countedFrames != heldFrames {
            let words = "the header counts \(countedFrames) frames, but the file holds \(heldFrames)"
            warnings.append(words, grade: countedFrames > heldFrames ? .damage : .oddity)
        }
        if family == .rf64, largeLengthOffset == nil {
            warnings.append("the chunk 'ds64' with the sizes is missing")
        }
        if let fault = blocks?.cutFault(inBytes: Int64(clamping: promisedAudioBytes ?? availableAudioBytes)),
            promiseFault == nil
        {
            warnings.append(fault)
        }
        for problem in problems { warnings.append(problem) }
        if promiseFault == nil, problems.isEmpty { reportEnd(into: &warnings) }
    }

    /// Reports an end of the outermost chunk that the file does not reach.
    private func reportEnd(into warnings: inout WarningList) {
        // The padding of the last chunk may be missing.
        guard !isToEnd, declaredEnd > fileBytes + 1, !PlaceholderLength.contains(declaredEnd - 8),
            family != .rf64 || largeLengthOffset != nil && declaredEnd < UInt64(PlaceholderLength.large)
        else { return }
        // Some programs count the eight bytes of the header, too.
        let isMiscounted = declaredEnd - fileBytes <= 8
        warnings.append(
            "the header promises a file of \(declaredEnd) bytes, but it has \(fileBytes)",
            grade: isMiscounted ? .oddity : .damage)
    }

    private static func number(_ digits: ArraySlice<UInt8>, isBigEndian: Bool) -> UInt64 {
        isBigEndian
            ? digits.reduce(0) { $0 << 8 | UInt64($1) } : digits.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func read(_ file: OpenFile, at offset: UInt64, count: Int) -> [UInt8]? {
        guard let place = Int64(exactly: offset), let bytes = try? file.read(at: place, count: count) else {
            return nil
        }
        return bytes.count == count ? bytes : nil
    }

    /// PCM, A-law and µ-law, ADPCM of all kinds, GSM, MPEG audio, and the extensible format.
    private static let readTags: Set<UInt64> = [1, 2, 3, 6, 7, 0x11, 0x14, 0x31, 0x38, 0x40, 0x55, 0xFFFE]
    private static let headerBytes = 8
}
