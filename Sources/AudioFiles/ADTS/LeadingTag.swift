/// The ID3v2 tag at the beginning of a file or pipe.
enum LeadingTag {
    /// What it says.
    ///
    /// - Parameters:
    ///   - head: What has been taken from a pipe: no more of it is read.
    ///   - tagBytes: What the tag's header claims.
    static func metadata(of file: OpenFile, head: [UInt8], tagBytes: Int64) -> FileMetadata {
        ID3Reader.metadata(in: file.bytes == nil ? TagBytes(head) : TagBytes(file, 0..<tagBytes))
    }

    /// Title, artist and album for display.
    static func text(of file: OpenFile, head: [UInt8], tagBytes: Int64) -> AudioFileTags {
        metadata(of: file, head: head, tagBytes: tagBytes).tags
    }
}
