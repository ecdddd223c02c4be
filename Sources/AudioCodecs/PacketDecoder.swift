public import CoreAudioTypes

/// A decoder that takes packets as a queue gets them and gives PCM.
///
/// Packets in, frames out, in order; nothing is trimmed: priming and remainder frames come out like all
/// others. Used by one thread at a time.
public protocol PacketDecoder: AnyObject {
    /// What the packets are encoded with.
    var inputFormat: AudioStreamBasicDescription { get }
    /// What comes out: native-endian, packed, interleaved linear PCM of 8 bits unsigned, 16, 24 or 32 bits
    /// signed, or 32-bit float, at the rate and with the channels of the input.
    var outputFormat: AudioStreamBasicDescription { get }
    /// The most frames that one packet yields.
    var maximumFramesPerPacket: Int { get }
    /// Packets so far that could not be decoded and came out as silence.
    var damagedPackets: Int { get }

    /// Decodes one packet; or, where all packets have one size, as many as `packet` holds.
    ///
    /// A damaged packet, or one of no bytes, gives silence of its length and is counted in ``damagedPackets``.
    ///
    /// - Parameters:
    ///   - packet: Whole packets. Any alignment will do.
    ///   - output: Room for ``maximumFramesPerPacket`` frames for each packet; must not overlap `packet`.
    /// - Returns: Frames written.
    /// - Throws: ``CodecError/Code/outputTooSmall`` if the frames do not fit, and then nothing is written;
    ///   ``CodecError/Code/decoderFailed`` if no packet can be decoded any more, or if damaged ones that have too
    ///   few bytes for their frames would be more silence than there was sound.
    func decode(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int

    /// Forgets earlier packets, as before the first one or after a seek. Counts go on.
    func reset()
}
