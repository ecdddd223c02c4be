/// Compression for images with large plain areas (RFC 1951), without a library.
///
/// It writes one block with the fixed codes, and searches for repetitions at two distances only: the byte
/// before, and the row before. A waveform takes a few kilobytes, and almost no time.
struct Deflate {
    private var output: [UInt8]
    private var pending: UInt64 = 0
    private var pendingBits: UInt64 = 0

    /// The zlib stream (RFC 1950) of `bytes`.
    ///
    /// - Parameter repeatDistance: The second distance of repetitions, up to 32768.
    static func zlib(_ bytes: [UInt8], repeatDistance: Int) -> [UInt8] {
        var deflate = Deflate(output: [0x78, 0x01])
        deflate.compress(bytes, distances: [1, repeatDistance].filter { 1...32768 ~= $0 })
        let sum = Checksum.adler32(bytes)
        return deflate.output + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> UInt32($0)) }
    }

    private init(output: [UInt8]) { self.output = output }

    private mutating func compress(_ bytes: [UInt8], distances: [Int]) {
        // The last block, with fixed codes.
        put(0b011, bits: 3)
        var position = 0
        while position < bytes.count {
            var (bestLength, bestDistance) = (0, 0)
            for distance in distances where distance <= position {
                var length = 0
                while length < Self.longestRun, position + length < bytes.count,
                    bytes[position + length] == bytes[position + length - distance]
                {
                    length += 1
                }
                if length > bestLength { (bestLength, bestDistance) = (length, distance) }
            }
            if bestLength >= 3 {
                putRun(length: bestLength, distance: bestDistance)
                position += bestLength
            } else {
                putSymbol(Int(bytes[position]))
                position += 1
            }
        }
        putSymbol(256)
        put(0, bits: (8 - pendingBits) % 8)
    }

    private mutating func putRun(length: Int, distance: Int) {
        var (symbol, base, extra) = (257, 3, 0)
        // Eight symbols of one length each, then four for each count of further bits; the last is 258 alone.
        if length == Self.longestRun {
            (symbol, base) = (285, length)
        } else {
            while true {
                let next = base + 1 << extra
                if length < next { break }
                base = next
                symbol += 1
                extra = symbol < 265 ? 0 : (symbol - 261) / 4
            }
        }
        putSymbol(symbol)
        put(UInt64(length - base), bits: UInt64(extra))
        var (code, start, bits) = (0, 1, 0)
        while distance >= start + 1 << bits {
            start += 1 << bits
            code += 1
            bits = code < 4 ? 0 : code / 2 - 1
        }
        putReversed(UInt64(code), bits: 5)
        put(UInt64(distance - start), bits: UInt64(bits))
    }

    /// A literal, the end, or a length, in the fixed code of RFC 1951, 3.2.6.
    private mutating func putSymbol(_ symbol: Int) {
        switch symbol {
        case ..<144: putReversed(UInt64(0x30 + symbol), bits: 8)
        case ..<256: putReversed(UInt64(0x190 + symbol - 144), bits: 9)
        case ..<280: putReversed(UInt64(symbol - 256), bits: 7)
        default: putReversed(UInt64(0xC0 + symbol - 280), bits: 8)
        }
    }

    /// Codes are written with their highest bit first, all else with its lowest.
    private mutating func putReversed(_ value: UInt64, bits: UInt64) {
        put((0..<bits).reduce(0) { $0 | (value >> $1 & 1) << (bits - 1 - $1) }, bits: bits)
    }

    private mutating func put(_ value: UInt64, bits: UInt64) {
        pending |= value << pendingBits
        pendingBits += bits
        while pendingBits >= 8 {
            output.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingBits -= 8
        }
    }

    private static let longestRun = 258
}
