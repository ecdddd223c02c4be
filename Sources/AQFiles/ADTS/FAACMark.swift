// SPDX-License-Identifier: MIT

import AQMagicCookies

/// FAAC's signature in the first packet, the only hint at an encoder's delay in an ADTS stream.
enum FAACMark {
    /// Returns whether a packet begins with a fill element that contains "libfaac" and a version.
    static func isFound(in packet: some Collection<UInt8>) -> Bool {
        var reader = BitReader(Array(packet.prefix(48)), name: "the first packet")
        do throws(MagicCookieError) {
            guard try reader.read(3, "kind of element") == fillKind else { return false }
            // The length, perhaps extended in a second field, then the fill type and its padding.
            if try reader.read(4, "length") == 15 { _ = try reader.read(8, "length") }
            guard try reader.read(4, "kind of filling") == 0 else { return false }
            _ = try reader.read(13, "padding")
            for letter in "libfaac ".utf8 where try reader.read(8, "text") != Int(letter) { return false }
            return true
        } catch {
            // The packet is too short, as packets without the signature may be.
            return false
        }
    }

    /// The number of frames that FAAC's own decoder and libavcodec drop if the signature is present.
    static let primingFrames: Int64 = 1024

    private static let fillKind = 6
}
