// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The start of a CAF file being written: all chunks before the audio, up to the edit count.
struct CAFFileHeader {
    let format: AudioStreamBasicDescription
    /// The label of each channel; nil if the format implies the labels.
    let channelLabels: [AudioChannelLabel]?
    private var magicCookie: [UInt8] = []
    private var information: [AudioFileInformation] = []
    private var markers: [AudioFileMarker] = []
    private var regions: [AudioFileRegion] = []
    private var clientChunks: [AudioFileChunkContents] = []
    /// The room for entries of a packet table ahead of the audio; nil if there is no such table.
    var tableRoomBytes: Int?

    init(_ format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]?) {
        self.format = format
        let channels = Int(format.mChannelsPerFrame)
        let channelLabels = channelLabels ?? Self.ownLabels(of: format)
        // The usual order of one or two channels is not written.
        let isUsual = channelLabels == ChannelLabels.defaults(channels: channels)
        self.channelLabels = channels <= 2 && isUsual ? nil : channelLabels
    }

    /// The channel labels of codecs that have their own order; nil for all other codecs.
    private static func ownLabels(of format: AudioStreamBasicDescription) -> [AudioChannelLabel]? {
        switch format.mFormatID {
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2,
            kAudioFormatAppleLossless:
            MP4Coding.mpegLabels(channels: Int(format.mChannelsPerFrame), of: format.mFormatID)
        default: nil
        }
    }

    /// Stores a setting of the client, and returns the new header.
    ///
    /// - Throws: `unsupported` without any change for a picture, or if the header would be too long.
    mutating func set(_ setting: FileSetting) throws(AudioFileError) -> CAFWrittenHeader {
        var changed = self
        switch setting {
        case .magicCookie(let cookie): changed.magicCookie = cookie
        case .information(let information): changed.information = information
        case .markers(let markers): changed.markers = markers
        case .regions(let regions): changed.regions = regions
        case .chunks(let chunks): changed.clientChunks = chunks
        case .artwork: throw setting.refusal
        }
        let written = try changed.laidOut()
        self = changed
        return written
    }

    /// Makes the header of a file without audio.
    ///
    /// - Throws: `unsupported` if the header would be longer than readers can be expected to accept.
    func laidOut() throws(AudioFileError) -> CAFWrittenHeader {
        var header = HeaderBytes()
        header.append("caff")
        header.append(big: UInt16(1))
        header.append(big: UInt16(0))
        Self.append(.desc, CAFDescription(format).bytes, to: &header)
        if let channelLabels { Self.append(.chan, CAFChannelLayout.bytes(of: channelLabels), to: &header) }
        if !magicCookie.isEmpty { Self.append(.kuki, magicCookie, to: &header) }
        if !information.isEmpty { Self.append(.info, CAFInformation.bytes(of: information), to: &header) }
        let markerChunks = CAFMarkers.chunks(markers: markers, regions: regions)
        header.append(raw: ChunkGrammar.caf.bytes(of: markerChunks + clientChunks))
        guard header.count <= Self.largestBytes else {
            throw AudioFileError(
                .unsupported, "a header of \(header.count) bytes is larger than \(Self.largestBytes)")
        }
        var table: Range<Int>?
        if let tableRoomBytes {
            let fieldBytes = CAFChunkHeader.bytes + CAFPacketTableHeader.bytes
            // A table without entries is followed by the length of the audio; both are written together.
            Self.alignToPage(&header, bytes: fieldBytes + (tableRoomBytes == 0 ? CAFChunkHeader.bytes : 0))
            let start = header.count
            Self.append(
                .pakt, [UInt8](repeating: 0, count: CAFPacketTableHeader.bytes + tableRoomBytes), to: &header)
            table = start..<header.count
        }
        Self.alignToPage(&header, bytes: CAFChunkHeader.bytes)
        Self.append(.data, [0, 0, 0, 0], to: &header)
        return CAFWrittenHeader(bytes: header, table: table)
    }

    /// Pads the header so that the next fields are within one page of memory. If they crossed a page, a killed process
    /// might have written only half of them.
    private static func alignToPage(_ header: inout HeaderBytes, bytes: Int) {
        let left = pageBytes - header.count % pageBytes
        guard left < bytes else { return }
        append(.free, [UInt8](repeating: 0, count: max(left - CAFChunkHeader.bytes, 0)), to: &header)
    }

    static func append(_ type: CAFChunkType, _ contents: [UInt8], to header: inout HeaderBytes) {
        header.append(big: type.rawValue)
        header.append(big: Int64(contents.count))
        header.append(raw: contents)
    }

    static let pageBytes = 4096
    private static let largestBytes = 1 << 16
}

/// The bytes of a header, and the offsets of the fields that change as the file grows.
struct CAFWrittenHeader {
    var bytes: HeaderBytes
    /// The range of a packet table chunk ahead of the audio; nil if there is none.
    let table: Range<Int>?

    /// The offset of the field for the audio's length, before the edit count.
    var lengthOffset: Int { bytes.count - 12 }
}

extension PacketTable {
    /// Checks that the fields of CAF can hold the table's counts.
    ///
    /// - Throws: `unsupported` if they cannot.
    func checkFitsCAF() throws(AudioFileError) {
        guard validFrames >= 0, 0...Int64(Int32.max) ~= primingFrames, 0...Int64(Int32.max) ~= remainderFrames
        else {
            throw AudioFileError(
                .unsupported,
                "a packet table of \(primingFrames) + \(validFrames) + \(remainderFrames) frames")
        }
    }
}
