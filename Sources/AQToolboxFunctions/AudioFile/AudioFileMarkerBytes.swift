// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// The published structures of markers and regions in memory: they end in arrays of any length, which no
/// Swift structure can have.
enum AudioFileMarkerBytes {
    static func markerListByteCount(_ markers: [AQFiles.AudioFileMarker]) -> Int {
        listHeaderBytes + markers.count * markerBytes
    }

    static func regionListByteCount(_ regions: [AQFiles.AudioFileRegion]) -> Int {
        regions.reduce(listHeaderBytes) { $0 + regionHeaderBytes + $1.markers.count * markerBytes }
    }

    /// Makes a list of markers, whose names the client has to release.
    static func markerList(_ markers: [AQFiles.AudioFileMarker]) -> [UInt8] {
        var list = StructureBytes()
        list.append(UInt32(0))
        list.append(UInt32(clamping: markers.count))
        for marker in markers { append(marker, to: &list) }
        return list.bytes
    }

    /// Makes a list of regions; the client has to release their names and those of their markers.
    static func regionList(_ regions: [AQFiles.AudioFileRegion]) -> [UInt8] {
        var list = StructureBytes()
        list.append(UInt32(0))
        list.append(UInt32(clamping: regions.count))
        for region in regions {
            list.append(region.identifier)
            list.append(UInt32(0))
            // Unlike a marker's name, a region's name is published as never NULL.
            list.append(address(of: region.name))
            list.append(region.flags)
            list.append(UInt32(clamping: region.markers.count))
            for marker in region.markers { append(marker, to: &list) }
        }
        return list.bytes
    }

    /// Reads a client's list of markers.
    ///
    /// - Throws: `kAudioFileBadPropertySizeError` if the bytes end before the list, `kAudio_ParamError` for a
    ///   position that is not a number.
    @unsafe static func markers(
        in bytes: UnsafeRawBufferPointer
    ) throws(StatusError) -> [AQFiles.AudioFileMarker] {
        guard bytes.count >= listHeaderBytes else { throw StatusError(kAudioFileBadPropertySizeError) }
        let count = Int(unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        guard count <= (bytes.count - listHeaderBytes) / markerBytes else {
            throw StatusError(kAudioFileBadPropertySizeError)
        }
        return try unsafe markers(in: bytes, at: listHeaderBytes, count: count)
    }

    /// Reads a client's list of regions, whose sizes follow from their numbers of markers.
    ///
    /// - Throws: As ``markers(in:)``.
    @unsafe static func regions(
        in bytes: UnsafeRawBufferPointer
    ) throws(StatusError) -> [AQFiles.AudioFileRegion] {
        guard bytes.count >= listHeaderBytes else { throw StatusError(kAudioFileBadPropertySizeError) }
        let count = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        var regions: [AQFiles.AudioFileRegion] = []
        var start = listHeaderBytes
        for _ in 0..<count {
            guard bytes.count - start >= regionHeaderBytes else {
                throw StatusError(kAudioFileBadPropertySizeError)
            }
            // SAFETY: the fields are inside the bytes; only the name is a reference, which the client
            // guarantees.
            let identifier = unsafe bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)
            let name = unsafe AudioFileObject.text(
                at: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt.self))
            let flags = unsafe bytes.loadUnaligned(fromByteOffset: start + 16, as: UInt32.self)
            let markerCount = Int(unsafe bytes.loadUnaligned(fromByteOffset: start + 20, as: UInt32.self))
            start += regionHeaderBytes
            guard markerCount <= (bytes.count - start) / markerBytes else {
                throw StatusError(kAudioFileBadPropertySizeError)
            }
            regions.append(
                AQFiles.AudioFileRegion(
                    identifier: identifier, name: name ?? "", flags: flags,
                    markers: try unsafe markers(in: bytes, at: start, count: markerCount)))
            start += markerCount * markerBytes
        }
        return regions
    }

    @unsafe private static func markers(
        in bytes: UnsafeRawBufferPointer, at first: Int, count: Int
    ) throws(StatusError) -> [AQFiles.AudioFileMarker] {
        var markers: [AQFiles.AudioFileMarker] = []
        for index in 0..<count {
            let start = first + index * markerBytes
            // SAFETY: `count` markers are inside the bytes; only the name is a reference, which the client
            // guarantees.
            let position = Double(
                bitPattern: unsafe bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            guard position.isFinite, position >= 0 else { throw StatusError(kAudio_ParamError) }
            let name = unsafe AudioFileObject.text(
                at: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt.self))
            let identifier = unsafe bytes.loadUnaligned(fromByteOffset: start + 16, as: UInt32.self)
            let type = unsafe bytes.loadUnaligned(fromByteOffset: start + 28, as: UInt32.self)
            let channel = unsafe bytes.loadUnaligned(fromByteOffset: start + 34, as: UInt16.self)
            markers.append(
                AQFiles.AudioFileMarker(
                    framePosition: position, name: name ?? "", identifier: identifier, type: type,
                    channel: UInt32(channel)))
        }
        return markers
    }

    private static func append(_ marker: AQFiles.AudioFileMarker, to list: inout StructureBytes) {
        list.append(marker.framePosition.bitPattern)
        list.append(marker.name.isEmpty ? 0 : address(of: marker.name))
        list.append(marker.identifier)
        // All bits set mean no time of day, since all bits clear mean midnight.
        list.append(UInt64.max)
        list.append(marker.type)
        list.append(UInt16(0))
        list.append(UInt16(clamping: marker.channel))
        list.append(UInt32(0))
    }

    /// A retained name; NULL only if memory is insufficient.
    private static func address(of name: String) -> UInt {
        guard let object = AudioFileObject.string(name) else { return 0 }
        return UInt(bitPattern: unsafe Unmanaged.passRetained(object).toOpaque())
    }

    private static let listHeaderBytes = 8
    private static let regionHeaderBytes = 24
    private static let markerBytes = unsafe MemoryLayout<CAQAudioToolbox.AudioFileMarker>.stride
}

/// The fields of a structure one after another, in this machine's byte order.
struct StructureBytes {
    private(set) var bytes: [UInt8] = []

    /// Adds a field; the caller takes care of its alignment.
    mutating func append<Field: FixedWidthInteger & BitwiseCopyable>(_ field: Field) {
        // SAFETY: an integer has no padding, and its bytes are copied at once.
        unsafe withUnsafeBytes(of: field) { unsafe bytes.append(contentsOf: $0) }
    }
}
