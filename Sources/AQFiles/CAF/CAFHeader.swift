// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// The contents of a CAF file's chunks, which are added one after another.
struct CAFHeader {
    private(set) var description: CAFDescription?
    private(set) var magicCookie: [UInt8] = []
    /// The label of each channel; nil if the file has none, or the wrong number.
    private(set) var channelLabels: [AudioChannelLabel]?
    private(set) var information: [AudioFileInformation] = []
    private(set) var packetTable: CAFPacketTableHeader?
    /// The positions of the packets; nil before a table is read, or if all packets have one size and length.
    private(set) var index: CAFPacketIndex?
    /// Faults that do not affect the packets, one line each.
    private(set) var faults: [String] = []
    private var strings = CAFStrings()
    private var unnamedMarkers: [AudioFileMarker] = []
    private var unnamedRegions: [AudioFileRegion] = []

    /// The largest number of bytes read from a chunk, except for the packet table and the audio.
    static let maximumContentsBytes = 16 << 20
    /// The largest size of the entries kept for packets that the table does not count.
    private static let mostUncountedBytes = 1 << 16

    /// Reads the contents of a chunk other than 'data' and 'pakt'.
    ///
    /// - Throws: `damaged` and `unsupported` if the chunk makes all packets unreadable.
    mutating func take(_ type: CAFChunkType, _ contents: [UInt8]) throws(AudioFileError) {
        switch type {
        case .desc: try takeDescription(contents)
        case .kuki: magicCookie = contents
        case .chan: takeLayout(contents)
        case .info:
            let (pairs, isWhole) = CAFInformation.pairs(contents)
            information += pairs
            note(isWhole, type, "tags")
        case .strg: strings = CAFStrings(contents)
        case .mark:
            let (markers, isWhole) = CAFMarkers.markers(contents)
            unnamedMarkers += markers
            note(isWhole, type, "markers")
        case .regn:
            let (regions, isWhole) = CAFMarkers.regions(contents)
            unnamedRegions += regions
            note(isWhole, type, "regions")
        case .data, .pakt, .free: break
        }
    }

    /// Reads the first bytes of a packet table.
    ///
    /// - Returns: Whether to pass the table's entries to ``takePacketTableEntries(_:)``.
    /// - Throws: `damaged` if the number of packets is negative.
    mutating func takePacketTableHeader(_ bytes: [UInt8]) throws(AudioFileError) -> Bool {
        guard let format = description?.format else { return false }
        let table = CAFPacketTableHeader(bytes)
        if let packetTable {
            // A file whose writer was killed while it moved the table has two tables.
            if table != packetTable { faults.append("there is a second packet table, which is left out") }
            return false
        }
        guard let table else {
            faults.append("the packet table is shorter than its header")
            return false
        }
        packetTable = table
        guard format.needsPacketTable else { return false }
        guard table.packets >= 0 else {
            throw AudioFileError(.damaged, "its packet table gives \(table.packets) packets")
        }
        index = CAFPacketIndex(for: format)
        return true
    }

    /// Reads further bytes of the packet table.
    ///
    /// - Returns: Whether further bytes are needed.
    mutating func takePacketTableEntries(_ bytes: [UInt8]) -> Bool {
        guard let packets = packetTable?.packets, index != nil else { return false }
        index?.append(bytes, limit: packets)
        return index.map {
            !$0.isDamaged && ($0.count < packets || $0.spareBytes < Self.mostUncountedBytes)
        } ?? false
    }

    /// Replaces the announced AAC configuration with the one found in the packets.
    mutating func take(found config: AudioSpecificConfig) {
        guard let announced = description?.format.mFramesPerPacket, announced > 0 else { return }
        let format = config.format
        description = CAFDescription(format)
        magicCookie = AACCookie.cookie(for: config)
        // The stored layout describes the announced channels.
        channelLabels = nil
        packetTable?.scaleFrames(by: Int64(format.mFramesPerPacket / announced))
        index = index?.recounted(for: format)
    }

    /// Checks the packet table against the audio.
    ///
    /// - Parameter dataBytes: The size of the audio in bytes; nil if unknown.
    /// - Throws: `damaged` if there is audio, but no information about packet boundaries.
    mutating func completePacketTable(dataBytes: Int64?) throws(AudioFileError) {
        guard let format = description?.format, format.needsPacketTable else { return }
        let isEmpty = dataBytes.map { $0 <= 0 } ?? false
        guard var complete = index, let promised = packetTable?.packets else {
            guard isEmpty else {
                throw AudioFileError(
                    .damaged, "its packets differ in size or length, and it has no packet table")
            }
            index = CAFPacketIndex(for: format)
            return
        }
        if complete.count < promised {
            let reason = complete.isDamaged ? "whose next entry makes no sense" : "and then ends"
            faults.append(
                "the packet table promises \(promised) packets, but lists \(complete.count), \(reason)")
        }
        if let dataBytes {
            let dropped = complete.clip(toBytes: dataBytes)
            let left = dataBytes - complete.end.byteOffset
            if dropped > 0 {
                faults.append("\(dropped) packets of the packet table lie past the end of the audio")
            } else if left > 0, !complete.hasUncountedPackets(ofBytes: left) {
                faults.append(
                    "the packet table ends \(left) bytes before the audio does, as in a file that was not "
                        + "finished")
            }
        }
        guard complete.count > 0 || isEmpty || promised == 0 else {
            throw AudioFileError(.damaged, "its packet table contains no packets")
        }
        index = complete
    }

    var markers: [AudioFileMarker] { unnamedMarkers.map(named) }

    /// The regions, with their names and those of their markers.
    var regions: [AudioFileRegion] {
        unnamedRegions.map { region in
            var region = region
            region.name = strings[region.identifier]
            region.markers = region.markers.map(named)
            return region
        }
    }

    /// Adds a fault, to be reported once the file is open.
    mutating func note(_ fault: String) { faults.append(fault) }

    private func named(_ marker: AudioFileMarker) -> AudioFileMarker {
        var marker = marker
        marker.name = strings[marker.identifier]
        return marker
    }

    private mutating func takeDescription(_ contents: [UInt8]) throws(AudioFileError) {
        guard description == nil else {
            faults.append("there is a second 'desc' chunk, which is left out")
            return
        }
        guard let found = CAFDescription(contents) else {
            throw AudioFileError(.damaged, "its description of the format has only \(contents.count) bytes")
        }
        if let fault = found.fault { throw fault }
        description = found
    }

    private mutating func takeLayout(_ contents: [UInt8]) {
        guard let channels = description?.format.mChannelsPerFrame else { return }
        do {
            let labels = try CAFChannelLayout.labels(contents)
            guard labels.count == Int(channels) else {
                faults.append("the channel layout is of \(labels.count) channels, not \(channels)")
                return
            }
            // A layout may state only the number of channels, without labels.
            if labels.contains(where: { $0 != kAudioChannelLabel_Unknown }) { channelLabels = labels }
        } catch {
            faults.append("the channel layout cannot be used: \(error.message)")
        }
    }

    private mutating func note(_ isWhole: Bool, _ type: CAFChunkType, _ what: String) {
        if !isWhole { faults.append("chunk \(type.code) promises more \(what) than it holds") }
    }
}

extension AudioStreamBasicDescription {
    /// Whether packets vary in bytes or frames, so that a file must list them.
    var needsPacketTable: Bool { mBytesPerPacket == 0 || mFramesPerPacket == 0 }
}
