// SPDX-License-Identifier: MIT

public import AQFiles

extension JSONWriter {
    /// Writes the field `key` with a path as its value.
    ///
    /// JSON is UTF-8. A path that is not UTF-8 is written with escapes. A second field, whose name is `key` followed by
    /// `Bytes`, contains the path's bytes: non-ASCII bytes, control characters and `%` in the form `%E9`.
    public mutating func field(_ key: String, path: FilePath) {
        self.key(key)
        value(path.string ?? path.description)
        guard path.string == nil else { return }
        self.key(key + "Bytes")
        value(Self.percentEncoded(path.bytes))
    }

    private static func percentEncoded(_ bytes: [UInt8]) -> String {
        bytes.reduce(into: "") { text, byte in
            if 0x20..<0x7F ~= byte, byte != UInt8(ascii: "%") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16).uppercased()
            }
        }
    }
}
