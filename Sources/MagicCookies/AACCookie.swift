/// The magic cookie of AAC, which comes in two forms and is written in one.
public enum AACCookie {
    /// Finds the decoder's configuration in a cookie.
    ///
    /// - Parameter cookie: An ES descriptor, as in CAF files, with or without what an MP4 box has in front
    ///   of it; or a bare AudioSpecificConfig.
    /// - Throws: An error that names the part and the place that is wrong, or the coding if it is not AAC.
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

    /// Makes the cookie that CAF files hold.
    ///
    /// - Parameters:
    ///   - bitRate: Bits per second on average; 0 if unknown.
    ///   - maximumPacketSize: Bytes that no packet exceeds; 0 if unknown.
    public static func cookie(
        for config: AudioSpecificConfig, bitRate: Int = 0, maximumPacketSize: Int = 0
    ) -> [UInt8] {
        ElementaryStreamDescriptor(
            bufferBytes: maximumPacketSize, maximumBitRate: bitRate, averageBitRate: bitRate,
            decoderSpecificInfo: config.bytes
        ).bytes
    }

    /// Where an ES descriptor begins; nil for other cookies. No configuration begins with its tag, nor with
    /// a byte 0: both would be object type 0, which is none.
    private static func descriptorStart(in cookie: [UInt8]) -> Int? {
        if cookie[0] == 3 { return 0 }
        if cookie.count > 4, cookie.starts(with: [0, 0, 0, 0, 3]) { return 4 }
        if cookie.count > 12, cookie[4..<8].elementsEqual("esds".utf8) { return 12 }
        return nil
    }
}
