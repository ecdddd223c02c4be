// SPDX-License-Identifier: MIT

/// The positions of the packets of a file being written.
struct MP4WrittenSamples {
    private(set) var sizes: [UInt32] = []
    /// The offset of each fragment's packets, and their number.
    private(set) var fragments: [(byteOffset: Int64, packets: UInt32)] = []
    /// The end of the last packet; nil if there is none.
    private(set) var endOffset: Int64?

    var count: Int64 { Int64(sizes.count) }

    mutating func append(_ sizes: [UInt32], at byteOffset: Int64) {
        self.sizes += sizes
        fragments.append((byteOffset, UInt32(clamping: sizes.count)))
        endOffset = sizes.reduce(byteOffset) { $0 + Int64($1) }
    }
}
