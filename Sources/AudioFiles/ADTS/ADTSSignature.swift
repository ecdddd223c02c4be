import MagicCookies

/// Tells AAC by its packets, where a stream begins within one.
enum ADTSSignature {
    /// True if three headers of one stream stand at the distances that they say; chance does not do that.
    static func isFound(in bytes: [UInt8]) -> Bool {
        for start in bytes.indices where bytes[start] == 0xFF {
            guard let first = ADTSHeader(bytes: bytes[start...]) else { continue }
            var place = start
            var header = first
            for count in 1... {
                place += header.frameBytes
                // Long packets leave no room for a third one.
                guard place < bytes.count, let next = ADTSHeader(bytes: bytes[place...]) else { break }
                guard next.isSameStream(as: first) else { break }
                if count == 2 { return true }
                header = next
            }
        }
        return false
    }
}
