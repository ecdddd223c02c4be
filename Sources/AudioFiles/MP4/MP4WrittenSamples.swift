/// Where the packets of a file being written are.
struct MP4WrittenSamples {
    /// Bytes of each packet.
    private(set) var sizes: [UInt32] = []
    /// Where the packets of each fragment begin, and how many they are.
    private(set) var fragments: [(byteOffset: Int64, packets: UInt32)] = []
    /// Where the last packet ends; nil without packets.
    private(set) var endOffset: Int64?

    var count: Int64 { Int64(sizes.count) }

    mutating func append(_ sizes: [UInt32], at byteOffset: Int64) {
        self.sizes += sizes
        fragments.append((byteOffset, UInt32(clamping: sizes.count)))
        endOffset = sizes.reduce(byteOffset) { $0 + Int64($1) }
    }
}
