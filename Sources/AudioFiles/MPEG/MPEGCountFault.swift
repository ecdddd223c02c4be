#if HAVE_MPEG_AUDIO
import MPEGAudio

/// What an encoder's tag counts and a stream does not hold: it was cut between two packets, where nothing else shows it.
enum MPEGCountFault {
    /// `the Info tag counts 5 packets, but 3 are there`; nil if none that it counts can be missing.
    ///
    /// Some encoders count the tag's own packet, and some bytes of other tags.
    ///
    /// - Parameters:
    ///   - packets: That were found.
    ///   - packetBytes: From the tag's packet to the end of the last.
    ///   - streamBytes: From there to the end of the stream.
    static func words(
        _ tag: MPEGInfoTag, packets: Int64, packetBytes: Int64, streamBytes: Int64
    ) -> String? {
        guard let counted = tag.packets, counted > packets else { return nil }
        if let bytes = tag.bytes, bytes > 0 {
            // What is of another rate or length may be counted otherwise, but is there.
            guard bytes > packetBytes, counted > packets + 1 || bytes > streamBytes else { return nil }
        } else if counted == packets + 1 {
            return nil
        }
        let name =
            switch tag.kind {
            case .xing: "Xing"
            case .info: "Info"
            case .vbri: "VBRI"
            }
        return
            "the \(name) tag counts \(counted) packets, but \(packets == 1 ? "1 is" : "\(packets) are") there"
    }
}
#endif
