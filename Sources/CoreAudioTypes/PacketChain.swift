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
        from start: Int, count: Int, isEnd: Bool, headerBytes: Int, length: (_ place: Int) -> Int?,
        isTag: (_ place: Int) -> Bool
    ) -> Verdict {
        var place = start
        var packets = 0
        // Among many other bytes, some that look like packets occur at the end by chance.
        func isEnoughAtEnd(_ packets: Int) -> Bool {
            packets >= packetsBeforeEnd && (isExpected || start <= place - start)
        }
        while true {
            guard place <= count else {
                // The last packet is truncated.
                guard isEnd else { return .needs(place + headerBytes) }
                return isEnoughAtEnd(packets - 1) ? .stream : .chance
            }
            guard count - place >= headerBytes || isEnd else { return .needs(place + headerBytes) }
            guard let bytes = length(place), bytes > 0 else {
                if place == count || isTag(place) { return isEnoughAtEnd(packets) ? .stream : .chance }
                return packets >= packetsBeforeDamage ?? .max ? .stream : .chance
            }
            packets += 1
            guard packets < headers else { return .stream }
            place += bytes
        }
    }

    /// True if a packet contains its own header again. Packets do not, but samples of a periodic wave do.
    package static func holdsItsHeader(
        _ bytes: UnsafeRawBufferPointer, from start: Int, packetBytes: Int, headerBytes: Int
    ) -> Bool {
        let end = min(start + packetBytes, bytes.count) - headerBytes
        guard start + headerBytes <= end else { return false }
        let header = unsafe bytes[start..<start + headerBytes]
        return (start + headerBytes..<end + 1).contains { place in
            unsafe bytes[place] == bytes[start] && bytes[place..<place + headerBytes].elementsEqual(header)
        }
    }
}
