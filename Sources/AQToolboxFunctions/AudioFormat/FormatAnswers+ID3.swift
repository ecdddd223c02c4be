// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

extension FormatAnswers {
    /// The size of a tag, with its header and footer, from its first ten bytes.
    ///
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` for bytes that do not begin a tag.
    static func tagSize(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        try .one(UInt32(clamping: tagBytes(specifier.bytes)))
    }

    /// The values of a tag, by the keys of a file's information dictionary.
    ///
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` for bytes that do not begin a tag,
    ///   `kAudioFormatBadSpecifierSizeError` for a truncated tag.
    static func tagToDictionary(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        let bytes = specifier.bytes
        let wanted = try tagBytes(bytes)
        guard bytes.count >= wanted else { throw StatusError(kAudioFormatBadSpecifierSizeError) }
        // Any stream may begin with a tag, which is parsed before everything else.
        let stream = unsafe AudioFileStream(onProperty: { _, _ in }, onPackets: { _, _, _, _ in })
        unsafe bytes.withUnsafeBytes { tag in
            // The only possible error is that no audio follows the tag.
            _ = try? unsafe stream.parse(UnsafeRawBufferPointer(rebasing: tag[..<wanted]))
            _ = try? stream.finish()
        }
        return .tags(stream.information)
    }

    /// - Throws: `kAudioFormatBadSpecifierSizeError` for fewer bytes than a header has.
    private static func tagBytes(_ bytes: [UInt8]) throws(StatusError) -> Int {
        guard bytes.count >= headerBytes else { throw StatusError(kAudioFormatBadSpecifierSizeError) }
        guard let byteCount = StreamTag.id3Bytes(bytes) else {
            throw StatusError(kAudioFormatUnsupportedDataFormatError)
        }
        return Int(byteCount)
    }

    private static let headerBytes = 10
}
