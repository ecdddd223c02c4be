import CoreAudioTypes

/// Placeholder until the writer lands.
enum CAFPacketWriter {
    static func make(_ order: FileOrder) throws(AudioFileError) -> any PacketWriter {
        throw AudioFileError(.unsupported, "CAF cannot hold packets of \(order.format.summary)")
    }
}
