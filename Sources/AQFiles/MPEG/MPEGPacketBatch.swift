// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import CoreAudioTypes
import AQMPEGAudio

/// The packets of one append, all checked against the format.
struct MPEGPacketBatch {
    private(set) var bytes: [UInt8] = []
    /// The end of each packet in ``bytes``.
    private(set) var ends: [Int] = []
    private(set) var headers: [MPEGFrameHeader] = []

    /// - Throws: `unsupported` for bytes that are not whole packets of the format.
    init(
        _ packets: DescribedPackets, of format: AudioStreamBasicDescription, in memory: UnsafeRawBufferPointer
    ) throws(AudioFileError) {
        for (index, range) in packets.ranges.enumerated() {
            let packet = unsafe UnsafeRawBufferPointer(rebasing: memory[range])
            guard let header = unsafe MPEGFrameHeader(packet.bytes), header.layer == 3,
                Double(header.sampleRate) == format.mSampleRate,
                header.channels == format.mChannelsPerFrame
            else {
                throw AudioFileError(.unsupported, "packet \(index) is not of \(format.summary)")
            }
            guard header.packetBytes == nil || header.packetBytes == range.count else {
                throw AudioFileError(
                    .unsupported,
                    "packet \(index) has \(range.count) bytes, and \(header.packetBytes ?? 0) by its header")
            }
            unsafe bytes.append(contentsOf: packet)
            ends.append(bytes.count)
            headers.append(header)
        }
    }

    /// Removes and returns an encoder's tag in the first packet; nil if there is none.
    mutating func takeTag() -> MPEGInfoTag? {
        guard let header = headers.first, let end = ends.first else { return nil }
        let packet = Array(bytes[..<end])
        guard let tag = unsafe MPEGInfoTag(packet: packet.span.bytes, header: header), tag.kind != .vbri
        else {
            return nil
        }
        bytes.removeFirst(end)
        headers.removeFirst()
        ends = ends.dropFirst().map { $0 - end }
        return tag
    }
}
#endif
