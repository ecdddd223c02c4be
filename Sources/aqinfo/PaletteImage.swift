/// An image of up to four colours, and its PNG file (ISO/IEC 15948).
struct PaletteImage {
    /// The first bytes of every PNG file.
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    let width: Int
    let height: Int
    /// Red, green, blue of each colour.
    let palette: [(UInt8, UInt8, UInt8)]
    /// Four pixels in a byte, the first in the high bits; each row begins with a byte that means "no filter".
    private var rows: [UInt8]
    private let rowBytes: Int

    init(width: Int, height: Int, palette: [(UInt8, UInt8, UInt8)]) {
        (self.width, self.height, self.palette) = (width, height, palette)
        rowBytes = 1 + (width + 3) / 4
        rows = [UInt8](repeating: 0, count: rowBytes * height)
    }

    /// The colour of a pixel. Pixels outside are ignored, and have colour 0.
    subscript(x: Int, y: Int) -> Int {
        get {
            guard 0..<width ~= x, 0..<height ~= y else { return 0 }
            return Int(rows[y * rowBytes + 1 + x / 4] >> (6 - 2 * (x % 4)) & 3)
        }
        set {
            guard 0..<width ~= x, 0..<height ~= y else { return }
            let shift = 6 - 2 * (x % 4)
            let index = y * rowBytes + 1 + x / 4
            rows[index] = rows[index] & ~(3 << shift) | UInt8(newValue & 3) << shift
        }
    }

    /// The bytes of the file.
    var png: [UInt8] {
        var file = Self.signature
        // Two bits for each pixel, by palette, compressed, filtered by row, not interlaced.
        Self.append(
            "IHDR", Self.bytes(UInt32(width)) + Self.bytes(UInt32(height)) + [2, 3, 0, 0, 0], to: &file)
        Self.append("PLTE", palette.prefix(4).flatMap { [$0.0, $0.1, $0.2] }, to: &file)
        Self.append("IDAT", Deflate.zlib(rows, repeatDistance: rowBytes), to: &file)
        Self.append("IEND", [], to: &file)
        return file
    }

    private static func append(_ type: String, _ contents: [UInt8], to file: inout [UInt8]) {
        let body = Array(type.utf8) + contents
        file += bytes(UInt32(contents.count)) + body + bytes(Checksum.crc32(body))
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
}
