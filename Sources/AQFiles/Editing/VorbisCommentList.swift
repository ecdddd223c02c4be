// SPDX-License-Identifier: MIT

/// Vorbis comments as stored, with their bytes, so that those that are not changed are kept.
struct VorbisCommentList {
    private let vendor: [UInt8]
    private var comments: [ArraySlice<UInt8>] = []
    /// The bytes after the comments: Vorbis ends with a bit, Opus may have other data.
    private let rest: ArraySlice<UInt8>

    /// Makes an empty list.
    init() { (vendor, rest) = ([], []) }

    /// - Throws: `damaged` if the comments are not complete.
    init(_ bytes: ArraySlice<UInt8>) throws(AudioFileError) {
        var cursor = FieldCursor(bytes, isBigEndian: false)
        guard let vendor = cursor.readCounted(), let count = cursor.read(UInt32.self) else {
            throw Self.damaged
        }
        self.vendor = Array(vendor)
        // Each comment has at least its length.
        guard Int(count) <= cursor.rest.count / 4 else { throw Self.damaged }
        for _ in 0..<count {
            guard let comment = cursor.readCounted() else { throw Self.damaged }
            comments.append(comment)
        }
        rest = cursor.rest
    }

    /// Replaces the comments of these names, in any case.
    mutating func set(_ texts: [ReplayGain.TagText]) {
        let names = Set(texts.map(\.name))
        comments.removeAll { comment in
            // The names are short.
            let name = comment.prefix(40).prefix { $0 != 0x3D }
            return names.contains(String(decoding: name, as: UTF8.self).uppercased())
        }
        for text in texts {
            if let value = text.value { comments.append(Array("\(text.name)=\(value)".utf8)[...]) }
        }
    }

    var bytes: [UInt8] {
        var bytes = HeaderBytes()
        bytes.append(little: UInt32(clamping: vendor.count))
        bytes.append(raw: vendor)
        bytes.append(little: UInt32(clamping: comments.count))
        for comment in comments {
            bytes.append(little: UInt32(clamping: comment.count))
            bytes.append(raw: Array(comment))
        }
        return bytes.bytes + rest
    }

    private static let damaged = AudioFileError(.damaged, "its comments are not complete")
}
