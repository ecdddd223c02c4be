// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The metadata before the frames of a FLAC file (RFC 9639, 8) that is needed to find the frames.
struct FLACStreamInfo {
    /// The offset of the stream's marker, after an ID3 tag if there is one.
    private(set) var start: Int64 = 0
    /// The offset of the first frame; of the next metadata block if only STREAMINFO was read.
    private(set) var firstFrame = Int64(FLACStreamInfo.headBytes)
    /// The largest number of samples per frame; if frames have the same length, the number in each except the last.
    let mostFramesPerBlock: Int64
    let sampleRate: Int
    let channels: Int
    let bits: Int
    /// The number of samples; nil if the encoder did not know it.
    let frameCount: Int64?
    /// The checksum of all samples; nil if the encoder did not know it.
    let digest: SampleDigest?
    /// The patches that turn seek tables into padding.
    private(set) var seekTables: [VirtualFile.Patch] = []

    /// Reads the marker and STREAMINFO; nil if the bytes are not the start of FLAC.
    init?(head info: [UInt8]) {
        guard info.count >= Self.headBytes, info.starts(with: "fLaC".utf8), info[4] & 0x7F == 0 else {
            return nil
        }
        func number(_ range: Range<Int>) -> Int64 { info[range].reduce(0) { $0 << 8 | Int64($1) } }
        mostFramesPerBlock = number(10..<12)
        let packed = UInt64(bitPattern: number(18..<26))
        sampleRate = Int(packed >> 44)
        channels = Int(packed >> 41 & 0x07) + 1
        bits = Int(packed >> 36 & 0x1F) + 1
        let counted = Int64(packed & (1 << 36 - 1))
        frameCount = counted == 0 ? nil : counted
        let md5 = Array(info[26..<Self.headBytes])
        digest = md5.allSatisfy { $0 == 0 } ? nil : SampleDigest(md5: md5, bits: bits)
        // No frame except the last has fewer samples.
        guard mostFramesPerBlock >= Self.leastFramesPerBlock else { return nil }
    }

    /// Reads the metadata; nil if the file does not begin like FLAC.
    init?(file: any ReadableBytes) {
        let start = StreamTag.id3Bytes(file.bytes(at: 0, count: 10)) ?? 0
        guard let info = FLACStreamInfo(head: file.bytes(at: start, count: Self.headBytes)) else {
            return nil
        }
        self = info
        self.start = start
        var offset = start + 4
        for _ in 0..<Self.mostBlocks {
            let header = file.bytes(at: offset, count: 4)
            guard header.count == 4 else { return nil }
            if header[0] & 0x7F == Self.seekTable {
                seekTables.append((offset: offset, bytes: [header[0] & 0x80 | Self.padding]))
            }
            offset += 4 + header[1...].reduce(0) { $0 << 8 | Int64($1) }
            if header[0] & 0x80 != 0 { break }
        }
        firstFrame = offset
    }

    /// Reads the header of a frame that states rate, channels and depth itself, as in a stream without a start; nil if
    /// the bytes are not such a header. The checksum is not verified.
    init?(frame bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= FLACFrameHeader.mostBytes,
            let frames = unsafe FLACFrameHeader.blockFrames(bytes),
            let rate = unsafe FLACFrameHeader.sampleRate(bytes)
        else { return nil }
        let (channelCode, depthCode) = unsafe (Int(bytes[3] >> 4), Int(bytes[3] >> 1 & 0x07))
        let depth = FLACFrameHeader.depths[depthCode]
        guard channelCode <= 10, depth > 0 else { return nil }
        channels = channelCode < 8 ? channelCode + 1 : 2
        bits = depth
        sampleRate = rate
        (frameCount, digest) = (nil, nil)
        let isVariable = unsafe bytes[1] & 1 != 0
        mostFramesPerBlock = isVariable ? Int64(UInt16.max) : max(frames, Self.leastFramesPerBlock)
    }

    /// The format of decoded samples: the smallest integers that hold all bits, of 24 bits with the lowest byte first.
    var format: AudioStreamBasicDescription {
        let bytes = (bits + 7) / 8
        let isBigEndian = bytes.isMultiple(of: 2) && AudioStreamBasicDescription.isNativeBigEndian
        return .signedInteger(
            bits: 8 * bytes, isBigEndian: isBigEndian, channels: channels, sampleRate: Double(sampleRate))
    }

    /// Returns whether frames of another stream can follow frames of this one.
    func hasSameFrames(as other: FLACStreamInfo) -> Bool {
        sampleRate == other.sampleRate && channels == other.channels && bits == other.bits
    }

    /// The size of the marker and STREAMINFO.
    static let headBytes = 8 + 34
    static let mostBlocks = 4096
    private static let leastFramesPerBlock: Int64 = 16
    private static let padding: UInt8 = 1
    private static let seekTable: UInt8 = 3
}
