// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQMPEGAudio
#endif

/// The frame without audio with which some encoders begin each segment of MPEG audio (Xing, Info or VBRI).
///
/// It states the length of the segment alone, and would be decoded to silence between segments.
enum SegmentInfoTag {
    /// The size of the frame, if a segment begins with one, in bytes; otherwise 0.
    static func byteCount(of segment: ArraySlice<UInt8>) -> Int {
        #if HAVE_MPEG_AUDIO
        let head = Array(segment.prefix(mostFrameBytes))
        guard let header = unsafe MPEGFrameHeader(head.span.bytes), let bytes = header.packetBytes,
            bytes <= head.count
        else { return 0 }
        let frame = Array(head[..<bytes])
        return unsafe MPEGInfoTag(packet: frame.span.bytes, header: header) == nil ? 0 : bytes
        #else
        return 0
        #endif
    }

    private static let mostFrameBytes = 2880
}
