// SPDX-License-Identifier: MIT

/// The magic cookie of AAC, which is read in two forms and written in one.
public enum AACCookie {
    /// Finds the decoder's configuration in a cookie.
    ///
    /// - Parameter cookie: An ES descriptor, as in CAF files, with or without the bytes that precede it in an
    ///   MP4 box; or a plain AudioSpecificConfig.
    /// - Throws: An error that names the wrong part and its offset, or the codec if it is not AAC.
    public static func audioSpecificConfig(
        inCookie cookie: [UInt8]
    ) throws(MagicCookieError) -> AudioSpecificConfig {
        guard !cookie.isEmpty else { throw MagicCookieError("cannot read the AAC cookie: it is empty") }
        guard let start = descriptorStart(in: cookie) else { return try AudioSpecificConfig(bytes: cookie) }
        let descriptor = try ElementaryStreamDescriptor(bytes: cookie[start...])
        let coding = descriptor.objectTypeIndication
        guard coding == 0x40 || 0x66...0x68 ~= coding else {
            throw DescriptorCursor.failure("its coding \(hex(coding)) is not AAC")
        }
        guard !descriptor.decoderSpecificInfo.isEmpty else {
            throw DescriptorCursor.failure("it has no AudioSpecificConfig (tag 0x05)")
        }
        return try AudioSpecificConfig(bytes: descriptor.decoderSpecificInfo)
    }

    /// Makes the cookie of CAF files.
    ///
    /// - Parameters:
    ///   - bitRate: Average bits per second; 0 if unknown.
    ///   - maximumPacketSize: The size of the largest packet in bytes; 0 if unknown.
    public static func cookie(
        for config: AudioSpecificConfig, bitRate: Int = 0, maximumPacketSize: Int = 0
    ) -> [UInt8] {
        ElementaryStreamDescriptor(
            bufferBytes: maximumPacketSize, maximumBitRate: bitRate, averageBitRate: bitRate,
            decoderSpecificInfo: config.bytes
        ).bytes
    }

    /// Returns the offset of the ES descriptor in a cookie; nil if the cookie is a plain configuration. A configuration
    /// never begins with byte 0 or 3: object type 0 does not exist.
    private static func descriptorStart(in cookie: [UInt8]) -> Int? {
        if cookie[0] == 3 { return 0 }
        if cookie.count > 4, cookie.starts(with: [0, 0, 0, 0, 3]) { return 4 }
        if cookie.count > 12, cookie[4..<8].elementsEqual("esds".utf8) { return 12 }
        return nil
    }
}
