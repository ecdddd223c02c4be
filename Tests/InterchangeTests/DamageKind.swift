// SPDX-License-Identifier: MIT

/// A type of damage that a reader can detect.
///
/// Changed samples in linear PCM and G.711, and changed bits in packets of IMA 4:1, AAC, Apple Lossless or MPEG audio,
/// cannot be detected without checksums, so whole packets of these are cleared. A changed rate, depth or gain in a
/// header, or the type of an optional chunk, cannot be detected either, so only lengths in headers and the types of
/// required chunks are changed, and the marks and lengths of packet headers. Ogg pages and FLAC frames have checksums:
/// there any byte is changed. Streams of uncounted packets never lose whole packets.
enum DamageKind: CaseIterable {
    /// The end is missing.
    case cut
    /// A part of the middle is missing.
    case removed
    /// Packets are zeros, as from a bad sector.
    case zeroedPackets
    /// One bit of a chunk's type or length is changed.
    case chunkHeader
    /// One bit of a packet's own header is changed.
    case packetHeader
    /// Some bytes, anywhere, are changed.
    case anyBytes
}
