// SPDX-License-Identifier: MIT

/// A new version of a file, made of parts of the old one and new bytes.
struct FileParts {
    enum Part {
        case stored(Range<Int64>)
        case new([UInt8])
        /// Pages of Ogg, which get other numbers.
        case pages(Range<Int64>, OggRenumbering)
    }

    var parts: [Part]
    /// Whether the loudness is stored as R128 tags, without peaks.
    var isR128 = false
    /// Whether the packets found by the new file's index are compared with the old ones.
    var comparesPackets = false

    func write(from file: EditableFile, to output: EditableFile) throws(AudioFileError) {
        for part in parts {
            switch part {
            case .stored(let range): try output.copy(range, of: file, to: output.byteCount)
            case .new(let bytes): try output.write(bytes, at: output.byteCount)
            case .pages(let range, let numbering):
                try numbering.copy(range, of: file, to: output)
            }
        }
    }
}
