// SPDX-License-Identifier: MIT

/// The rule that distinguishes a stream of packets from other bytes: each packet is followed by another.
package struct PacketChain {
    package enum Verdict: Equatable {
        /// A stream of consecutive packets.
        case stream
        /// Other bytes that resemble a packet by chance.
        case chance
        /// No decision before this number of bytes is available.
        case needs(Int)
    }

    /// The number of headers, each at the end of the previous packet, that are a stream wherever they begin.
    package var headers: Int
    /// The number of whole packets that are a stream if they are followed by no bytes or by a tag, and preceded by no
    /// more bytes than they have.
    package var packetsBeforeEnd: Int
    /// The number of whole packets that are a stream although other bytes follow; nil if this depends only on
    /// ``headers``.
    package var packetsBeforeDamage: Int?
    private let isExpected: Bool

    /// - Parameter isExpected: Whether a stream should begin here: at the beginning of a file or after a tag.
    package init(isExpected: Bool, headers: Int = 4) {
        self.headers = headers
        self.isExpected = isExpected
        packetsBeforeEnd = isExpected ? 1 : 2
        packetsBeforeDamage = isExpected ? 2 : nil
    }

    /// Follows the packets from an offset, and returns whether they are a stream.
    ///
    /// - Parameters:
    ///   - start: The offset where a packet may begin.
    ///   - count: The number of available bytes.
    ///   - isEnd: Whether no other bytes follow.
    ///   - headerBytes: The number of bytes that `length` and `isTag` need.
    ///   - length: Returns the number of bytes of the packet at an offset; nil if no packet of the same stream begins
    ///     there.
    ///   - isTag: Returns whether a tag begins at an offset.
    package func verdict(
        from start: Int, count: Int, isEnd: Bool, headerBytes: Int, length: (_ position: Int) -> Int?,
        isTag: (_ position: Int) -> Bool
    ) -> Verdict {
        var position = start
        var packets = 0
        // If many other bytes precede, bytes that resemble packets occur at the end by chance.
        func isEnoughAtEnd(_ packets: Int) -> Bool {
            packets >= packetsBeforeEnd && (isExpected || start <= position - start)
        }
        while true {
            guard position <= count else {
                // The last packet is truncated.
                guard isEnd else { return .needs(position + headerBytes) }
                return isEnoughAtEnd(packets - 1) ? .stream : .chance
            }
            guard count - position >= headerBytes || isEnd else { return .needs(position + headerBytes) }
            guard let bytes = length(position), bytes > 0 else {
                if position == count || isTag(position) { return isEnoughAtEnd(packets) ? .stream : .chance }
                return packets >= packetsBeforeDamage ?? .max ? .stream : .chance
            }
            packets += 1
            guard packets < headers else { return .stream }
            position += bytes
        }
    }

    /// Returns whether a packet contains its own header again. Packets do not, but samples of a periodic wave do.
    package static func holdsItsHeader(
        _ bytes: UnsafeRawBufferPointer, from start: Int, packetBytes: Int, headerBytes: Int
    ) -> Bool {
        let end = min(start + packetBytes, bytes.count) - headerBytes
        guard start + headerBytes <= end else { return false }
        let header = unsafe bytes[start..<start + headerBytes]
        return (start + headerBytes..<end + 1).contains { position in
            unsafe bytes[position] == bytes[start]
                && bytes[position..<position + headerBytes].elementsEqual(header)
        }
    }
}
