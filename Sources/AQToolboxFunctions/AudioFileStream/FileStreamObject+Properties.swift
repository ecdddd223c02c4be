// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// The properties of a stream.
extension FileStreamObject {
    /// Returns whether a number is a property's, even if the value is unknown.
    static func isProperty(_ propertyID: AudioFileStreamPropertyID) -> Bool {
        AudioFileStream.Property(rawValue: propertyID) != nil || translationBytes(propertyID) != nil
            || propertyID == kAudioFileStreamProperty_FormatList
            || propertyID == kAudioFileStreamProperty_RestrictsRandomAccess
    }

    /// The size of a property's value in bytes.
    ///
    /// - Throws: `unsupportedProperty`, `dataUnavailable` or `valueUnknown`.
    func byteCount(of propertyID: AudioFileStreamPropertyID) throws(AudioFileStreamError) -> Int {
        if let bytes = Self.translationBytes(propertyID) {
            _ = try requireFormat()
            return bytes
        }
        return try answer(propertyID).byteCount
    }

    /// The value of a property that is not a translation.
    ///
    /// - Throws: As ``byteCount(of:)``.
    func answer(_ propertyID: AudioFileStreamPropertyID) throws(AudioFileStreamError) -> PropertyAnswer {
        switch propertyID {
        case kAudioFileStreamProperty_FormatList: return try formatList()
        // All supported formats can be decoded from any packet, some after a few earlier ones.
        case kAudioFileStreamProperty_RestrictsRandomAccess:
            return try .flag(requireFormat().hasDependentPackets)
        default: break
        }
        guard let property = AudioFileStream.Property(rawValue: propertyID) else {
            throw AudioFileStreamError(.unsupportedProperty)
        }
        // Only this property has a value before it is reported.
        if property == .readyToProducePackets { return .flag(stream.isReadyToProducePackets) }
        try stream.requireKnown(property)
        guard let answer = self.answer(property) else {
            throw AudioFileStreamError(.valueUnknown)
        }
        return answer
    }

    private func answer(_ property: AudioFileStream.Property) -> PropertyAnswer? {
        switch property {
        case .fileFormat: fileTypeID.map { .one($0) }
        case .dataFormat: stream.format.map { .one($0) }
        case .magicCookieData: stream.magicCookie.map { .bytes($0) }
        case .channelLayout: stream.channelLabels.map { .bytes(ChannelLayout(labels: $0).publishedBytes) }
        case .dataOffset: stream.dataOffset.map { .one($0) }
        case .audioDataByteCount: stream.dataByteCount.map { .one(UInt64(clamping: $0)) }
        case .audioDataPacketCount: stream.packetCount.map { .one(UInt64(clamping: $0)) }
        case .packetTableInfo: stream.packetTable.map { .one(AudioFilePacketTableInfo($0)) }
        case .maximumPacketSize: stream.maximumPacketSize.map { .one(UInt32(clamping: $0)) }
        case .packetSizeUpperBound: stream.packetSizeUpperBound.map { .one(UInt32(clamping: $0)) }
        case .averageBytesPerPacket: stream.averageBytesPerPacket.map { .one($0) }
        case .bitRate: stream.bitRate.map { .one(UInt32(clampingRate: $0)) }
        case .infoDictionary: .tags(stream.information)
        case .readyToProducePackets: .flag(stream.isReadyToProducePackets)
        }
    }

    /// The format of the packets.
    ///
    /// - Throws: `dataUnavailable` before it is known.
    func requireFormat() throws(AudioFileStreamError) -> AudioStreamBasicDescription {
        try stream.requireKnown(.dataFormat)
        guard let format = stream.format else { throw AudioFileStreamError(.dataUnavailable) }
        return format
    }

    /// The formats that the packets can be decoded as, richest first; one for most streams.
    private func formatList() throws(AudioFileStreamError) -> PropertyAnswer {
        let format = try requireFormat()
        // An unknown format, or a damaged cookie, gives only the stored format.
        if let layers = try? FormatLayers(format: format, cookie: stream.magicCookie ?? []),
            layers.formats.count > 1
        {
            return .many(layers.items)
        }
        let tag =
            stream.channelLabels.flatMap { ChannelLayoutTags.tag(of: $0) }
            ?? FormatLayers.usualTag(channels: format.mChannelsPerFrame)
        return .many([AudioFormatListItem(mASBD: format, mChannelLayoutTag: tag)])
    }

    /// The published number of the file type; each layer of MPEG audio has its own.
    private var fileTypeID: AudioFileTypeID? {
        guard let type = stream.fileType else { return nil }
        guard type == .mp3 else { return type.fourCharacterCode.rawValue }
        return switch stream.format?.mFormatID {
        case kAudioFormatMPEGLayer1: kAudioFileMP1Type
        case kAudioFormatMPEGLayer2: kAudioFileMP2Type
        default: kAudioFileMP3Type
        }
    }
}

extension AudioFileStreamError {
    /// Makes an error without text, because C functions only return the code.
    init(_ code: Code) { self.init(code, "") }

    /// Calls `body`, and returns its error as the published result.
    static func status(of body: () throws(AudioFileStreamError) -> Void) -> OSStatus {
        do throws(AudioFileStreamError) {
            try body()
            return noErr
        } catch { return error.status }
    }
}

extension AudioFilePacketTableInfo {
    /// The published form of a table. Counts that do not fit become the largest number.
    fileprivate init(_ table: PacketTable) {
        self.init(
            mNumberValidFrames: table.validFrames, mPrimingFrames: Int32(clamping: table.primingFrames),
            mRemainderFrames: Int32(clamping: table.remainderFrames))
    }
}

extension UInt32 {
    /// Makes the nearest whole number to a rate from a header, or from a few packets; 0 if there is none.
    fileprivate init(clampingRate rate: Double) {
        self = rate >= 0 ? UInt32(exactly: Swift.min(rate, Double(UInt32.max)).rounded()) ?? 0 : 0
    }
}
