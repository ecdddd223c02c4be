import CoreAudioTypes

/// Placeholder until the writer lands.
enum MP4PacketWriter {
    static func make(_ order: FileOrder) throws(AudioFileError) -> any PacketWriter {
        throw AudioFileError(.unsupported, "MPEG-4 cannot hold packets of \(order.format.summary)")
    }
}
