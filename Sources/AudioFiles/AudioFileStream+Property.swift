public import CoreAudioTypes

extension AudioFileStream {
    /// What a stream tells of itself; the raw value is the published number.
    ///
    /// The corresponding C type is `AudioFileStreamPropertyID`.
    public enum Property: UInt32, Sendable, CaseIterable {
        /// ``AudioFileStream/fileType``.
        case fileFormat = 0x6666_6D74
        /// ``AudioFileStream/format``.
        case dataFormat = 0x6466_6D74
        /// ``AudioFileStream/magicCookie``.
        case magicCookieData = 0x6D67_6963
        /// ``AudioFileStream/channelLabels``.
        case channelLayout = 0x636D_6170
        /// ``AudioFileStream/dataOffset``.
        case dataOffset = 0x646F_6666
        /// ``AudioFileStream/dataByteCount``.
        case audioDataByteCount = 0x6263_6E74
        /// ``AudioFileStream/packetCount``.
        case audioDataPacketCount = 0x7063_6E74
        /// ``AudioFileStream/packetTable``.
        case packetTableInfo = 0x706E_666F
        /// ``AudioFileStream/maximumPacketSize``.
        case maximumPacketSize = 0x7073_7A65
        /// ``AudioFileStream/packetSizeUpperBound``.
        case packetSizeUpperBound = 0x706B_7562
        /// ``AudioFileStream/averageBytesPerPacket``.
        case averageBytesPerPacket = 0x6162_7070
        /// ``AudioFileStream/bitRate``.
        case bitRate = 0x6272_6174
        /// ``AudioFileStream/information``.
        case infoDictionary = 0x696E_666F
        /// ``AudioFileStream/isReadyToProducePackets``; the last before the first packet.
        case readyToProducePackets = 0x7265_6479

        /// The number as text.
        public var fourCharacterCode: FourCharacterCode { FourCharacterCode(rawValue: rawValue) }
    }

    /// Does nothing if a property is known.
    ///
    /// - Throws: `dataUnavailable` if more bytes may bring it, `valueUnknown` if they will not.
    ///
    /// The corresponding C function is `AudioFileStreamGetPropertyInfo`.
    public func requireKnown(_ property: Property) throws(AudioFileStreamError) {
        guard !core.facts.isKnown(property) else { return }
        let name = "property \(property.fourCharacterCode)"
        guard core.facts.isReady else {
            throw AudioFileStreamError(
                .dataUnavailable, "cannot tell \(name): the stream's header has not been parsed to its end")
        }
        throw AudioFileStreamError(.valueUnknown, "cannot tell \(name): the stream does not say it")
    }

    /// The kind of file; `.mp3` for all layers of MPEG audio. Nil before it is known.
    public var fileType: AudioFileType? { core.facts.fileType }

    /// The format of the packets; nil before it is known.
    public var format: AudioStreamBasicDescription? { core.facts.format }

    /// What a decoder needs to know beyond the format, in the form that a CAF file has it; nil if nothing.
    public var magicCookie: [UInt8]? { core.facts.magicCookie.isEmpty ? nil : core.facts.magicCookie }

    /// What each channel is for; the usual order where the stream does not say. Nil before it is ready.
    public var channelLabels: [AudioChannelLabel]? {
        core.facts.channelLabels.isEmpty ? nil : core.facts.channelLabels
    }

    /// Where the audio begins, from the first byte of the stream; nil before it is ready.
    public var dataOffset: Int64? { core.facts.dataOffset }

    /// Bytes of audio; nil if the stream leaves it open, until its end is parsed.
    public var dataByteCount: Int64? { core.facts.dataByteCount }

    /// Packets of audio; nil if the stream leaves it open, until its end is parsed.
    public var packetCount: Int64? { core.facts.packetCount }

    /// Which of the decoded frames are sound; nil if the stream leaves it open, until its end is parsed.
    public var packetTable: PacketTable? { core.facts.packetTable }

    /// Bytes of the largest packet; nil if that is not known for sure.
    public var maximumPacketSize: Int? { core.facts.maximumPacketSize }

    /// Bytes that no packet exceeds; nil before the stream is ready.
    public var packetSizeUpperBound: Int? { core.facts.packetSizeUpperBound }

    /// Exact where all packets have one size or a table gives them all; else of the packets so far. Nil before
    /// anything tells.
    public var averageBytesPerPacket: Double? { core.facts.averageBytesPerPacket }

    /// Bits per second, from the header's own account or the packets so far; nil before anything tells.
    public var bitRate: Double? { core.facts.bitRate }

    /// What the stream said of itself in text before its audio, with the keys of ``AudioFile/information``.
    public var information: [AudioFileInformation] { core.facts.information }

    /// True once all that stands before the audio is known.
    public var isReadyToProducePackets: Bool { core.facts.isReady }

    /// Damage found so far, each a line with place and reason.
    public var warnings: [String] { core.facts.warnings.lines }
}
