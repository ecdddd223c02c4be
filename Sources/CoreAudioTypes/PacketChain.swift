/// The rule by which a stream of packets is told from other bytes: each packet leads to the next.
package struct PacketChain {
    package enum Verdict: Equatable {
        /// Packets follow each other.
        case stream
        /// Something only looks like a packet.
        case chance
        /// So many bytes are necessary to decide.
        case needs(Int)
    }

    /// Headers, each where the packet before ends, that are a stream wherever they begin.
    package var headers: Int
    /// Whole packets that are a stream if nothing follows, or a tag, and no more bytes come before than they have.
    package var packetsBeforeEnd: Int
    /// Whole packets that are a stream although other bytes follow; nil if nothing but `headers` is.
    package var packetsBeforeDamage: Int?
    private let isExpected: Bool

    /// - Parameter isExpected: True where a stream should begin, at the beginning of a file or behind a tag.
    package init(isExpected: Bool, headers: Int = 4) {
        self.headers = headers
        self.isExpected = isExpected
        packetsBeforeEnd = isExpected ? 1 : 2
        packetsBeforeDamage = isExpected ? 2 : nil
    }

    /// Follows the packets from a place on.
    ///
    /// - Parameters:
    ///   - start: Where a packet may begin.
    ///   - count: Bytes at hand.
    ///   - isEnd: True if no others follow.
    ///   - headerBytes: That `length` and `isTag` need.
    ///   - length: Bytes of the packet at a place; nil if none of the same stream begins there.
    ///   - isTag: Whether a tag begins at a place.
    package func verdict(
        from start: Int, count: Int, isEnd: Bool, headerBytes: Int, length: (_ place: Int) -> Int?,
        isTag: (_ place: Int) -> Bool
    ) -> Verdict {
        var place = start
        var packets = 0
        // Among many other bytes, a few that look like packets are found at some end.
        func isEnoughAtEnd(_ packets: Int) -> Bool {
            packets >= packetsBeforeEnd && (isExpected || start <= place - start)
        }
        while true {
            guard place <= count else {
                // The last packet is cut short.
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

    /// True if a packet holds its own header again, as no packet does, but samples of a periodic wave do.
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
