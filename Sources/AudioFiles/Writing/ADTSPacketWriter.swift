import CoreAudioTypes

/// Placeholder until the writer lands.
enum ADTSPacketWriter {
    static func make(_ order: FileOrder) throws(AudioFileError) -> any PacketWriter {
        throw AudioFileError(.unsupported, "ADTS cannot hold packets of \(order.format.summary)")
    }
}
