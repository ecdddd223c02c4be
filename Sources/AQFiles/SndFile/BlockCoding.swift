// SPDX-License-Identifier: MIT

/// A block coding of WAVE files, with many frames per block, as described in the header.
///
/// libsndfile 1.2 treats the last block as complete, and decodes its missing part to noise.
struct BlockCoding {
    private let tag: Int
    private let channels: Int64
    private let blockBytes: Int64
    private let framesPerBlock: Int64
    /// The number of frames in the chunk 'fact'.
    var countedFrames: Int64?

    /// Reads the format; nil if it has no blocks, or is of an unknown type.
    ///
    /// - Parameter format: The contents of the chunk 'fmt ', up to the frames per block.
    init?(format: [UInt8]) {
        func number(_ offset: Int) -> Int { Int(format[offset]) | Int(format[offset + 1]) << 8 }
        guard format.count >= Self.formatBytes, Self.known.contains(number(0)), number(2) > 0, number(12) > 0,
            number(18) > 0
        else { return nil }
        (tag, channels) = (number(0), Int64(number(2)))
        (blockBytes, framesPerBlock) = (Int64(number(12)), Int64(number(18)))
    }

    /// The number of frames encoded in the given bytes.
    func frames(inBytes bytes: Int64) -> Int64 {
        // Limited, so that the product cannot overflow; no file is longer.
        let whole = min(bytes, 1 << 44) / blockBytes * framesPerBlock
        let held = whole + min(partFrames(bytes % blockBytes), framesPerBlock)
        // The count in 'fact' determines the audio frames of the last block; a count that differs by more is ignored.
        guard let countedFrames, countedFrames > held - framesPerBlock, countedFrames < held else {
            return held
        }
        return countedFrames
    }

    /// The number of frames of an incomplete block with the given bytes, as far as libsndfile decodes them.
    private func partFrames(_ bytes: Int64) -> Int64 {
        // Eight samples of each channel alternate.
        tag != Self.ima || bytes < 4 * channels ? 0 : 1 + (bytes - 4 * channels) / (4 * channels) * 8
    }

    /// Makes a warning such as `the last block is cut short: 10 bytes of 65`; nil if libsndfile decodes all bytes.
    func cutFault(inBytes bytes: Int64) -> String? {
        let part = bytes % blockBytes
        guard part > 0, tag != Self.ima else { return nil }
        return "the last block is cut short: \(part) \(part == 1 ? "byte" : "bytes") of \(blockBytes)"
    }

    static let formatBytes = 20
    private static let microsoft = 0x02
    private static let ima = 0x11
    private static let gsm = 0x31
    private static let known = [microsoft, ima, gsm]
}
