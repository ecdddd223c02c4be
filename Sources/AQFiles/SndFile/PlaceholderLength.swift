// SPDX-License-Identifier: MIT

/// Lengths that recorders write to WAVE files if they cannot seek back.
enum PlaceholderLength {
    /// Returns whether a length is 2^31 or 2^32, less a header or a rounding. Real audio may also have such a length.
    static func contains(_ length: some BinaryInteger) -> Bool {
        switch UInt64(clamping: length) {
        case 0x7FFF_0000...0x8000_0000, 0xFFFF_0000...0xFFFF_FFFF: true
        default: false
        }
    }

    /// The length in RF64 recorded to a pipe; no file is that long.
    static let large: Int64 = 1 << 43
}
