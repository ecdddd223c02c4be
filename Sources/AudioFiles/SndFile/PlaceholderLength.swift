/// Lengths that recorders put into WAVE files to which they cannot go back.
enum PlaceholderLength {
    /// Whether it is 2^31 or 2^32, less a header or a rounding: sound can be just that long, too.
    static func contains(_ length: some BinaryInteger) -> Bool {
        switch UInt64(clamping: length) {
        case 0x7FFF_0000...0x8000_0000, 0xFFFF_0000...0xFFFF_FFFF: true
        default: false
        }
    }

    /// The length in RF64 that was recorded into a pipe: nothing reaches it.
    static let large: Int64 = 1 << 43
}
