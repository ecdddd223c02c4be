public import CoreAudioTypes

/// An encoder that takes PCM and returns packets for a queue or a file.
///
/// Frames in, packets out, in order. A decoder of the packets outputs ``primingFrames`` additional frames
/// first, and after ``finish()`` the last packet is padded by ``remainderFrames``. Used by one thread at a
/// time.
public protocol PacketEncoder: AnyObject {
    /// The format of the input: native-endian, packed, interleaved linear PCM.
    var inputFormat: AudioStreamBasicDescription { get }
    /// The format of the packets, complete with frames in a packet and flags.
    var outputFormat: AudioStreamBasicDescription { get }
    /// The magic cookie of the packets; empty if their decoder needs none. Known from the beginning.
    var magicCookie: [UInt8] { get }
    /// The number of frames that a decoder outputs before the first encoded one.
    var primingFrames: Int { get }
    /// The number of frames that a decoder outputs after the last encoded one; known after the last packet
    /// was taken.
    var remainderFrames: Int { get }
    /// The size of the largest packet in bytes.
    var maximumPacketSize: Int { get }
    /// The requested or average number of bits per second; 0 if it depends on the audio.
    var bitRate: Int { get }

    /// Takes any number of frames, and keeps those that do not fill a packet yet.
    ///
    /// Call ``nextPacket(into:)`` until it returns nil, then append more.
    ///
    /// - Parameter frames: Whole frames, of any alignment.
    /// - Throws: ``CodecError/Code/invalidFormat`` if they are not whole frames, or after ``finish()``;
    ///   ``CodecError/Code/encoderFailed`` if nothing can be encoded any more.
    func append(_ frames: UnsafeRawBufferPointer) throws(CodecError)

    /// Marks the end of the frames: those that were kept become packets too.
    func finish() throws(CodecError)

    /// Takes the next packet, if one is complete; or, if all packets have one size, as many as fit into
    /// `output`.
    ///
    /// - Parameter output: Room for ``maximumPacketSize`` bytes, or for a multiple of them.
    /// - Returns: The size of the packet, or of the packets together; nil if more frames are needed, and
    ///   after the last packet.
    /// - Throws: ``CodecError/Code/outputTooSmall`` if the packet does not fit, and then it is not lost;
    ///   ``CodecError/Code/encoderFailed``.
    func nextPacket(into output: UnsafeMutableRawBufferPointer) throws(CodecError) -> EncodedPacket?

    /// Drops all frames, as before the first one.
    func reset() throws(CodecError)
}

/// The size of one packet of an encoder.
public struct EncodedPacket: Sendable, Equatable {
    /// The number of bytes of the packet.
    public var bytes: Int
    /// The number of frames that it decodes to.
    public var frames: Int

    /// Makes a result of the two counts.
    public init(bytes: Int, frames: Int) {
        self.bytes = bytes
        self.frames = frames
    }
}
