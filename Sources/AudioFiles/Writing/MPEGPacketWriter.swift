import CoreAudioTypes

/// Placeholder until the writer lands.
enum MPEGPacketWriter {
    static func make(_ order: FileOrder) throws(AudioFileError) -> any PacketWriter {
        throw AudioFileError(.unsupported, "MP3 cannot hold packets of \(order.format.summary)")
    }
}
