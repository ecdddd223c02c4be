// SPDX-License-Identifier: MIT

/// The tag of a stream's segment.
extension ID3Reader {
    /// Title, artist and album of the tag at the start of the bytes, for display; nil where the tag states nothing.
    package static func tags(in bytes: [UInt8]) -> AudioFileTags { metadata(in: TagBytes(bytes)).tags }
}
