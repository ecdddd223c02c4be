#if HAVE_MPEG_AUDIO
import MPEGAudio
#endif

/// The text of the ID3v2 tag at the beginning of a file or pipe.
enum LeadingTag {
    /// Title, artist and album; none in a program built without MPEG audio, which knows such tags.
    ///
    /// - Parameters:
    ///   - head: What has been taken from a pipe.
    ///   - tagBytes: What the tag's header claims.
    static func text(of file: OpenFile, head: [UInt8], tagBytes: Int64) -> AudioFileTags {
        #if HAVE_MPEG_AUDIO
        // Of a pipe no more is read than has been: the source has all there is, and no descriptor.
        let source =
            if let bytes = file.bytes {
                MPEGByteSource(fileDescriptor: file.descriptor, fileBytes: bytes)
            } else {
                MPEGByteSource(fileDescriptor: -1, fileBytes: Int64(head.count), head: head)
            }
        let text = MPEGTags(leading: source, tagBytes: tagBytes)
        return AudioFileTags(
            title: DisplayText.clean(text.title), artist: DisplayText.clean(text.artist),
            album: DisplayText.clean(text.album))
        #else
        return AudioFileTags()
        #endif
    }
}
