// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
/// The packet offsets for a table of 100 positions, in constant memory for any length.
struct MPEGContentsTable {
    /// The offset of each packet whose number is a multiple of the stride.
    private var offsets: [Int64] = []
    private var stride = 1
    private var packetCount = 0

    mutating func append(packetAt offset: Int64) {
        defer { packetCount += 1 }
        guard packetCount % stride == 0 else { return }
        if offsets.count == Self.mostOffsets {
            offsets = offsets.indices.filter { $0 % 2 == 0 }.map { offsets[$0] }
            stride *= 2
            guard packetCount % stride == 0 else { return }
        }
        offsets.append(offset)
    }

    /// The offsets of each hundredth of the time, in 256ths of `bytes` bytes; nil if there are no packets.
    func table(ofBytes bytes: Int64) -> [UInt8]? {
        guard packetCount > 0, bytes > 0 else { return nil }
        return (0..<100).map { hundredth in
            let position = min(packetCount * hundredth / 100 / stride, offsets.count - 1)
            return UInt8(clamping: Int(Double(offsets[position]) * 256 / Double(bytes)))
        }
    }

    private static let mostOffsets = 1024
}
#endif
