public import CoreAudioTypes

/// An encoder that takes PCM and gives packets as a queue or a file takes them.
///
/// Frames in, packets out, in order. The first ``primingFrames`` frames that a decoder makes of the packets are
/// none of those given, and after ``finish()`` the last packet is filled up: ``remainderFrames``. Used by one
/// thread at a time.
public protocol PacketEncoder: AnyObject {
    /// What is encoded: native-endian, packed, interleaved linear PCM.
    var inputFormat: AudioStreamBasicDescription { get }
    /// What the packets are encoded with, complete: frames a packet, flags and all.
    var outputFormat: AudioStreamBasicDescription { get }
    /// What a decoder of the packets needs to know; empty if nothing. Known from the beginning.
    var magicCookie: [UInt8] { get }
    /// Frames that a decoder gives before the first of those encoded.
    var primingFrames: Int { get }
    /// Frames that a decoder gives after the last of those encoded; known after the last packet was taken.
    var remainderFrames: Int { get }
    /// The most bytes that a packet may have.
    var maximumPacketSize: Int { get }
    /// Bits per second that were asked for, or that come out on average; 0 if that depends on the sound.
    var bitRate: Int { get }

    /// Takes frames, any number of them, and keeps those that do not fill a packet yet.
    ///
    /// Call ``nextPacket(into:)`` until it has none, then give more.
    ///
    /// - Parameter frames: Whole frames. Any alignment will do.
    /// - Throws: ``CodecError/Code/invalidFormat`` if they are no whole frames, or after ``finish()``;
    ///   ``CodecError/Code/encoderFailed`` if nothing can be encoded any more.
    func append(_ frames: UnsafeRawBufferPointer) throws(CodecError)

    /// Says that no more frames follow: what is kept becomes packets, too.
    func finish() throws(CodecError)

    /// Takes the next packet, if one is complete; or, where all packets have one size, as many as `output` holds.
    ///
    /// - Parameter output: Room for ``maximumPacketSize`` bytes, or for a multiple of them.
    /// - Returns: What the packet holds, or the packets together; nil if more frames are needed, and after the last packet.
    /// - Throws: ``CodecError/Code/outputTooSmall`` if the packet does not fit, and then it is not lost;
    ///   ``CodecError/Code/encoderFailed``.
    func nextPacket(into output: UnsafeMutableRawBufferPointer) throws(CodecError) -> EncodedPacket?

    /// Forgets all frames, as before the first one.
    func reset() throws(CodecError)
}

/// What one packet of an encoder holds.
public struct EncodedPacket: Sendable, Equatable {
    /// Bytes of the packet.
    public var bytes: Int
    /// Frames that a decoder makes of it.
    public var frames: Int

    /// Makes a result of the two counts.
    public init(bytes: Int, frames: Int) {
        self.bytes = bytes
        self.frames = frames
    }
}
