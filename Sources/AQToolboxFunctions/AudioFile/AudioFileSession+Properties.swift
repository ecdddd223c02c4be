// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

extension AudioFileSession {
    /// A property's value.
    ///
    /// - Parameter reply: The client's memory, which contains the query of a translation.
    /// - Throws: The result of `AudioFileGetProperty`.
    func answer(
        _ property: AudioFilePropertyID, _ reply: PropertyReply
    ) throws(StatusError) -> PropertyAnswer {
        switch property {
        case kAudioFilePropertyFileFormat: .one(try fileType())
        case kAudioFilePropertyDataFormat: .one(try dataFormat())
        case kAudioFilePropertyFormatList: .many(try formatList())
        case kAudioFilePropertyDataFormatName: .text(try dataFormat().summary)
        case kAudioFilePropertyIsOptimized: .flag(try isOptimized())
        case kAudioFilePropertyDeferSizeUpdates: .one(defersSizeUpdates)
        case kAudioFilePropertyMagicCookieData: .bytes(try magicCookie())
        case kAudioFilePropertyAudioDataByteCount: .one(try dataByteCount())
        case kAudioFilePropertyAudioDataPacketCount: .one(UInt64(clamping: try countPackets()))
        case kAudioFilePropertyMaximumPacketSize: .one(UInt32(clamping: try maximumPacketSize()))
        case kAudioFilePropertyPacketSizeUpperBound: .one(UInt32(clamping: try packetSizeUpperBound()))
        case kAudioFilePropertyDataOffset: .one(try dataOffset())
        case kAudioFilePropertyPacketTableInfo: .one(try packetTableInfo())
        case kAudioFilePropertyReserveDuration: .one(try reservedSeconds())
        case kAudioFilePropertyEstimatedDuration: .one(try estimatedDuration())
        case kAudioFilePropertyBitRate: .one(Self.bitRate(try reader().averageBitRate))
        case kAudioFilePropertySourceBitDepth: .one(try sourceBitDepth())
        case kAudioFilePropertyAudioTrackCount: .one(1 as UInt32)
        case kAudioFilePropertyRestrictsRandomAccess: .flag(false)
        default:
            if let answer = try contentsAnswer(property) {
                answer
            } else {
                try translation(property, of: reply)
            }
        }
    }

    /// The size in bytes of a value that differs from file to file.
    ///
    /// - Throws: The result of `AudioFileGetPropertyInfo`.
    func byteCount(of property: AudioFilePropertyID) throws(StatusError) -> Int {
        // The size of a tag is known without reading it.
        if property == kAudioFilePropertyID3Tag { return try tag().byteCount }
        return try answer(property, unsafe PropertyReply(nil, nil)).byteCount
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
