import CoreAudioTypes
import Glibc

/// What the chunks of an IFF-like file (RIFF, AIFF) promise, to be held against what the file has.
///
/// libsndfile reads around such faults without a word; the user should hear of them.
struct ContainerChunks {
    private enum Family { case riff, iff }

    /// True for AIFF-C.
    private(set) var isCompressedAIFF = false
    /// Frames that an AIFF header counts.
    private var countedFrames: Int64?
    /// Bytes of audio that the audio chunk promises; nil if it leaves them open.
    private var promisedAudioBytes: UInt64?
    /// Bytes from the beginning of the audio chunk's contents to the end of the file.
    private var availableAudioBytes: UInt64 = 0
    private var faults: [String] = []
    /// Where the length of the audio chunk stands, and where the outermost chunk claims to end.
    private var audioLengthOffset: UInt64 = 0
    private var declaredEnd: UInt64 = 0
    private let family: Family
    /// What the header says of the format, wrong or not.
    private var declaredRate: Double?
    private var declaredChannels: Int?
    /// Chunks that describe the format; more than one only in a file that is damaged.
    private(set) var formatChunks = 0
    /// What AIFF says that the channels are for; empty if it does not.
    private(set) var channelLabels: [AudioChannelLabel] = []

    /// Walks the chunks; nil if the file has none.
    init?(file: OpenFile) {
        guard let fileBytes = file.bytes.map(UInt64.init), let head = Self.read(file, at: 0, count: 12) else {
            return nil
        }
        var isBigEndian = false
        switch String(decoding: head[0..<4], as: UTF8.self) {
        case "RIFF", "RF64", "BW64": family = .riff
        case "RIFX": (family, isBigEndian) = (.riff, true)
        case "FORM":
            (family, isBigEndian) = (.iff, true)
            isCompressedAIFF = head[8..<12].elementsEqual("AIFC".utf8)
        default: return nil
        }
        declaredEnd = 8 + Self.number(head[4..<8], isBigEndian: isBigEndian)
        walk(file, fileBytes: fileBytes, isBigEndian: isBigEndian)
    }

    private mutating func walk(_ file: OpenFile, fileBytes: UInt64, isBigEndian: Bool) {
        let headerBytes = 8
        var offset: UInt64 = 12
        var largeDataBytes: UInt64?
        // A file of nothing but empty chunks must not keep us for long.
        for _ in 0..<4096 {
            guard let header = Self.read(file, at: offset, count: headerBytes) else { return }
            let name = String(decoding: header[0..<4].map { 0x20..<0x7F ~= $0 ? $0 : 0x3F }, as: UTF8.self)
            let length = Self.number(header[4...], isBigEndian: isBigEndian)
            let contents = offset + UInt64(headerBytes)
            let available = fileBytes - min(contents, fileBytes)
            if name == "ds64", let sizes = Self.read(file, at: contents, count: 16) {
                largeDataBytes = Self.number(sizes[8..<16], isBigEndian: false)
            }
            readFormat(file, chunk: name, at: contents, isBigEndian: isBigEndian)
            if family == .iff, name == "CHAN" {
                readLayout(file, at: contents, bytes: min(length, available))
            }
            switch (family, name) {
            case (.riff, "data"), (.iff, "SSND"):
                let isOpen = length == 0xFFFF_FFFF
                promisedAudioBytes = isOpen ? largeDataBytes : length
                availableAudioBytes = available
                audioLengthOffset = offset + 4
                if isOpen, largeDataBytes == nil { return }
                if isUnfinished { return }
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

    private mutating func readFormat(_ file: OpenFile, chunk: String, at offset: UInt64, isBigEndian: Bool) {
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
        default: break
        }
    }

    private mutating func readLayout(_ file: OpenFile, at offset: UInt64, bytes: UInt64) {
        // As much as the most channels take.
        let contents = Self.read(file, at: offset, count: Int(min(bytes, 12 + 32 * 20)))
        if let labels = contents.flatMap({ try? CAFChannelLayout.labels($0) }) { channelLabels = labels }
    }

    /// What in the declared format nobody can play; nil if it says nothing impossible.
    var formatFault: AudioFileError? {
        if let declaredChannels, !(1...32 ~= declaredChannels) {
            return AudioFileError(.unsupported, "its header gives \(declaredChannels) channels, not 1 to 32")
        }
        if let declaredRate, !(1...384_000 ~= declaredRate) {
            let rate = Int64(exactly: declaredRate).map(String.init) ?? "\(declaredRate)"
            return AudioFileError(.unsupported, "its header gives a rate of \(rate) Hz, not 1 to 384000")
        }
        return nil
    }

    /// A better reason than the library's for a file that it did not open; nil if the chunks show none.
    var openFault: AudioFileError? {
        promiseFault.map { AudioFileError(.damaged, $0) }
    }

    /// True if a recorder was killed before it filled in the lengths.
    private var isUnfinished: Bool {
        family == .riff && promisedAudioBytes == 0 && availableAudioBytes > 0
            && declaredEnd <= audioLengthOffset + 4
    }

    /// The file with the true length of its audio, if its own is one that libsndfile does not read, and without
    /// what libsndfile must not be shown; nil if it can be read as it is.
    func mend(_ file: OpenFile) -> MendedFile? {
        var patches = RIFFTraps(file: file).offsets.map { (offset: $0, bytes: RIFFTraps.passed) }
        if availableAudioBytes > 0, isUnfinished {
            let bytes = UInt32(clamping: availableAudioBytes)
            let length = (0..<4).map { UInt8(truncatingIfNeeded: bytes >> (8 * $0)) }
            patches.append((Int64(clamping: audioLengthOffset), length))
        }
        return patches.isEmpty ? nil : MendedFile(file: file, patches: patches)
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
        } else if isUnfinished {
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
}
