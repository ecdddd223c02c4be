// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The contents of 'mark' and 'regn' chunks, where names are numbers of the 'strg' chunk.
///
/// Each function returns the available items, and whether their number is the declared one.
enum CAFMarkers {
    static func markers(_ bytes: some Sequence<UInt8>) -> (markers: [AudioFileMarker], isWhole: Bool) {
        var cursor = FieldCursor(bytes)
        guard cursor.skip(smpteTypeBytes), let promised = cursor.read(UInt32.self) else { return ([], false) }
        let markers = readMarkers(&cursor, promised)
        return (markers, markers.count == promised)
    }

    static func regions(_ bytes: some Sequence<UInt8>) -> (regions: [AudioFileRegion], isWhole: Bool) {
        var cursor = FieldCursor(bytes)
        guard cursor.skip(smpteTypeBytes), let promised = cursor.read(UInt32.self) else { return ([], false) }
        var regions: [AudioFileRegion] = []
        while regions.count < promised, let identifier = cursor.read(UInt32.self),
            let flags = cursor.read(UInt32.self), let markerCount = cursor.read(UInt32.self)
        {
            let markers = readMarkers(&cursor, markerCount)
            regions.append(AudioFileRegion(identifier: identifier, flags: flags, markers: markers))
            guard markers.count == markerCount else { return (regions, false) }
        }
        return (regions, regions.count == promised)
    }

    private static func readMarkers(_ cursor: inout FieldCursor, _ promised: UInt32) -> [AudioFileMarker] {
        var markers: [AudioFileMarker] = []
        while markers.count < promised, let type = cursor.read(UInt32.self),
            let position = cursor.readDouble(), let identifier = cursor.read(UInt32.self),
            cursor.skip(smpteTimeBytes), let channel = cursor.read(UInt32.self)
        {
            markers.append(
                AudioFileMarker(
                    framePosition: position, identifier: identifier, type: type, channel: channel))
        }
        return markers
    }

    private static let smpteTypeBytes = 4
    private static let smpteTimeBytes = 8
}
