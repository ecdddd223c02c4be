import CoreAudioTypes
import Glibc

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
    private var faults: [String] = []
    private var audioLength = AudioLength.counted
    /// Where the length of the audio chunk stands, and where the outermost chunk claims to end.
    private var audioLengthOffset: UInt64 = 0
    /// Where RF64 has it, which is what counts there.
    private var largeLengthOffset: UInt64?
    private var declaredEnd: UInt64 = 0
    private let family: Family
    private let isBigEndian: Bool
    /// What the header says of the format, wrong or not.
    private var declaredRate: Double?
    private var declaredChannels: Int?
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
        switch mark {
        case "RIFF", "RIFX": family = .riff
        case "RF64", "BW64": family = .rf64
        case "FORM":
            family = .iff
            isCompressedAIFF = head[8..<12].elementsEqual("AIFC".utf8)
        default: return nil
        }
        declaredEnd = 8 + Self.number(head[4..<8], isBigEndian: isBigEndian)
        walk(file, fileBytes: fileBytes)
    }

    private mutating func walk(_ file: OpenFile, fileBytes: UInt64) {
        var offset: UInt64 = 12
        var largeDataBytes: UInt64?
        // A file of nothing but empty chunks must not keep us for long.
        for _ in 0..<Self.mostChunks {
            guard let header = Self.read(file, at: offset, count: Self.headerBytes) else { return }
            let name = String(decoding: header[0..<4].map { 0x20..<0x7F ~= $0 ? $0 : 0x3F }, as: UTF8.self)
            let length = Self.number(header[4...], isBigEndian: isBigEndian)
            let contents = offset + UInt64(Self.headerBytes)
            let available = fileBytes - min(contents, fileBytes)
            if name == "ds64", let sizes = Self.read(file, at: contents, count: 16) {
                largeDataBytes = Self.number(sizes[8..<16], isBigEndian: false)
                largeLengthOffset = contents + 8
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
                faults.append(
                    "chunk '\(name)' at byte \(offset) runs \(length - available) bytes past the end of the file"
                )
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
        for _ in 0..<Self.mostChunks {
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
        promiseFault.map { AudioFileError(.damaged, $0) }
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
        return patches.isEmpty ? nil : PatchedFile(file: file, patches: patches).map { MendedFile($0) }
    }

    /// What has libsndfile read the audio up to the end of the file; empty if it does so anyway.
    private var lengthPatches: [MendedFile.Patch] {
        let isTooLong = audioLength == .open && availableAudioBytes > UInt32.max
        guard isUnfinished || isTooLong || audioLength == .placeholder else { return [] }
        let offset = Int64(clamping: audioLengthOffset)
        switch family {
        // QUIRK: libsndfile takes 8 and 0, which its own recordings have until they are finished, for audio up to
        // the end of the file, and of any size. All other lengths it takes at their word, and they have 32 bits.
        case .riff:
            return [(offset: 4, bytes: digits(UInt32(8))), (offset: offset, bytes: digits(UInt32(0)))]
        case .rf64:
            guard let largeLengthOffset else {
                return [(offset: offset, bytes: digits(UInt32(clamping: availableAudioBytes)))]
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
        return
            "the header promises \(promised) bytes of audio, but the file ends after \(availableAudioBytes)"
    }

    /// Reports what the header promises and the file does not hold.
    func report(frameCount: Int64, coding: SndFileCoding, into warnings: inout WarningList) {
        if let promiseFault {
            warnings.append(promiseFault)
        } else if isUnfinished || audioLength == .placeholder {
            warnings.append("the header was never finished; all that follows it is played")
        }
        if coding.access == .raw, let countedFrames, countedFrames != frameCount {
            warnings.append("the header counts \(countedFrames) frames, but the file holds \(frameCount)")
        }
        for fault in faults { warnings.append(fault) }
    }

    private static func number(_ digits: ArraySlice<UInt8>, isBigEndian: Bool) -> UInt64 {
        isBigEndian
            ? digits.reduce(0) { $0 << 8 | UInt64($1) } : digits.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func read(_ file: OpenFile, at offset: UInt64, count: Int) -> [UInt8]? {
        guard let place = off_t(exactly: offset) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(file.descriptor, $0.baseAddress, count, place)
        }
        return got == count ? bytes : nil
    }

    private static let headerBytes = 8
    private static let mostChunks = 4096
}
