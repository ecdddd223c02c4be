// SPDX-License-Identifier: MIT

/// Consecutive FLAC frames of silence, all of the same size.
struct FLACSilence: ReadableBytes {
    let samples: Range<Int64>
    /// The number of samples per frame; the last frame may have fewer.
    let framesPerBlock: Int64
    let isVariable: Bool
    let info: FLACStreamInfo
    let blockBytes: Int

    var byteCount: Int64 {
        (Int64(samples.count) + framesPerBlock - 1) / framesPerBlock * Int64(blockBytes)
    }

    /// Makes frames for a range of samples: one run for each encoded length of their numbers.
    static func runs(for samples: Range<Int64>, isVariable: Bool, info: FLACStreamInfo) -> [FLACSilence] {
        let frames = info.mostFramesPerBlock
        let unit = isVariable ? 1 : frames
        var runs: [FLACSilence] = []
        var first = samples.lowerBound
        while first < samples.upperBound {
            let digits = Self.coded(first / unit).count
            // The first number that needs one more byte.
            let limit: Int64 = digits == 1 ? 0x80 : 1 << Int64(5 * digits + 1)
            let blocks = max((limit * unit - first + frames - 1) / frames, 1)
            let (end, overflow) = first.addingReportingOverflow(blocks * frames)
            let upperBound = overflow ? samples.upperBound : min(end, samples.upperBound)
            runs.append(
                FLACSilence(
                    samples: first..<upperBound, framesPerBlock: frames, isVariable: isVariable, info: info,
                    blockBytes: Self.headBytes + digits + Self.soundBytes(info) + 2))
            first = upperBound
        }
        return runs
    }

    func block(_ index: Int64) -> [UInt8] {
        let first = samples.lowerBound + index * framesPerBlock
        let frames = min(samples.upperBound - first, framesPerBlock)
        // A 16-bit length; the stream's rate and depth; independent channels.
        var bytes: [UInt8] = [0xFF, isVariable ? 0xF9 : 0xF8, 0x70, UInt8(info.channels - 1) << 4]
        bytes += Self.coded(isVariable ? first : first / framesPerBlock)
        bytes += [UInt8(truncatingIfNeeded: (frames - 1) >> 8), UInt8(truncatingIfNeeded: frames - 1)]
        bytes.append(FLACChecksum.short(bytes))
        // Each channel is eight zero bits, which mean a constant value, and the value.
        bytes += [UInt8](repeating: 0, count: Self.soundBytes(info))
        let sum = FLACChecksum.long(bytes)
        return bytes + [UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum)]
    }

    func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) -> Int {
        let count = Int(min(Int64(memory.count), byteCount - offset))
        var done = 0
        while done < count {
            let (index, start) = (offset + Int64(done)).quotientAndRemainder(dividingBy: Int64(blockBytes))
            let part = block(index)[Int(start)...].prefix(count - done)
            unsafe UnsafeMutableRawBufferPointer(rebasing: memory[done...]).copyBytes(from: part)
            done += part.count
        }
        return done
    }

    private static func soundBytes(_ info: FLACStreamInfo) -> Int {
        (info.channels * (8 + info.bits) + 7) / 8
    }

    /// Encodes a number like a UTF-8 character, up to 36 bits.
    private static func coded(_ number: Int64) -> [UInt8] {
        guard number >= 0x80 else { return [UInt8(number)] }
        var bytes: [UInt8] = []
        var rest = number
        while rest >> Int64(max(6 - bytes.count, 0)) != 0 {
            bytes.insert(0x80 | UInt8(rest & 0x3F), at: 0)
            rest >>= 6
        }
        return [UInt8(truncatingIfNeeded: 0xFF00 >> (bytes.count + 1)) | UInt8(rest)] + bytes
    }

    /// The size of a frame header without its number.
    private static let headBytes = 7
}
