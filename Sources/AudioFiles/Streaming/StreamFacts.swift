import CoreAudioTypes

/// What is known of a stream so far.
struct StreamFacts {
    var fileType: AudioFileType?
    var format: AudioStreamBasicDescription?
    var magicCookie: [UInt8] = []
    var channelLabels: [AudioChannelLabel] = []
    var dataOffset: Int64?
    var dataByteCount: Int64?
    var packetCount: Int64?
    var packetTable: PacketTable?
    /// Frames before the first of sound, where they are known without a packet table.
    var declaredPrimingFrames: Int64?
    /// True if a packet table may follow the audio, and takes frames from its beginning or its end.
    var mayHaveTableBehind = false
    var maximumPacketSize: Int?
    var packetSizeUpperBound: Int?
    /// What the header says or lets one reckon; the packets so far tell otherwise.
    var declaredBytesPerPacket: Double?
    var declaredBitRate: Double?
    var information: [AudioFileInformation] = []
    var artwork: AudioFileArtwork?
    var isReady = false
    var warnings = WarningList()

    /// What was handed out, wherever it stands.
    var deliveredPackets: Int64 = 0
    var deliveredBytes: Int64 = 0

    var primingFrames: Int64 { packetTable?.primingFrames ?? declaredPrimingFrames ?? 0 }

    var averageBytesPerPacket: Double? {
        if let declaredBytesPerPacket { return declaredBytesPerPacket }
        return deliveredPackets > 0 ? Double(deliveredBytes) / Double(deliveredPackets) : nil
    }

    var bitRate: Double? {
        if let declaredBitRate { return declaredBitRate }
        guard let format, format.mFramesPerPacket > 0, let averageBytesPerPacket else { return nil }
        return averageBytesPerPacket * 8 * format.mSampleRate / Double(format.mFramesPerPacket)
    }

    func isKnown(_ property: AudioFileStream.Property) -> Bool {
        switch property {
        case .fileFormat: fileType != nil
        case .dataFormat: format != nil
        case .magicCookieData: !magicCookie.isEmpty
        case .channelLayout: !channelLabels.isEmpty
        case .dataOffset: dataOffset != nil
        case .audioDataByteCount: dataByteCount != nil
        case .audioDataPacketCount: packetCount != nil
        case .packetTableInfo: packetTable != nil
        case .maximumPacketSize: maximumPacketSize != nil
        case .packetSizeUpperBound: packetSizeUpperBound != nil
        case .averageBytesPerPacket: averageBytesPerPacket != nil
        case .bitRate: bitRate != nil
        case .infoDictionary: !information.isEmpty
        case .readyToProducePackets: isReady
        }
    }

    /// Takes texts under keys that have none yet, and a picture if there is none.
    mutating func add(_ metadata: FileMetadata) {
        var all = FileMetadata(information: information, artwork: artwork)
        all.fill(from: metadata)
        (information, artwork) = (all.information, all.artwork)
    }

    /// Bytes of text and pictures that are waited for; of longer ones the beginning counts.
    static let longestText: Int64 = 4 << 20

    /// Fills in what follows for packets that all have one size.
    mutating func describeConstantPackets(dataBytes: Int64?) {
        guard let format, format.hasConstantPacketSize else { return }
        let packetBytes = Int64(format.mBytesPerPacket)
        maximumPacketSize = Int(packetBytes)
        packetSizeUpperBound = Int(packetBytes)
        declaredBytesPerPacket = Double(packetBytes)
        guard let dataBytes else { return }
        dataByteCount = dataBytes
        packetCount = dataBytes / packetBytes
        let (frames, overflow) = (dataBytes / packetBytes)
            .multipliedReportingOverflow(by: Int64(format.mFramesPerPacket))
        if !overflow, packetTable == nil {
            packetTable = PacketTable(primingFrames: 0, validFrames: frames, remainderFrames: 0)
        }
    }
}
