// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The known facts about a stream.
struct StreamFacts {
    var fileType: AudioFileType?
    var format: AudioStreamBasicDescription?
    var magicCookie: [UInt8] = []
    var channelLabels: [AudioChannelLabel] = []
    var dataOffset: Int64?
    var dataByteCount: Int64?
    var packetCount: Int64?
    var packetTable: PacketTable?
    /// The number of frames before the audio, if known without a packet table.
    var declaredPrimingFrames: Int64?
    /// Whether a packet table that trims frames at the start or end may follow the audio.
    var mayHaveTableBehind = false
    var maximumPacketSize: Int?
    var packetSizeUpperBound: Int?
    /// The average packet size from the header; nil to use the packets so far.
    var declaredBytesPerPacket: Double?
    var declaredBitRate: Double?
    var information: [AudioFileInformation] = []
    var artwork: AudioFileArtwork?
    var isReady = false
    var warnings = WarningList()

    /// The number of delivered packets, wherever they are in the stream.
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

    /// Adds metadata for keys that have none, and a picture if there is none.
    mutating func add(_ metadata: FileMetadata) {
        var all = FileMetadata(information: information, artwork: artwork)
        all.fill(from: metadata)
        (information, artwork) = (all.information, all.artwork)
    }

    /// The largest size of text and pictures to wait for, in bytes; only the start of longer data is used.
    static let longestText: Int64 = 4 << 20

    /// Sets the facts of a stream whose packets have one size.
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
