// SPDX-License-Identifier: MIT

import AQNetworkInput
import AQTestSupport

/// Extracts audio from transport streams, whole and in pieces; with corrected checksums, and with lost packets.
final class TransportStreamTarget: FuzzTarget {
    private struct Trace: Equatable {
        var bytes: [UInt8] = []
        var audio = TransportStreamAudio.undetermined
        var skippedBytes: Int64 = 0
        var gaps = 0
        var droppedPackets = 0
        var heldBytes = 0

        init(_ pieces: some Sequence<ArraySlice<UInt8>>, largestPiece: Int) {
            var demultiplexer = TransportStreamDemultiplexer()
            for piece in pieces {
                demultiplexer.read(piece, into: &bytes)
                heldBytes = max(heldBytes, demultiplexer.heldBytes)
            }
            demultiplexer.endSegment(into: &bytes)
            audio = demultiplexer.audio
            skippedBytes = demultiplexer.skippedBytes
            gaps = demultiplexer.gaps
            droppedPackets = demultiplexer.droppedPackets
            require(demultiplexer.heldBytes <= 3 * 1209, "little is held between segments")
        }
    }

    func test(_ input: [UInt8]) -> Bool {
        var random = SplitMix(digest: input)
        // Mutated tables would hardly ever have valid checksums.
        let stream = random.chance(4) ? input : Self.withChecksums(input)
        let whole = Trace(CollectionOfOne(stream[...]), largestPiece: stream.count)
        var pieces = Trace(Pieces(stream, random), largestPiece: 3000)
        require(whole.bytes.count <= stream.count, "no byte is made up: \(whole.bytes.count)")
        require(whole.skippedBytes <= stream.count, "no more is skipped than there is")
        require(
            whole.gaps + whole.droppedPackets <= 2 * (stream.count / 188 + 1), "faults are counted once")
        require(whole.heldBytes <= stream.count + 10, "memory is bounded: \(whole.heldBytes)")
        pieces.heldBytes = whole.heldBytes
        require(pieces == whole, "pieces give what the whole gives")
        loseOne(of: stream, whole, &random)
        return true
    }

    /// Removes one packet: what remains is a part of the audio, in order.
    private func loseOne(of stream: [UInt8], _ whole: Trace, _ random: inout SplitMix) {
        guard stream.count >= 376, whole.skippedBytes == 0, stream.count % 188 == 0 else { return }
        var less = stream
        let lost = Int.random(in: 0..<stream.count / 188, using: &random) * 188
        less.removeSubrange(lost..<lost + 188)
        let trace = Trace(CollectionOfOne(less[...]), largestPiece: less.count)
        require(trace.bytes.count <= less.count, "no byte is made up")
    }

    /// Corrects the checksums of tables that are within one packet.
    private static func withChecksums(_ input: [UInt8]) -> [UInt8] {
        var stream = input
        for start in stride(from: 0, to: stream.count - 187, by: 188) where stream[start] == 0x47 {
            let hasField = stream[start + 3] & 0x20 != 0
            let pointer = start + 4 + (hasField ? 1 + Int(stream[start + 4]) : 0)
            guard stream[start + 1] & 0x40 != 0, pointer < start + 188 else { continue }
            let section = pointer + 1 + Int(stream[pointer])
            guard section + 3 <= start + 188, stream[section] == 0 || stream[section] == 2 else { continue }
            let length = Int(stream[section + 1] & 0x0F) << 8 | Int(stream[section + 2])
            let end = section + 3 + length
            guard length >= 9, end <= start + 188 else { continue }
            let sum = TransportStreamChecksum.value(of: stream[section..<end - 4])
            for (index, shift) in [24, 16, 8, 0].enumerated() {
                stream[end - 4 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(shift))
            }
        }
        return stream
    }
}
