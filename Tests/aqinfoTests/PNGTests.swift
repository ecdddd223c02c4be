// SPDX-License-Identifier: MIT

import AQExpectations
import CAQPNG
import Testing
import AQToolSupport

@testable import aqinfo

@Suite("PNG images")
struct PNGTests {
    private static let palette: [(UInt8, UInt8, UInt8)] = [
        (255, 255, 255), (1, 2, 3), (9, 8, 7), (0, 100, 200),
    ]

    @Test("pixels are set at their position, and others are unchanged")
    func pixels() {
        var image = PaletteImage(width: 5, height: 3, palette: Self.palette)
        image[4, 2] = 3
        image[0, 1] = 2
        image[5, 0] = 1
        image[-1, 0] = 1
        expectEqual(image[4, 2], 3)
        expectEqual(image[0, 1], 2)
        expectEqual(image[3, 2], 0)
        #expect(image[0, 0] == 0 && image[0, 2] == 0)
    }

    @Test("the file has every pixel's colour", arguments: [(1, 1), (33, 7), (640, 200)])
    func file(width: Int, height: Int) throws {
        var noise = Noise(state: 99)
        var image = PaletteImage(width: width, height: height, palette: Self.palette)
        for y in 0..<height { for x in 0..<width { image[x, y] = Int(noise.next() >> 40) & 3 } }
        let file = try image.png()
        #expect(file.starts(with: PaletteImage.signature))
        // Two bits for each pixel, the bytes that begin the rows, and the chunks.
        #expect(file.count < (width + 3) / 4 * height + height + 200)
        let read = try #require(PNGPixels(file))
        #expect(read.width == width && read.height == height)
        let expected = (0..<width * height).flatMap { index -> [UInt8] in
            let colour = Self.palette[image[index % width, index / width]]
            return [colour.0, colour.1, colour.2]
        }
        expectEqual(read.bytes, expected)
    }

    @Test("an image without pixels is refused in one line")
    func noPixels() {
        #expect {
            try PaletteImage(width: 0, height: 7, palette: Self.palette).png()
        } throws: { error in
            (error as? SystemError)?.message.hasPrefix("cannot make a PNG image of 0x7 pixels: ") == true
        }
    }
}

/// The red, green and blue of each pixel of a file, as libpng reads it.
private struct PNGPixels {
    let width: Int
    let height: Int
    let bytes: [UInt8]

    init?(_ file: [UInt8]) {
        var reason: UnsafePointer<CChar>?
        guard let png = unsafe aq_png(&reason)?.pointee else { return nil }
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        guard unsafe png.png_image_begin_read_from_memory(&image, file, file.count) != 0 else { return nil }
        unsafe image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR)
        unsafe (width, height) = (Int(image.width), Int(image.height))
        var bytes = [UInt8](repeating: 0, count: 3 * width * height)
        guard unsafe png.png_image_finish_read(&image, nil, &bytes, 0, nil) != 0 else { return nil }
        self.bytes = bytes
    }
}
