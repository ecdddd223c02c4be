// SPDX-License-Identifier: MIT

public import CoreAudioTypes

extension AudioFileStream {
    /// A property of a stream; the raw value is the published number.
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
        /// ``AudioFileStream/isReadyToProducePackets``; the last property before the first packet.
        case readyToProducePackets = 0x7265_6479

        /// The published number as four characters.
        public var fourCharacterCode: FourCharacterCode { FourCharacterCode(rawValue: rawValue) }
    }

    /// Checks that a property is known.
    ///
    /// - Throws: `dataUnavailable` before the stream is ready to produce packets, `valueUnknown` afterwards, although
    ///   some properties become known at the end of the stream.
    ///
    /// The corresponding C function is `AudioFileStreamGetPropertyInfo`.
    public func requireKnown(_ property: Property) throws(AudioFileStreamError) {
        guard !core.facts.isKnown(property) else { return }
        let name = "property \(property.fourCharacterCode)"
        guard core.facts.isReady else {
            throw AudioFileStreamError(
                .dataUnavailable,
                "cannot determine \(name): the stream's header has not been parsed to its end")
        }
        throw AudioFileStreamError(.valueUnknown, "cannot determine \(name): the stream does not contain it")
    }

    /// The file type; `.mp3` for all layers of MPEG audio. Nil before it is known.
    public var fileType: AudioFileType? { core.facts.fileType }

    /// The format of the packets; nil before it is known.
    public var format: AudioStreamBasicDescription? { core.facts.format }

    /// The decoder configuration beyond the format, in the form used in CAF; nil if there is none, and before the
    /// stream is ready.
    public var magicCookie: [UInt8]? { core.facts.magicCookie.isEmpty ? nil : core.facts.magicCookie }

    /// The label of each channel, in the usual order if the stream has no labels; nil before the stream is ready.
    public var channelLabels: [AudioChannelLabel]? {
        core.facts.channelLabels.isEmpty ? nil : core.facts.channelLabels
    }

    /// The offset of the audio in the stream, in bytes; nil before the stream is ready.
    public var dataOffset: Int64? { core.facts.dataOffset }

    /// The size of the audio in bytes. If the header does not state the size, nil until the end is parsed; after a seek
    /// or a gap, it remains nil.
    public var dataByteCount: Int64? { core.facts.dataByteCount }

    /// The number of packets. If the header does not state the number, nil until the end is parsed; after a seek or a
    /// gap, it remains nil.
    public var packetCount: Int64? { core.facts.packetCount }

    /// The range of decoded frames that is audio. If the header does not state the range, nil until the end is parsed;
    /// after a seek or a gap, it remains nil.
    public var packetTable: PacketTable? { core.facts.packetTable }

    /// The size of the largest packet in bytes; nil if not known exactly.
    public var maximumPacketSize: Int? { core.facts.maximumPacketSize }

    /// The upper bound of packet sizes in bytes; nil before the stream is ready.
    public var packetSizeUpperBound: Int? { core.facts.packetSizeUpperBound }

    /// The average packet size in bytes; nil if unknown. The value is exact if packets have one size or a table lists
    /// the sizes. Otherwise it is that of the packets parsed so far.
    public var averageBytesPerPacket: Double? { core.facts.averageBytesPerPacket }

    /// The bit rate in bits per second, from the header or the packets parsed so far; nil if unknown.
    public var bitRate: Double? { core.facts.bitRate }

    /// The text metadata before the stream's audio, with the keys of ``AudioFile/information``.
    public var information: [AudioFileInformation] { core.facts.information }

    /// Whether the stream has been parsed up to the audio.
    public var isReadyToProducePackets: Bool { core.facts.isReady }

    /// The problems found so far, one line each: the first 32, and the number of all others.
    public var warnings: [String] { core.facts.warnings.lines }
}
