import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// What is known of ID3 tags.
extension FormatAnswers {
    /// Bytes of a tag, its header and what closes it counted, by its first ten.
    ///
    /// - Throws: `unsupportedDataFormat` for bytes that begin no tag.
    static func tagSize(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        try .one(UInt32(clamping: tagBytes(specifier.bytes)))
    }

    /// The texts of a tag, by the keys that the information of files has.
    ///
    /// - Throws: `unsupportedDataFormat` for bytes that begin no tag, `badSpecifierSize` for a part of one.
    static func tagToDictionary(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        let bytes = specifier.bytes
        let wanted = try tagBytes(bytes)
        guard bytes.count >= wanted else { throw StatusError(kAudioFormatBadSpecifierSizeError) }
        // Any stream may come with a tag in front, which is read before anything else of it.
        let stream = unsafe AudioFileStream(onProperty: { _, _ in }, onPackets: { _, _, _, _ in })
        unsafe bytes.withUnsafeBytes { tag in
            // Behind the tag there is no sound, which is all that the stream can complain of.
            _ = try? unsafe stream.parse(UnsafeRawBufferPointer(rebasing: tag[..<wanted]))
            _ = try? stream.finish()
        }
        return .texts(stream.information)
    }

    /// - Throws: `badSpecifierSize` for less than a header.
    private static func tagBytes(_ bytes: [UInt8]) throws(StatusError) -> Int {
        guard bytes.count >= headerBytes else { throw StatusError(kAudioFormatBadSpecifierSizeError) }
        guard let byteCount = StreamTag.id3Bytes(bytes) else {
            throw StatusError(kAudioFormatUnsupportedDataFormatError)
        }
        return Int(byteCount)
    }

    private static let headerBytes = 10
}
