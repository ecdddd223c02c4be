// SPDX-License-Identifier: MIT

public import CoreAudioTypes

extension OutputQueue {
    /// The limits of derived buffer sizes, in bytes, unless a single packet is larger.
    public static let bufferByteRange = 0x4000...0x50000

    /// Returns a buffer size for about `seconds` of playback.
    ///
    /// The size is computed as in Apple's published examples: the packets of that duration, within ``bufferByteRange``.
    /// If packets have no constant number of frames, the size is the largest of the range.
    ///
    /// - Parameters:
    ///   - maximumPacketSize: The size of the largest packet in bytes, 1 to 2^30. Values out of range count as the
    ///     nearer bound.
    ///   - seconds: The duration. Negative values and NaN count as 0.
    /// - Returns: A size in bytes that holds at least one packet, and the number of packets to read for it.
    public static func deriveBufferSize(
        format: AudioStreamBasicDescription, maximumPacketSize: Int, seconds: Double
    ) -> (bufferByteCount: Int, packetCount: Int) {
        let packetBytes = min(max(1, maximumPacketSize), BufferPool.maximumByteCapacity)
        var bytes = max(bufferByteRange.upperBound, packetBytes)
        if format.mFramesPerPacket != 0 {
            let rate = format.mSampleRate.clamped(to: 0...AudioStreamBasicDescription.maximumSampleRate)
            let packets = rate / Double(format.mFramesPerPacket) * seconds.clamped(to: 0...1e6)
            bytes = Int(min(packets * Double(packetBytes), Double(BufferPool.maximumByteCapacity)))
        }
        if bytes > bufferByteRange.upperBound, bytes > packetBytes {
            bytes = max(bufferByteRange.upperBound, packetBytes)
        }
        bytes = max(bytes, bufferByteRange.lowerBound, packetBytes)
        return (bytes, bytes / packetBytes)
    }
}
