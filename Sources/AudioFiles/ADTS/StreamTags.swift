/// Tags that stand in a stream, before or after the sound, and are no damage.
enum StreamTags {
    /// True if a tag of a known kind begins here.
    static func begin(_ bytes: UnsafeRawBufferPointer) -> Bool {
        ["TAG", "APETAGEX", "LYRICSBEGIN", "ID3"].contains { unsafe bytes.starts(with: $0.utf8) }
    }
}
