import MagicCookies

/// Tells AAC by its packets, where a stream begins within one.
enum ADTSSignature {
    /// True if three headers of one stream stand at the distances that they say; chance does not do that.
    static func isFound(in bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            for start in 0..<bytes.count where unsafe bytes[start] == 0xFF {
                if unsafe isStream(bytes, from: start) { return true }
            }
            return false
        }
    }

    private static func isStream(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
        func header(at place: Int) -> ADTSHeader? {
            // Long packets leave no room for a third one.
            guard place < bytes.count else { return nil }
            return unsafe ADTSHeader(bytes: UnsafeRawBufferPointer(rebasing: bytes[place...]))
        }
        guard let first = header(at: start) else { return false }
        let second = start + first.frameBytes
        guard let next = header(at: second), next.isSameStream(as: first) else { return false }
        return header(at: second + next.frameBytes)?.isSameStream(as: first) ?? false
    }
}
