import Testing

@testable import aqinfo

@Suite("PNG images")
struct PNGTests {
    @Test("checksums are those of the standards")
    func checksums() {
        let digits = Array("123456789".utf8)
        #expect(Checksum.crc32(digits) == 0xCBF4_3926)
        #expect(Checksum.adler32(digits) == 0x091E_01DE)
    }

    @Test("compressed data can be decompressed", arguments: [0, 1, 2, 257, 258, 259, 5000])
    func deflate(count: Int) {
        var noise = Noise(state: 99)
        let kinds: [[UInt8]] = [
            [UInt8](repeating: 7, count: count), (0..<count).map { UInt8(truncatingIfNeeded: $0) },
            (0..<count).map { _ in UInt8(truncatingIfNeeded: noise.next() >> 40) },
            (0..<count).map { UInt8(truncatingIfNeeded: $0 % 301 * 5) },
        ]
        for distance in [1, 2, 4, 5, 7, 9, 12, 13, 257, 301, 1201, 4097, 40_000] {
            let period = (0..<distance).map { _ in UInt8(truncatingIfNeeded: noise.next() >> 40) }
            for bytes in kinds + [(0..<count).map { period[$0 % distance] }] {
                let packed = Deflate.zlib(bytes, repeatDistance: distance)
                #expect(Inflate.bytes(packed) == bytes)
            }
        }
        #expect(Deflate.zlib([UInt8](repeating: 7, count: 5000), repeatDistance: 301).count < 100)
    }

    @Test("pixels are set at their position, and others are unchanged")
    func pixels() {
        var image = PaletteImage(width: 5, height: 3, palette: [(0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 3, 3)])
        image[4, 2] = 3
        image[0, 1] = 2
        image[5, 0] = 1
        image[-1, 0] = 1
        #expect(image[4, 2] == 3)
        #expect(image[0, 1] == 2)
        #expect(image[3, 2] == 0)
        #expect(image[0, 0] == 0 && image[0, 2] == 0)
    }

    @Test("chunks are of the right order, length and checksum")
    func chunks() {
        let png = PaletteImage(width: 33, height: 7, palette: [(255, 255, 255), (0, 0, 0)]).png
        var place = 8
        var types: [String] = []
        while place + 12 <= png.count {
            let length = png[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            let body = Array(png[place + 4..<place + 8 + length])
            let sum = png[place + 8 + length..<place + 12 + length].reduce(0 as UInt32) {
                $0 << 8 | UInt32($1)
            }
            #expect(Checksum.crc32(body) == sum)
            types.append(String(decoding: body.prefix(4), as: UTF8.self))
            if types.last == "IDAT" { #expect(Inflate.bytes(Array(body.dropFirst(4)))?.count == 7 * (1 + 9)) }
            place += 12 + length
        }
        #expect(place == png.count)
        #expect(types == ["IHDR", "PLTE", "IDAT", "IEND"])
    }
}

/// Decompresses one block of fixed codes by RFC 1951, to check the compressor.
private struct Inflate {
    private let packed: [UInt8]
    private var place = 16

    static func bytes(_ packed: [UInt8]) -> [UInt8]? {
        var inflate = Inflate(packed: packed)
        return inflate.unpack()
    }

    private init(packed: [UInt8]) { self.packed = packed }

    private mutating func unpack() -> [UInt8]? {
        guard bits(3) == 0b011 else { return nil }
        var output: [UInt8] = []
        while let symbol = symbol() {
            switch symbol {
            case ..<256: output.append(UInt8(symbol))
            case 256: return output
            default:
                let length = lengths[symbol - 257].base + bits(lengths[symbol - 257].extra)
                let code = code(5)
                guard code < distances.count else { return nil }
                let distance = distances[code].base + bits(distances[code].extra)
                guard distance <= output.count else { return nil }
                for _ in 0..<length { output.append(output[output.count - distance]) }
            }
        }
        return nil
    }

    private let lengths: [(base: Int, extra: Int)] = {
        var table: [(Int, Int)] = []
        var base = 3
        for symbol in 257..<285 {
            let extra = symbol < 265 ? 0 : (symbol - 261) / 4
            table.append((base, extra))
            base += 1 << extra
        }
        return table + [(258, 0)]
    }()

    private let distances: [(base: Int, extra: Int)] = {
        var table: [(Int, Int)] = []
        var base = 1
        for code in 0..<30 {
            let extra = code < 4 ? 0 : code / 2 - 1
            table.append((base, extra))
            base += 1 << extra
        }
        return table
    }()

    private mutating func symbol() -> Int? {
        let seven = code(7)
        if seven < 24 { return 256 + seven }
        let eight = seven << 1 | bits(1)
        if 48..<192 ~= eight { return eight - 48 }
        if 192..<200 ~= eight { return eight - 192 + 280 }
        let nine = eight << 1 | bits(1)
        return nine >= 400 ? nine - 400 + 144 : nil
    }

    private mutating func code(_ count: Int) -> Int {
        (0..<count).reduce(0) { code, _ in code << 1 | bits(1) }
    }

    private mutating func bits(_ count: Int) -> Int {
        (0..<count).reduce(0) { value, index in
            guard place / 8 < packed.count else { return value }
            defer { place += 1 }
            return value | Int(packed[place / 8] >> UInt8(place % 8) & 1) << index
        }
    }
}
