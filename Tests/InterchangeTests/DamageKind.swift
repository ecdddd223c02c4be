/// How a file is damaged: only ways that a reader can notice.
///
/// Nobody can notice other samples in linear PCM and G.711, or other bits in a packet of IMA 4:1, AAC, Apple Lossless or
/// MPEG audio that is still a packet: these have no checksums. So packets of these are cleared as a whole. Nor can
/// anybody notice another rate, number of bits or gain in a header that says it once, nor that a chunk is missing whose
/// type is no longer a known one, if the file need not have it. So of headers the lengths are changed, and the types of
/// what each file has to have; of packets' headers the marks and lengths. Ogg pages and FLAC frames have checksums:
/// there any byte is changed. Of a stream of packets that nothing counts, no whole packets are missing.
enum DamageKind: CaseIterable {
    /// The end is missing.
    case cut
    /// A stretch from the middle is missing.
    case removed
    /// Packets are zeros, as from a bad sector.
    case zeroedPackets
    /// One bit of a chunk's type or length is another.
    case chunkHeader
    /// One bit of a packet's own header is another.
    case packetHeader
    /// Some bytes, anywhere, are others.
    case anyBytes
}
