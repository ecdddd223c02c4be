// SPDX-License-Identifier: MIT

/// Warnings shared by several readers.
enum DamageWords {
    /// Makes a warning such as `12 bytes at byte 5, before packet 3, are not AAC`.
    ///
    /// - Parameters:
    ///   - position: The position among the packets, such as "before packet 3".
    ///   - kind: The name of the expected data.
    static func foreign(_ bytes: Int64, at offset: Int64, _ position: String, no kind: String) -> String {
        "\(count(bytes)) at byte \(offset), \(position), \(bytes == 1 ? "is" : "are") not \(kind)"
    }

    /// Makes a warning such as `the last packet, at byte 5, is cut short: 1 byte of 12`.
    static func cutShort(at offset: Int64, bytes: Int64, of whole: Int) -> String {
        "the last packet, at byte \(offset), is cut short: \(count(bytes)) of \(whole)"
    }

    private static func count(_ bytes: Int64) -> String {
        bytes == 1 ? "1 byte" : "\(bytes) bytes"
    }
}
