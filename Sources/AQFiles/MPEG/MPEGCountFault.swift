// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQMPEGAudio

/// The detection of a stream cut between two packets, which only the counts in the encoder's tag reveal.
enum MPEGCountFault {
    /// Makes a warning such as `the Info tag counts 5 packets, but 3 are there`; nil if no packet can be missing.
    ///
    /// Some encoders also count the tag's own packet, and some the bytes of other tags.
    ///
    /// - Parameters:
    ///   - packets: The number of packets found.
    ///   - packetBytes: The number of bytes from the tag's packet to the end of the last packet.
    ///   - streamBytes: The number of bytes from the tag's packet to the end of the stream.
    static func words(
        _ tag: MPEGInfoTag, packets: Int64, packetBytes: Int64, streamBytes: Int64
    ) -> String? {
        guard let counted = tag.packets, counted > packets else { return nil }
        if let bytes = tag.bytes, bytes > 0 {
            // Packets of another rate or length may be counted differently, but are present.
            guard bytes > packetBytes, counted > packets + 1 || bytes > streamBytes else { return nil }
        } else if counted == packets + 1 {
            return nil
        }
        let name = tag.kind.name
        return
            "the \(name) tag counts \(counted) packets, but \(packets == 1 ? "1 is" : "\(packets) are") there"
    }
}
#endif
