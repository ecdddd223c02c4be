import CoreAudioTypes
import Glibc

/// What the chunks of an IFF-like file (RIFF, AIFF, CAF) promise, to be held against what the file has.
///
/// libsndfile reads around such faults without a word; the user should hear of them.
struct ContainerChunks {
    private enum Family { case riff, iff, caf }

    /// True for AIFF-C.
    private(set) var isCompressedAIFF = false
    /// Frames that an AIFF header counts.
    private var countedFrames: Int64?
    /// Bytes of audio that the audio chunk promises; nil if it leaves them open.
    private var promisedAudioBytes: UInt64?
    /// Bytes from the beginning of the audio chunk's contents to the end of the file.
    private var availableAudioBytes: UInt64 = 0
    private var faults: [String] = []

    /// Walks the chunks; nil if the file has none.
    init?(file: OpenFile) {
        guard let fileBytes = file.bytes.map(UInt64.init), let head = Self.read(file, at: 0, count: 12) else {
            return nil
        }
        let family: Family
        var isBigEndian = false
        switch String(decoding: head[0..<4], as: UTF8.self) {
        case "RIFF", "RF64", "BW64": family = .riff
        case "RIFX": (family, isBigEndian) = (.riff, true)
        case "FORM":
            (family, isBigEndian) = (.iff, true)
            isCompressedAIFF = head[8..<12].elementsEqual("AIFC".utf8)
        case "caff": (family, isBigEndian) = (.caf, true)
        default: return nil
        }
        walk(file, fileBytes: fileBytes, family: family, isBigEndian: isBigEndian)
    }

    private mutating func walk(_ file: OpenFile, fileBytes: UInt64, family: Family, isBigEndian: Bool) {
        let headerBytes = family == .caf ? 12 : 8
        var offset: UInt64 = family == .caf ? 8 : 12
        var largeDataBytes: UInt64?
        // A file of nothing but empty chunks must not keep us for long.
        for _ in 0..<4096 {
            guard let header = Self.read(file, at: offset, count: headerBytes) else { return }
            let name = String(decoding: header[0..<4].map { 0x20..<0x7F ~= $0 ? $0 : 0x3F }, as: UTF8.self)
            let digits = isBigEndian ? header[4...] : ArraySlice(header[4...].reversed())
            let length = digits.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            let contents = offset + UInt64(headerBytes)
            let available = fileBytes - min(contents, fileBytes)
            if name == "ds64", let sizes = Self.read(file, at: contents, count: 16) {
                largeDataBytes = sizes[8..<16].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
            if name == "COMM", let common = Self.read(file, at: contents, count: 6) {
                countedFrames = common[2..<6].reduce(0) { $0 << 8 | Int64($1) }
            }
            switch (family, name) {
            case (.riff, "data"), (.iff, "SSND"), (.caf, "data"):
                let isOpen = length == (family == .caf ? UInt64.max : 0xFFFF_FFFF)
                promisedAudioBytes = isOpen ? largeDataBytes : length
                availableAudioBytes = available
                if isOpen, largeDataBytes == nil { return }
            case (_, _) where length > available:
                faults.append(
                    "chunk '\(name)' at byte \(offset) runs \(length - available) bytes past the end of the file")
            default: break
            }
            let promised = name == "data" ? promisedAudioBytes ?? length : length
            guard promised <= available else { return }
            // Chunks of the older families begin at even places.
            offset = contents + promised + (family == .caf ? 0 : promised & 1)
        }
    }

    /// Reports what the header promises and the file does not hold.
    func report(frameCount: Int64, coding: SndFileCoding, into warnings: inout WarningList) {
        if let promised = promisedAudioBytes {
            if promised > availableAudioBytes {
                warnings.append(
                    "the header promises \(promised) bytes of audio, but the file ends after \(availableAudioBytes)")
            } else if promised == 0, frameCount > 0 {
                warnings.append("the header promises no audio at all; what follows it is played")
            }
        }
        if coding.access == .raw, let countedFrames, countedFrames != frameCount {
            warnings.append("the header counts \(countedFrames) frames, but the file holds \(frameCount)")
        }
        for fault in faults { warnings.append(fault) }
    }

    private static func read(_ file: OpenFile, at offset: UInt64, count: Int) -> [UInt8]? {
        guard let place = off_t(exactly: offset) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file.descriptor, $0.baseAddress, count, place) }
        return got == count ? bytes : nil
    }
}
