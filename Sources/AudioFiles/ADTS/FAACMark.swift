import MagicCookies

/// The signature that FAAC leaves in the first packet of a stream, which alone tells of an encoder's delay.
enum FAACMark {
    /// True if a packet begins with filling that says "libfaac" and a version.
    static func isFound(in packet: some Collection<UInt8>) -> Bool {
        var reader = BitReader(Array(packet.prefix(48)), name: "the first packet")
        do throws(MagicCookieError) {
            guard try reader.read(3, "kind of element") == fillKind else { return false }
            // The length, which may go on in a second field, then the kind of filling and its padding.
            if try reader.read(4, "length") == 15 { _ = try reader.read(8, "length") }
            guard try reader.read(4, "kind of filling") == 0 else { return false }
            _ = try reader.read(13, "padding")
            for letter in "libfaac ".utf8 where try reader.read(8, "text") != Int(letter) { return false }
            return true
        } catch {
            // Too short for it: any other packet may be.
            return false
        }
    }

    /// Frames that FAAC's own decoder, and libavcodec, drop where the signature stands.
    static let primingFrames: Int64 = 1024

    /// The number that announces filling in a packet.
    private static let fillKind = 6
}
