// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQFiles

@Suite("Packet index")
struct PacketIndexTests {
    @Test("finds every packet again, across gaps and checkpoints")
    func everyPacket() {
        var index = PacketIndex()
        var expected: [(offset: Int64, bytes: Int)] = []
        var offset: Int64 = 12_345
        for packet in 0..<1000 {
            let bytes = 100 + packet * 7 % 1300
            // Gaps before the first packet of a block, before the second, in sequence, and far apart.
            if [0, 64, 65, 127, 128, 300, 301, 302, 999].contains(packet) {
                offset += Int64(packet) * 1000 + 1
            }
            index.append(byteOffset: offset, bytes: UInt32(bytes))
            expected.append((offset, bytes))
            offset += Int64(bytes)
        }
        expectEqual(index.count, 1000)
        expectEqual(index.audioBytes, expected.reduce(0) { $0 + Int64($1.bytes) })
        for (packet, place) in expected.enumerated() {
            expectEqual(index.byteOffset(of: Int64(packet)), place.offset)
            expectEqual(index.bytes(of: Int64(packet)), place.bytes)
        }
    }
}
