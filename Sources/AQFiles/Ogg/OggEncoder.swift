// SPDX-License-Identifier: MIT

/// A packet of an Ogg stream.
struct OggPacket {
    var bytes: [UInt8]
    /// The granule position at the end of the packet.
    var endPosition: Int64
}

/// The relation of granule positions to frames.
struct OggTiming {
    /// The position of the first frame: the frames that a decoder drops.
    var startPosition: Int64 = 0
    var positionsPerFrame: Int64 = 1
    var positionsPerSecond: Int64

    /// The number of frames up to a position.
    func frames(until position: Int64) -> Int64 { max(0, position - startPosition) / positionsPerFrame }
}

/// An encoder whose packets are stored in an Ogg stream.
protocol OggEncoder: AnyObject {
    var timing: OggTiming { get }

    /// The packets before the audio. The second one contains the tags and the picture.
    func headerPackets(_ metadata: FileMetadata) -> [[UInt8]]

    /// Encodes interleaved samples in the usual channel order; returns the packets that are complete.
    func encode(_ samples: [Float], frames: Int) throws(AudioFileError) -> [OggPacket]

    /// Encodes the samples that the encoder holds back. No samples can follow.
    ///
    /// - Returns: At least one packet; the last one ends at the position of the last frame.
    func finish() throws(AudioFileError) -> [OggPacket]
}
