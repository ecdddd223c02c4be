// SPDX-License-Identifier: MIT

import CAQCoreMedia
import Glibc

/// The contents of a `CMBlockBufferRef`: bytes of one or several blocks, in order.
///
/// A buffer over another one refers to the blocks of that one, not to the buffer.
final class BlockBuffer {
    static let objects = MediaObjectClass<BlockBuffer>("CMBlockBuffer")

    /// Consecutive bytes of a block.
    struct Piece {
        let block: MemoryBlock
        var bytes: Range<Int>
    }

    private(set) var pieces: [Piece] = []
    private(set) var byteCount = 0

    /// So many pieces at most: a buffer that is appended to itself doubles them.
    private static let pieceLimit = 1 << 16

    /// The contents of an object.
    ///
    /// - Throws: `kCMBlockBufferBadPointerParameterErr`.
    @unsafe
    static func contents(of object: UnsafeRawPointer?) throws(StatusError) -> BlockBuffer {
        guard let buffer = unsafe objects.contents(of: object) else {
            throw StatusError(kCMBlockBufferBadPointerParameterErr)
        }
        return buffer
    }

    /// Gives a client an object with these contents.
    @unsafe
    func give(to object: UnsafeMutablePointer<UnsafeMutableRawPointer?>) throws(StatusError) {
        guard let made = unsafe Self.objects.make(self) else {
            throw StatusError(kCMBlockBufferStructureAllocationFailedErr)
        }
        unsafe object.pointee = made
    }

    /// Appends bytes of a block.
    ///
    /// - Throws: `kCMBlockBufferBadOffsetParameterErr` and `kCMBlockBufferBadLengthParameterErr` for bytes that the
    ///   block does not have, `kCMBlockBufferInsufficientSpaceErr` if the buffer becomes too large.
    func append(_ block: MemoryBlock, offset: Int, byteCount: Int) throws(StatusError) {
        let bytes = try Self.range(offset, byteCount, in: block.byteCount)
        guard !bytes.isEmpty else { throw StatusError(kCMBlockBufferBadLengthParameterErr) }
        try append([Piece(block: block, bytes: bytes)])
    }

    /// Appends bytes of another buffer, or of this one.
    ///
    /// - Throws: `kCMBlockBufferEmptyBBufErr` for a buffer without bytes, unless that is permitted; the errors of an
    ///   appended block.
    func append(
        _ other: BlockBuffer, offset: Int, byteCount: Int, flags: CMBlockBufferFlags
    ) throws(StatusError) {
        if other.byteCount == 0, offset == 0, byteCount == 0 {
            guard flags & CMBlockBufferFlags(kCMBlockBufferPermitEmptyReferenceFlag) != 0 else {
                throw StatusError(kCMBlockBufferEmptyBBufErr)
            }
            return
        }
        try append(other.pieces(in: other.rangeOrRest(offset, byteCount)))
    }

    private func append(_ added: [Piece]) throws(StatusError) {
        guard pieces.count + added.count <= Self.pieceLimit else {
            throw StatusError(kCMBlockBufferInsufficientSpaceErr)
        }
        let total = added.reduce((byteCount, overflow: false)) { sum, piece in
            let (bytes, overflow) = sum.0.addingReportingOverflow(piece.bytes.count)
            return (bytes, sum.overflow || overflow)
        }
        guard !total.overflow else { throw StatusError(kCMBlockBufferInsufficientSpaceErr) }
        for piece in added {
            if let last = pieces.last, last.block === piece.block,
                last.bytes.upperBound == piece.bytes.lowerBound
            {
                pieces[pieces.count - 1].bytes = last.bytes.lowerBound..<piece.bytes.upperBound
            } else {
                pieces.append(piece)
            }
        }
        byteCount = total.0
    }

    /// Checks that there are so many bytes at an offset.
    ///
    /// - Throws: `kCMBlockBufferBadOffsetParameterErr`, `kCMBlockBufferBadLengthParameterErr`.
    private static func range(_ offset: Int, _ count: Int, in total: Int) throws(StatusError) -> Range<Int> {
        guard 0...total ~= offset else { throw StatusError(kCMBlockBufferBadOffsetParameterErr) }
        guard 0...(total - offset) ~= count else { throw StatusError(kCMBlockBufferBadLengthParameterErr) }
        return offset..<offset + count
    }

    func range(_ offset: Int, _ count: Int) throws(StatusError) -> Range<Int> {
        try Self.range(offset, count, in: byteCount)
    }

    /// As ``range(_:_:)``, but a length of 0 means the rest, which must not be empty.
    func rangeOrRest(_ offset: Int, _ count: Int) throws(StatusError) -> Range<Int> {
        guard count == 0 else { return try range(offset, count) }
        guard 0..<byteCount ~= offset else { throw StatusError(kCMBlockBufferBadOffsetParameterErr) }
        return offset..<byteCount
    }

    /// The pieces that hold a range of the buffer's bytes.
    func pieces(in range: Range<Int>) -> [Piece] {
        var result: [Piece] = []
        var start = 0
        for piece in pieces where !range.isEmpty {
            let bytes = (start..<start + piece.bytes.count).clamped(to: range)
            if !bytes.isEmpty {
                let offset = piece.bytes.lowerBound - start
                result.append(
                    Piece(
                        block: piece.block, bytes: bytes.lowerBound + offset..<bytes.upperBound + offset))
            }
            start += piece.bytes.count
            if start >= range.upperBound { break }
        }
        return result
    }

    /// Allocates the memory of the blocks that have none.
    func allocate() throws(StatusError) {
        for piece in pieces { try piece.block.allocate() }
    }

    /// The memory of consecutive bytes; nil if they are in several blocks.
    @unsafe
    func contiguousBytes(in range: Range<Int>) throws(StatusError) -> UnsafeMutableRawPointer? {
        let parts = pieces(in: range)
        guard parts.count == 1, let part = parts.first else { return nil }
        return try unsafe part.block.start() + part.bytes.lowerBound
    }

    /// Calls `body` with the memory of each part of a range, and the part's offset in the range.
    @unsafe
    func forEachPart(
        of range: Range<Int>, _ body: (UnsafeMutableRawBufferPointer, _ offset: Int) -> Void
    ) throws(StatusError) {
        // Either all parts can be used, or none is.
        let parts = pieces(in: range)
        for part in parts { _ = try unsafe part.block.start() }
        var offset = 0
        for part in parts {
            let start = try unsafe part.block.start() + part.bytes.lowerBound
            unsafe body(UnsafeMutableRawBufferPointer(start: start, count: part.bytes.count), offset)
            offset += part.bytes.count
        }
    }

    /// Copies bytes out of the buffer.
    @unsafe
    func copy(_ range: Range<Int>, to destination: UnsafeMutableRawPointer) throws(StatusError) {
        try unsafe forEachPart(of: range) { part, offset in
            guard let start = part.baseAddress else { return }
            // The client's memory may be the buffer's.
            unsafe memmove(destination + offset, start, part.count)
        }
    }
}
