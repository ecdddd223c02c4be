import CoreAudioTypes

/// The metadata before the frames of a FLAC file (RFC 9639, 8) that is needed to find the frames.
struct FLACStreamInfo {
    /// The offset of the stream's marker, after an ID3 tag if there is one.
    let start: Int64
    /// The offset of the first frame.
    let firstFrame: Int64
    /// The largest number of samples per frame; if frames have the same length, the number in each except the last.
    let mostFramesPerBlock: Int64
    let channels: Int
    let bits: Int
    /// The number of samples; nil if the encoder did not know it.
    let frameCount: Int64?
    /// The patches that turn seek tables into padding.
    let seekTables: [VirtualFile.Patch]

    /// Reads the metadata; nil if the file does not begin like FLAC.
    init?(file: any ReadableBytes) {
        start = StreamTag.id3Bytes(file.bytes(at: 0, count: 10)) ?? 0
        let info = file.bytes(at: start, count: 8 + Self.infoBytes)
        guard info.count == 8 + Self.infoBytes,
            info.starts(with: "fLaC".utf8), info[4] & 0x7F == 0
        else { return nil }
        func number(_ range: Range<Int>) -> Int64 { info[range].reduce(0) { $0 << 8 | Int64($1) } }
        mostFramesPerBlock = number(10..<12)
        let packed = UInt64(bitPattern: number(18..<26))
        channels = Int(packed >> 41 & 0x07) + 1
        bits = Int(packed >> 36 & 0x1F) + 1
        let counted = Int64(packed & (1 << 36 - 1))
        frameCount = counted == 0 ? nil : counted
        // No frame except the last has fewer samples.
        guard mostFramesPerBlock >= 16 else { return nil }

        var offset = start + 4
        var tables: [VirtualFile.Patch] = []
        for _ in 0..<Self.mostBlocks {
            let header = file.bytes(at: offset, count: 4)
            guard header.count == 4 else { return nil }
            if header[0] & 0x7F == Self.seekTable {
                tables.append((offset: offset, bytes: [header[0] & 0x80 | Self.padding]))
            }
            offset += 4 + header[1...].reduce(0) { $0 << 8 | Int64($1) }
            if header[0] & 0x80 != 0 { break }
        }
        seekTables = tables
        firstFrame = offset
    }

    private static let infoBytes = 34
    private static let padding: UInt8 = 1
    private static let seekTable: UInt8 = 3
    private static let mostBlocks = 4096
}
