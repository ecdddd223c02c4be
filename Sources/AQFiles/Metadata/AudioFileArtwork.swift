// SPDX-License-Identifier: MIT

/// A picture in a file, such as the cover of an album.
public struct AudioFileArtwork: Sendable, Equatable {
    /// The bytes of the picture, encoded as ``mimeType``.
    public var bytes: [UInt8]
    /// The media type, such as "image/jpeg" or "image/png".
    public var mimeType: String

    /// Makes a picture.
    ///
    /// - Parameter mimeType: The media type, if it cannot be detected; JPEG, PNG, GIF, BMP and WebP are detected.
    public init(bytes: [UInt8], mimeType: String = "application/octet-stream") {
        self.bytes = bytes
        self.mimeType = Self.signature(of: bytes) ?? mimeType
    }

    /// The width and height in pixels; nil if the picture is not JPEG, PNG or GIF, or is damaged.
    public var pixelSize: (width: Int, height: Int)? {
        switch mimeType {
        case "image/jpeg": jpegSize
        case "image/png":
            bytes.count >= 24 ? (Int(number(at: 16, bytes: 4)), Int(number(at: 20, bytes: 4))) : nil
        case "image/gif":
            bytes.count >= 10
                ? (Int(bytes[6]) | Int(bytes[7]) << 8, Int(bytes[8]) | Int(bytes[9]) << 8) : nil
        default: nil
        }
    }

    /// The size of the largest picture that is read: the limit of FLAC.
    static let mostBytes = 1 << 24 - 1024

    /// The size from the frame header, after segments with a length each (ISO 10918-1, B.2).
    private var jpegSize: (width: Int, height: Int)? {
        var position = 2
        while position + 9 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            switch marker {
            case 0xFF: position += 1
            case 0x01, 0xD0...0xD8: position += 2
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                return (Int(number(at: position + 7, bytes: 2)), Int(number(at: position + 5, bytes: 2)))
            case 0xD9, 0xDA: return nil
            default: position += 2 + Int(number(at: position + 2, bytes: 2))
            }
        }
        return nil
    }

    /// Reads a number; the caller has checked that its bytes are present.
    private func number(at offset: Int, bytes count: Int) -> UInt32 {
        bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func signature(of bytes: [UInt8]) -> String? {
        let signatures: [(lead: [UInt8], type: String)] = [
            ([0xFF, 0xD8, 0xFF], "image/jpeg"), ([0x89, 0x50, 0x4E, 0x47], "image/png"),
            (Array("GIF8".utf8), "image/gif"), (Array("BM".utf8), "image/bmp"),
        ]
        if bytes.count >= 12, bytes.starts(with: "RIFF".utf8), bytes[8..<12].elementsEqual("WEBP".utf8) {
            return "image/webp"
        }
        return signatures.first { bytes.starts(with: $0.lead) }?.type
    }
}
