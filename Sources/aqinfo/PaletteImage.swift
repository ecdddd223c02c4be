// SPDX-License-Identifier: MIT

import CAQPNG
import Glibc
import AQToolSupport

/// An image of up to four colours, and its PNG file (ISO/IEC 15948).
struct PaletteImage {
    /// The first bytes of every PNG file.
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    let width: Int
    let height: Int
    /// Red, green, blue of each colour.
    let palette: [(UInt8, UInt8, UInt8)]
    /// The index of each pixel's colour, row by row.
    private var pixels: [UInt8]

    init(width: Int, height: Int, palette: [(UInt8, UInt8, UInt8)]) {
        (self.width, self.height, self.palette) = (width, height, Array(palette.prefix(4)))
        pixels = [UInt8](repeating: 0, count: width * height)
    }

    /// The colour of a pixel. Pixels outside the image have colour 0, and changes of them are ignored.
    subscript(x: Int, y: Int) -> Int {
        get { 0..<width ~= x && 0..<height ~= y ? Int(pixels[y * width + x]) : 0 }
        set { if 0..<width ~= x, 0..<height ~= y { pixels[y * width + x] = UInt8(newValue & 3) } }
    }

    /// Encodes the image as a PNG file with two bits per pixel.
    ///
    /// - Throws: ``SystemError`` with the reason: libpng is missing, insufficient memory, or an image without pixels.
    func png() throws(SystemError) -> [UInt8] {
        var reason: UnsafePointer<CChar>?
        guard let library = unsafe aq_png(&reason) else {
            throw refusal(unsafe reason.map { unsafe String(cString: $0) } ?? "")
        }
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        unsafe image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_COLORMAP)
        unsafe (image.width, image.height) = (png_uint_32(width), png_uint_32(height))
        unsafe image.colormap_entries = png_uint_32(palette.count)
        let colours = palette.flatMap { [$0.0, $0.1, $0.2] }
        // SAFETY: libpng writes at most the bytes of `room`, and reads the pixels and colours of `image`.
        let file = unsafe [UInt8](unsafeUninitializedCapacity: aq_png_file_bytes(image)) { room, count in
            var bytes = room.count
            if unsafe library.pointee.png_image_write_to_memory(
                &image, room.baseAddress, &bytes, 0, pixels, 0, colours) != 0
            {
                count = bytes
            }
        }
        guard file.isEmpty else { return file }
        throw refusal(
            unsafe withUnsafeBytes(of: image.message) { message in
                unsafe String(decoding: message.prefix { $0 != 0 }, as: UTF8.self).lowercased()
            })
    }

    private func refusal(_ reason: String) -> SystemError {
        var error = SystemError("make a PNG image", ENOMEM)
        error.message = "cannot make a PNG image of \(width)x\(height) pixels: \(reason)"
        return error
    }
}
