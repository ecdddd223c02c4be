// SPDX-License-Identifier: MIT

import Glibc

/// The MD5 checksum of bytes that arrive in pieces (RFC 1321).
struct MD5 {
    private var state: (UInt32, UInt32, UInt32, UInt32) = (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476)
    private var byteCount: UInt64 = 0
    /// The bytes that do not fill a block so far.
    private var rest: [UInt8] = []

    mutating func add(_ bytes: [UInt8]) {
        byteCount &+= UInt64(bytes.count)
        rest += bytes
        var start = 0
        while rest.count - start >= Self.blockBytes {
            mix(rest[start..<start + Self.blockBytes])
            start += Self.blockBytes
        }
        rest.removeFirst(start)
    }

    /// The checksum of all bytes so far.
    var value: [UInt8] {
        var last = self
        let bits = byteCount &* 8
        let fillBytes =
            (Self.blockBytes - 9 - rest.count % Self.blockBytes + Self.blockBytes) % Self.blockBytes
        last.add([0x80] + [UInt8](repeating: 0, count: fillBytes) + Self.bytes(of: bits))
        let (a, b, c, d) = last.state
        return [a, b, c, d].flatMap { Self.bytes(of: $0) }
    }

    private mutating func mix(_ block: ArraySlice<UInt8>) {
        let words = (0..<16).map { word in
            (0..<4).reduce(UInt32(0)) {
                $0 | UInt32(block[block.startIndex + 4 * word + $1]) << (8 * UInt32($1))
            }
        }
        var (a, b, c, d) = state
        for step in 0..<64 {
            let mixed: UInt32
            let word: Int
            switch step / 16 {
            case 0: (mixed, word) = (b & c | ~b & d, step)
            case 1: (mixed, word) = (d & b | ~d & c, (5 * step + 1) % 16)
            case 2: (mixed, word) = (b ^ c ^ d, (3 * step + 5) % 16)
            default: (mixed, word) = (c ^ (b | ~d), 7 * step % 16)
            }
            let sum = a &+ mixed &+ Self.sines[step] &+ words[word]
            let shift = Self.shifts[step / 16 * 4 + step % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
        }
        state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
    }

    private static func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static let blockBytes = 64
    private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
    private static let sines: [UInt32] = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }
}
