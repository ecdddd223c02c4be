// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// An encoder that takes PCM and returns packets for a queue or a file.
///
/// Frames become packets in order. A decoder of the packets outputs ``primingFrames`` additional frames first. After
/// ``finish()`` the last packet is padded by ``remainderFrames``. Used by one thread at a time.
public protocol PacketEncoder: AnyObject {
    /// The format of the input: native-endian, packed, interleaved linear PCM.
    var inputFormat: AudioStreamBasicDescription { get }
    /// The format of the packets, with all fields.
    var outputFormat: AudioStreamBasicDescription { get }
    /// The magic cookie of the packets; empty if their decoder needs none. Constant.
    var magicCookie: [UInt8] { get }
    /// The number of frames that a decoder outputs before the first encoded one.
    var primingFrames: Int { get }
    /// The number of frames that a decoder outputs after the last encoded one. Known after the last packet was taken.
    var remainderFrames: Int { get }
    /// The size of the largest packet in bytes.
    var maximumPacketSize: Int { get }
    /// The requested or average bit rate, in bits per second; 0 if the rate depends on the audio.
    var bitRate: Int { get }

    /// Takes any number of frames, and keeps those that do not fill a packet.
    ///
    /// Call ``nextPacket(into:)`` until it returns nil, then append further frames.
    ///
    /// - Parameter frames: Whole frames, of any alignment.
    /// - Throws: ``CodecError/Code/invalidFormat`` if the bytes are not whole frames, or after ``finish()``;
    ///   ``CodecError/Code/encoderFailed`` if no further frame can be encoded.
    func append(_ frames: UnsafeRawBufferPointer) throws(CodecError)

    /// Marks the end of the frames, so that frames kept so far become packets, too.
    ///
    /// - Throws: ``CodecError/Code/encoderFailed`` if the encoder is unusable.
    func finish() throws(CodecError)

    /// Returns the next complete packet; if all packets have one size, as many as fit in `output`.
    ///
    /// - Parameter output: Room for ``maximumPacketSize`` bytes, or for a multiple of this.
    /// - Returns: The size of the packet, or of the packets together; nil if further frames are required, and after
    ///   the last packet.
    /// - Throws: ``CodecError/Code/outputTooSmall`` if the packet does not fit; a later call then returns the packet;
    ///   ``CodecError/Code/encoderFailed`` if the encoder is unusable.
    func nextPacket(into output: UnsafeMutableRawBufferPointer) throws(CodecError) -> EncodedPacket?

    /// Drops all frames. The next frame begins a stream.
    ///
    /// - Throws: ``CodecError/Code/encoderFailed`` if the encoder cannot be opened again.
    func reset() throws(CodecError)
}

/// The size of a packet of an encoder, or of several packets together.
public struct EncodedPacket: Sendable, Equatable {
    /// The number of bytes in the packets.
    public var bytes: Int
    /// The number of frames that a decoder outputs for the bytes.
    public var frames: Int

    /// Makes a size.
    public init(bytes: Int, frames: Int) {
        self.bytes = bytes
        self.frames = frames
    }
}
