// SPDX-License-Identifier: MIT

/// Bytes as text of ASCII, in which all other bytes are written as `%e9`.
public enum PercentEncoding {
    /// Encodes all bytes except ASCII letters, digits and those of `kept`.
    public static func encoded(_ bytes: some Sequence<UInt8>, keeping kept: StaticString) -> String {
        let kept = Array("\(kept)".utf8)
        var text = ""
        for byte in bytes {
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || kept.contains(byte)
            {
                text.unicodeScalars.append(scalar)
            } else {
                text += byte < 16 ? "%0" : "%"
                text += String(byte, radix: 16)
            }
        }
        return text
    }

    /// A `file:` URL of an absolute path (RFC 8089).
    public static func fileURL(_ path: some Sequence<UInt8>) -> String {
        "file://" + encoded(path, keeping: "-._~/!$&'()*+,;=:@")
    }
}
