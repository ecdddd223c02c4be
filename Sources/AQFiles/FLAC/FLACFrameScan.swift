// SPDX-License-Identifier: MIT

/// A scan for the complete frames of a damaged FLAC file by their headers and checksums, in one pass.
struct FLACFrameScan {
    /// Consecutive frames without a gap.
    struct Run {
        var bytes: Range<Int64>
        var samples: Range<Int64>
        var isVariable: Bool
    }

    private(set) var runs: [Run] = []
    private let info: FLACStreamInfo
    /// The last offsets where a frame may have begun, each with the value that identifies its end.
    private var beginnings: [(offset: Int64, invariant: UInt16, header: FLACFrameHeader)] = []
    private var sum: UInt16 = 0

    /// Reads the file to its end, or to the first read error.
    init(file: any ReadableBytes, info: FLACStreamInfo) {
        self.info = info
        let fileBytes = file.byteCount
        var offset = info.firstFrame
        while offset < fileBytes, runs.count < Self.mostRuns {
            let block = file.bytes(at: offset, count: Self.blockBytes + FLACFrameHeader.mostBytes)
            guard !block.isEmpty else { break }
            let count = min(block.count, Self.blockBytes)
            unsafe block.withUnsafeBytes { unsafe pass($0, count: count, at: offset, fileBytes) }
            offset += Int64(count)
        }
        end(at: offset)
    }

    private mutating func pass(
        _ bytes: UnsafeRawBufferPointer, count: Int, at offset: Int64, _ fileBytes: Int64
    ) {
        let tagIndex = fileBytes - Self.tagBytes - offset
        unsafe FLACChecksum.remainders.withUnsafeBufferPointer { remainders in
            for index in 0..<count {
                let byte = unsafe bytes[index]
                if byte == 0xFF {
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[index...])
                    if let header = unsafe FLACFrameHeader(rest, in: info) {
                        begin(header, at: offset + Int64(index))
                    }
                } else if index == tagIndex {
                    end(at: offset + Int64(index))
                }
                sum = unsafe sum << 8 ^ remainders[Int(UInt8(sum >> 8) ^ byte)]
            }
        }
    }

    private mutating func begin(_ header: FLACFrameHeader, at offset: Int64) {
        let invariant = end(at: offset)
        if beginnings.count >= Self.mostBeginnings { beginnings.removeFirst() }
        beginnings.append((offset, invariant, header))
    }

    /// Adds the frame that ends at an offset, if there is one; returns the value that identifies the end.
    @discardableResult
    private mutating func end(at offset: Int64) -> UInt16 {
        let invariant = FLACChecksum.invariant(of: sum, behind: offset - info.firstFrame)
        guard let found = beginnings.last(where: { $0.invariant == invariant }), found.offset < offset,
            found.offset >= runs.last?.bytes.upperBound ?? 0
        else { return invariant }
        let (first, frames) = (found.header.firstSample, found.header.frames)
        let samples = first..<first + frames
        guard first >= runs.last?.samples.upperBound ?? 0, samples.upperBound <= info.frameCount ?? .max
        else {
            return invariant
        }
        let isNext = runs.last.map {
            $0.bytes.upperBound == found.offset && $0.samples.upperBound == first
                && $0.isVariable == found.header.isVariable
        }
        if isNext == true {
            let last = runs.count - 1
            runs[last].bytes = runs[last].bytes.lowerBound..<offset
            runs[last].samples = runs[last].samples.lowerBound..<samples.upperBound
        } else {
            runs.append(
                Run(bytes: found.offset..<offset, samples: samples, isVariable: found.header.isVariable))
        }
        return invariant
    }

    private static let blockBytes = 256 << 10
    private static let mostBeginnings = 32
    /// The largest number of runs; a file with more has more damage than audio.
    private static let mostRuns = 65_536
    /// The size of the tag that programs append to files of any type.
    private static let tagBytes: Int64 = 128
}
