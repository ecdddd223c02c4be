// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// A decoder that takes the packets of a queue and returns PCM.
///
/// Packets become frames in order. No frame is trimmed: priming and remainder frames are returned, too. Used by one
/// thread at a time.
public protocol PacketDecoder: AnyObject {
    /// The format of the packets.
    var inputFormat: AudioStreamBasicDescription { get }
    /// The format of the output: native-endian, packed, interleaved linear PCM of 8 bits unsigned, 16, 24 or
    /// 32 bits signed, or 32-bit float, at the rate and with the channels of the input.
    var outputFormat: AudioStreamBasicDescription { get }
    /// The largest number of frames in a packet.
    var maximumFramesPerPacket: Int { get }
    /// The number of packets that could not be decoded and were replaced by silence.
    var damagedPackets: Int { get }

    /// Decodes one packet; or, if all packets have one size, all packets in `packet`.
    ///
    /// A packet that is damaged or empty becomes silence of its length, and counts in ``damagedPackets``. If all
    /// packets have one size, an incomplete packet at the end counts, but gives no frames.
    ///
    /// - Parameters:
    ///   - packet: Whole packets, of any alignment.
    ///   - output: Room for ``maximumFramesPerPacket`` frames for each packet; must not overlap `packet`.
    /// - Returns: The number of frames written.
    /// - Throws: ``CodecError/Code/outputTooSmall`` if the frames do not fit, and then nothing is written;
    ///   ``CodecError/Code/decoderFailed`` if no further packet can be decoded, or damaged packets with too few bytes
    ///   for their frames would become more silence than there was audio.
    func decode(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int

    /// Drops the history of previous packets, for example after a seek. Counts continue.
    func reset()
}
