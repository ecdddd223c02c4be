import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// The values of properties.
extension AudioFileSession {
    /// Copies a property's value.
    ///
    /// - Returns: The reply's result.
    /// - Throws: The result of `AudioFileGetProperty`.
    func get(
        _ property: AudioFilePropertyID, _ reply: PropertyReply
    ) throws(StatusError) -> OSStatus {
        let tooSmall = kAudioFileBadPropertySizeError
        switch property {
        case kAudioFilePropertyFileFormat: return reply.value(try fileType(), tooSmall: tooSmall)
        case kAudioFilePropertyDataFormat: return reply.value(try dataFormat(), tooSmall: tooSmall)
        case kAudioFilePropertyFormatList: return reply.values(try formatList(), tooSmall: tooSmall)
        case kAudioFilePropertyDataFormatName:
            let name = try dataFormat().summary
            return reply.object({ AudioFileObject.string(name) }, tooSmall: tooSmall)
        case kAudioFilePropertyIsOptimized:
            return reply.value(UInt32(try isOptimized() ? 1 : 0), tooSmall: tooSmall)
        case kAudioFilePropertyDeferSizeUpdates: return reply.value(defersSizeUpdates, tooSmall: tooSmall)
        case kAudioFilePropertyMagicCookieData: return reply.bytes(try magicCookie(), tooSmall: tooSmall)
        case kAudioFilePropertyAudioDataByteCount:
            return reply.value(try dataByteCount(), tooSmall: tooSmall)
        case kAudioFilePropertyAudioDataPacketCount:
            return reply.value(UInt64(clamping: try countPackets()), tooSmall: tooSmall)
        case kAudioFilePropertyMaximumPacketSize:
            return reply.value(UInt32(clamping: try maximumPacketSize()), tooSmall: tooSmall)
        case kAudioFilePropertyPacketSizeUpperBound:
            return reply.value(UInt32(clamping: try packetSizeUpperBound()), tooSmall: tooSmall)
        case kAudioFilePropertyDataOffset: return reply.value(try dataOffset(), tooSmall: tooSmall)
        case kAudioFilePropertyPacketTableInfo:
            return reply.value(try packetTableInfo(), tooSmall: tooSmall)
        case kAudioFilePropertyReserveDuration:
            return reply.value(try reservedSeconds(), tooSmall: tooSmall)
        case kAudioFilePropertyEstimatedDuration:
            return reply.value(try estimatedDuration(), tooSmall: tooSmall)
        case kAudioFilePropertyBitRate:
            return reply.value(Self.bitRate(try reader().averageBitRate), tooSmall: tooSmall)
        case kAudioFilePropertySourceBitDepth: return reply.value(try sourceBitDepth(), tooSmall: tooSmall)
        case kAudioFilePropertyAudioTrackCount: return reply.value(UInt32(1), tooSmall: tooSmall)
        default:
            if let status = try getContents(property, reply) { return status }
            return try translate(property, reply)
        }
    }

    /// The size in bytes of a value that differs from file to file.
    ///
    /// - Throws: The result of `AudioFileGetPropertyInfo`.
    func byteCount(of property: AudioFilePropertyID) throws(StatusError) -> Int {
        switch property {
        case kAudioFilePropertyFormatList:
            return try formatList().count * MemoryLayout<AudioFormatListItem>.stride
        case kAudioFilePropertyMagicCookieData: return try magicCookie().count
        case kAudioFilePropertyChannelLayout: return try channelLayout().count
        case kAudioFilePropertyMarkerList:
            return AudioFileMarkerBytes.markerListByteCount(try markers())
        case kAudioFilePropertyRegionList:
            return AudioFileMarkerBytes.regionListByteCount(try regions())
        case kAudioFilePropertyChunkIDs: return try chunkIDs().count * MemoryLayout<UInt32>.stride
        case kAudioFilePropertyID3Tag: return try tag().byteCount
        default: throw StatusError(kAudioFileUnsupportedPropertyError)
        }
    }

    /// The magic cookie; empty for a format without one.
    private func magicCookie() throws(StatusError) -> [UInt8] {
        if let output { return output.settings.magicCookie }
        return try reader().magicCookie
    }

    /// The formats that the packets can be decoded as, richest first; one for most files.
    private func formatList() throws(StatusError) -> [AudioFormatListItem] {
        let (format, cookie) = (try dataFormat(), try magicCookie())
        // An unknown format, or a damaged cookie, gives only the stored format.
        if let layers = try? FormatLayers(format: format, cookie: cookie), layers.formats.count > 1 {
            return layers.items
        }
        let tag = ChannelLayout(labels: try channelLabels()).tag
        return [AudioFormatListItem(mASBD: format, mChannelLayoutTag: tag)]
    }

    /// The offset of the audio data in the file.
    private func dataOffset() throws(StatusError) -> Int64 {
        guard let range = try reader().dataRange else {
            throw StatusError(kAudioFileUnsupportedPropertyError)
        }
        return range.lowerBound
    }

    private func packetTableInfo() throws(StatusError) -> AudioFilePacketTableInfo {
        guard let table = try packetTable() else { throw StatusError(kAudioFileUnsupportedPropertyError) }
        return AudioFilePacketTableInfo(
            mNumberValidFrames: table.validFrames, mPrimingFrames: Int32(clamping: table.primingFrames),
            mRemainderFrames: Int32(clamping: table.remainderFrames))
    }

    private func packetTable() throws(StatusError) -> PacketTable? {
        guard let output else { return try reader().packetTable }
        if let table = output.settings.packetTable { return output.packetTable(table) }
        return try reader().packetTable.map { output.packetTable($0) }
    }

    private func reservedSeconds() throws(StatusError) -> Double {
        guard let output else { throw StatusError(kAudioFileUnsupportedPropertyError) }
        return output.settings.reservedSeconds
    }

    private static func bitRate(_ bitsPerSecond: Double) -> UInt32 {
        guard bitsPerSecond.isFinite, bitsPerSecond > 0 else { return 0 }
        return UInt32(exactly: bitsPerSecond.rounded()) ?? .max
    }
}
