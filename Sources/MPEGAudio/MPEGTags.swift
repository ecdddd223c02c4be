import CMpg123

/// The text of a stream's ID3 tags that is for display, as it stands there but in UTF-8.
public struct MPEGTags: Sendable, Equatable {
    /// Title of the piece.
    public var title: String?
    /// Who performs it.
    public var artist: String?
    /// What it is part of.
    public var album: String?

    /// Makes tags of the texts given.
    public init(title: String? = nil, artist: String? = nil, album: String? = nil) {
        self.title = title
        self.artist = artist
        self.album = album
    }

    /// What the library has read so far: the newer tag first, the older for what that lacks.
    ///
    /// The corresponding C function is `mpg123_id3`.
    init(of handle: borrowing MPEGHandle) {
        var oldTag: UnsafeMutablePointer<mpg123_id3v1>?
        var newTag: UnsafeMutablePointer<mpg123_id3v2>?
        guard unsafe mpg123_id3(handle.pointer, &oldTag, &newTag) == MPEG123.ok else { return }
        // SAFETY: both stay until the handle reads on or is deleted; only copies leave.
        if let tag = unsafe newTag?.pointee {
            title = unsafe Self.text(tag.title)
            artist = unsafe Self.text(tag.artist)
            album = unsafe Self.text(tag.album)
        }
        if let tag = unsafe oldTag?.pointee {
            title = unsafe title ?? withUnsafeBytes(of: tag.title) { unsafe Self.latin1($0) }
            artist = unsafe artist ?? withUnsafeBytes(of: tag.artist) { unsafe Self.latin1($0) }
            album = unsafe album ?? withUnsafeBytes(of: tag.album) { unsafe Self.latin1($0) }
        }
    }

    private static func text(_ string: UnsafeMutablePointer<mpg123_string>?) -> String? {
        guard let string = unsafe string?.pointee, let bytes = unsafe string.p else { return nil }
        let all = unsafe UnsafeRawBufferPointer(start: bytes, count: string.fill)
        // A field may hold several strings; the first is enough to show.
        return unsafe String(decoding: all.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func latin1(_ field: UnsafeRawBufferPointer) -> String? {
        let characters = unsafe field.prefix { $0 != 0 }.map { Character(Unicode.Scalar($0)) }
        return characters.isEmpty ? nil : String(characters)
    }
}
