// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The result of one step of a parser.
enum StreamStep {
    /// Progress: another step may do more.
    case again
    /// The next step needs this many available bytes.
    case needs(Int)
    /// No further bytes are needed.
    case done
}

/// A parser that finds packets in a container whose bytes arrive in order.
///
/// A parser keeps only its state; the core has the bytes, the facts and the callbacks.
protocol ContainerParser: AnyObject {
    /// Reads one part of the header, or delivers one batch of packets. The step that makes the stream ready delivers no
    /// packets, so that a client that waits for readiness misses none.
    ///
    /// Called only if the bytes requested by the last step are available, or if no more bytes will arrive.
    func step(_ core: StreamCore) throws(AudioFileError) -> StreamStep

    /// The offset of a packet, relative to the first byte of audio; nil if there is no such packet.
    func position(ofPacket packet: Int64, _ core: StreamCore) -> StreamPosition?

    /// Prepares for bytes that begin at an offset returned by ``position(ofPacket:_:)``.
    func resume(atPacket packet: Int64, _ position: StreamPosition, _ core: StreamCore)

    /// Prepares for bytes that begin at an unknown offset; returns false if packets can no longer be found.
    func resumeAfterGap(_ core: StreamCore) -> Bool
}

/// An offset at which parsing continues.
struct StreamPosition {
    /// The offset relative to the first byte of audio.
    var byteOffset: Int64
    /// Whether the packet only begins near the offset.
    var isEstimated: Bool
}
