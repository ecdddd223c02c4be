// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The chunks that hold markers, regions and their names.
///
/// Names are stored in 'strg' under the number of the named item. So each named item needs a unique number.
extension CAFMarkers {
    /// Makes the chunks 'mark', 'regn' and 'strg', without empty ones.
    ///
    /// Numbers are kept unless an item would get the name of another item; all items are then renumbered. Markers with
    /// a position that is not finite are left out.
    static func chunks(
        markers: [AudioFileMarker], regions: [AudioFileRegion]
    ) -> [AudioFileChunkContents] {
        var markers = markers.filter(\.framePosition.isFinite)
        var regions = regions
        for index in regions.indices { regions[index].markers.removeAll { !$0.framePosition.isFinite } }
        if isAmbiguous(numbered(markers, regions)) { renumber(&markers, &regions) }
        let names = numbered(markers, regions).filter { !$0.name.isEmpty }
        var chunks: [AudioFileChunkContents] = []
        if !markers.isEmpty { chunks.append(AudioFileChunkContents("mark", bytes(of: markers))) }
        if !regions.isEmpty { chunks.append(AudioFileChunkContents("regn", bytes(of: regions))) }
        if !names.isEmpty { chunks.append(AudioFileChunkContents("strg", bytes(of: names))) }
        return chunks
    }

    /// All items that may have a name, with their numbers.
    private static func numbered(
        _ markers: [AudioFileMarker], _ regions: [AudioFileRegion]
    ) -> [(identifier: UInt32, name: String)] {
        markers.map { ($0.identifier, $0.name) }
            + regions.flatMap { region in
                [(region.identifier, region.name)] + region.markers.map { ($0.identifier, $0.name) }
            }
    }

    /// Returns whether an item would get the name of another item. Items without a name may share a number, as the
    /// markers of regions do in most files.
    private static func isAmbiguous(_ numbered: [(identifier: UInt32, name: String)]) -> Bool {
        let shared = Dictionary(grouping: numbered, by: \.identifier).values.filter { $0.count > 1 }
        return shared.contains { $0.contains { !$0.name.isEmpty } }
    }

    private static func renumber(_ markers: inout [AudioFileMarker], _ regions: inout [AudioFileRegion]) {
        var last: UInt32 = 0
        func next() -> UInt32 {
            last += 1
            return last
        }
        for index in markers.indices { markers[index].identifier = next() }
        for index in regions.indices {
            regions[index].identifier = next()
            for position in regions[index].markers.indices {
                regions[index].markers[position].identifier = next()
            }
        }
    }

    private static func bytes(of markers: [AudioFileMarker]) -> [UInt8] {
        var contents = HeaderBytes()
        // The time code type: none.
        contents.append(big: UInt32(0))
        contents.append(big: UInt32(clamping: markers.count))
        for marker in markers { append(marker, to: &contents) }
        return contents.bytes
    }

    private static func bytes(of regions: [AudioFileRegion]) -> [UInt8] {
        var contents = HeaderBytes()
        contents.append(big: UInt32(0))
        contents.append(big: UInt32(clamping: regions.count))
        for region in regions {
            contents.append(big: region.identifier)
            contents.append(big: region.flags)
            contents.append(big: UInt32(clamping: region.markers.count))
            for marker in region.markers { append(marker, to: &contents) }
        }
        return contents.bytes
    }

    private static func append(_ marker: AudioFileMarker, to contents: inout HeaderBytes) {
        contents.append(big: marker.type)
        contents.append(big: marker.framePosition.bitPattern)
        contents.append(big: marker.identifier)
        // No time of day; all zeros would be midnight.
        contents.append(big: UInt64.max)
        contents.append(big: marker.channel)
    }

    /// Makes a 'strg' chunk: the numbers with the offsets of their strings, and the strings. A 0 byte inside a string
    /// would end the string, and is removed.
    private static func bytes(of names: [(identifier: UInt32, name: String)]) -> [UInt8] {
        var contents = HeaderBytes()
        contents.append(big: UInt32(clamping: names.count))
        var strings: [UInt8] = []
        for (identifier, name) in names {
            contents.append(big: identifier)
            contents.append(big: Int64(strings.count))
            strings += name.utf8.filter { $0 != 0 } + [0]
        }
        contents.append(raw: strings)
        return contents.bytes
    }
}
