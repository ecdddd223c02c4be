/// The rule that distinguishes a stream of packets from other bytes: each packet leads to the next.
package struct PacketChain {
    package enum Verdict: Equatable {
        /// Packets follow each other.
        case stream
        /// Other bytes that look like a packet.
        case chance
        /// This many bytes are necessary to decide.
        case needs(Int)
    }

    /// The number of headers, each at the end of the packet before, that are a stream wherever they begin.
    package var headers: Int
    /// The number of whole packets that are a stream if they are followed by nothing or by a tag, and
    /// preceded by no more bytes than they have.
    package var packetsBeforeEnd: Int
    /// The number of whole packets that are a stream although other bytes follow; nil if only `headers`
    /// decides.
    package var packetsBeforeDamage: Int?
    private let isExpected: Bool

    /// - Parameter isExpected: True where a stream should begin, at the beginning of a file or after a tag.
    package init(isExpected: Bool, headers: Int = 4) {
        self.headers = headers
        self.isExpected = isExpected
        packetsBeforeEnd = isExpected ? 1 : 2
        packetsBeforeDamage = isExpected ? 2 : nil
    }

    /// Follows the packets from an offset.
    ///
    /// - Parameters:
    ///   - start: The offset where a packet may begin.
    ///   - count: The number of available bytes.
    ///   - isEnd: True if no others follow.
    ///   - headerBytes: The number of bytes that `length` and `isTag` need.
    ///   - length: The number of bytes of the packet at an offset; nil if none of the same stream begins
    ///     there.
    ///   - isTag: Whether a tag begins at an offset.
    package func verdict(
        from start: Int, count: Int, isEnd: Bool, headerBytes: Int, length: (_ position: Int) -> Int?,
        isTag: (_ position: Int) -> Bool
    ) -> Verdict {
        var position = start
        var packets = 0
        // Among many other bytes, some that look like packets occur at the end by chance.
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
