import CoreAudioTypes

/// Placeholder until the reader lands.
final class ADTSFileReader: PacketReader {
    let format = AudioStreamBasicDescription()
    let containerName = "AAC in an ADTS stream"
    let channelLabels: [AudioChannelLabel] = []
    let isSeekable = false
    let packetTable: PacketTable? = nil
    let packetSizeUpperBound = 0
    let averageBitRate = 0.0
    let tags = AudioFileTags()
    let warnings = WarningList()

    init(file: OpenFile, head: [UInt8]) throws(AudioFileError) {
        throw AudioFileError(.unsupported, "AAC in an ADTS stream is not supported")
    }

    func countPackets() throws(AudioFileError) -> Int64 { 0 }
    func readPackets(
        from packet: Int64, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead { PacketRead(packets: 0, bytes: 0) }
    func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint {
        SeekPoint(packet: 0, framesToDiscard: 0)
    }
}
