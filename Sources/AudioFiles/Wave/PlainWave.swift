import CoreAudioTypes

/// What a WAVE file holds whose header leaves nothing open: whole samples of a format without extensions, in chunks
/// that end where the file does.
struct PlainWave {
    let format: AudioStreamBasicDescription
    /// Where the samples are.
    let dataRange: Range<Int64>

    /// Reads the header; nil if anything in it is uncommon, wrong or not at hand, and is left to those who can tell.
    ///
    /// - Parameter head: The first bytes of the file, with all that comes before the samples.
    init?(file: OpenFile, head: [UInt8]) {
        guard let fileBytes = file.bytes, head.count >= Self.firstChunk,
            Self.number(head, at: 0) == Self.riff, Self.number(head, at: 8) == Self.wave,
            8 + Int64(Self.number(head, at: 4)) == fileBytes
        else { return nil }
        var format: AudioStreamBasicDescription?
        var offset = Self.firstChunk
        while offset + Self.headerBytes <= head.count {
            let contents = offset + Self.headerBytes
            let length = Int64(Self.number(head, at: offset + 4))
            switch Self.number(head, at: offset) {
            case Self.formatChunk:
                guard format == nil, length >= Self.formatBytes, contents + Self.formatBytes <= head.count,
                    let found = Self.format(head, at: contents)
                else { return nil }
                format = found
            case Self.dataChunk:
                guard let format, length > 0, length % Int64(format.mBytesPerFrame) == 0,
                    Self.holdsChunks(file, from: Int64(contents) + length + length & 1, to: fileBytes)
                else { return nil }
                self.format = format
                dataRange = Int64(contents)..<Int64(contents) + length
                return
            default: break
            }
            // Chunks begin at even places.
            guard length <= Int64(head.count - contents) else { return nil }
            offset = contents + Int(length + length & 1)
        }
        return nil
    }

    /// The samples that a format describes without extensions.
    private static func format(_ bytes: [UInt8], at offset: Int) -> AudioStreamBasicDescription? {
        let (tag, channels) = halves(bytes, at: offset)
        let sampleRate = Double(number(bytes, at: offset + 4))
        let (frameBytes, bits) = halves(bytes, at: offset + 12)
        guard FormatLimits.channels ~= channels, FormatLimits.sampleRates ~= sampleRate,
            frameBytes * 8 == bits * channels
        else { return nil }
        return switch (tag, bits) {
        case (1, 8): .unsignedInteger(bits: 8, isBigEndian: false, channels: channels, sampleRate: sampleRate)
        case (1, 16), (1, 24), (1, 32):
            .signedInteger(bits: bits, isBigEndian: false, channels: channels, sampleRate: sampleRate)
        case (3, 32), (3, 64):
            .float(bits: bits, isBigEndian: false, channels: channels, sampleRate: sampleRate)
        default: nil
        }
    }

    /// Whether chunks, none of which describes the sound anew, follow each other up to the end of the file.
    private static func holdsChunks(_ file: OpenFile, from first: Int64, to end: Int64) -> Bool {
        var offset = first
        for _ in 0..<mostChunks where offset < end {
            guard let header = try? file.read(at: offset, count: headerBytes), header.count == headerBytes
            else { return false }
            let type = number(header, at: 0)
            guard type != formatChunk, type != dataChunk else { return false }
            let length = Int64(number(header, at: 4))
            offset += Int64(headerBytes) + length + length & 1
        }
        return offset == end
    }

    private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
        UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
            | UInt32(bytes[offset + 3]) << 24
    }

    /// Two numbers of 16 bits.
    private static func halves(_ bytes: [UInt8], at offset: Int) -> (Int, Int) {
        let number = number(bytes, at: offset)
        return (Int(number & 0xFFFF), Int(number >> 16))
    }

    // Four characters each, the first in the lowest byte.
    private static let riff: UInt32 = 0x46464952
    private static let wave: UInt32 = 0x45564157
    private static let formatChunk: UInt32 = 0x20746D66
    private static let dataChunk: UInt32 = 0x61746164

    private static let firstChunk = 12
    private static let headerBytes = 8
    /// Of a format without extensions.
    private static let formatBytes = 16
    private static let mostChunks = 4096
}
