import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// The published structures of markers and regions in memory, which no Swift type has: they end in arrays of any
/// length.
enum AudioFileMarkerBytes {
    /// Bytes of a list of these markers: `AudioFileMarkerList`.
    static func markerListByteCount(_ markers: [AudioFiles.AudioFileMarker]) -> Int {
        listHeaderBytes + markers.count * markerBytes
    }

    /// Bytes of a list of these regions: `AudioFileRegionList`.
    static func regionListByteCount(_ regions: [AudioFiles.AudioFileRegion]) -> Int {
        regions.reduce(listHeaderBytes) { $0 + regionHeaderBytes + $1.markers.count * markerBytes }
    }

    /// A list of markers, whose names are the client's to release.
    static func markerList(_ markers: [AudioFiles.AudioFileMarker]) -> [UInt8] {
        var list = StructureBytes()
        list.append(UInt32(0))
        list.append(UInt32(clamping: markers.count))
        for marker in markers { append(marker, to: &list) }
        return list.bytes
    }

    /// A list of regions, whose names and whose markers' names are the client's to release.
    static func regionList(_ regions: [AudioFiles.AudioFileRegion]) -> [UInt8] {
        var list = StructureBytes()
        list.append(UInt32(0))
        list.append(UInt32(clamping: regions.count))
        for region in regions {
            list.append(region.identifier)
            list.append(UInt32(0))
            // Unlike a marker's, it is published as never NULL.
            list.append(address(of: region.name))
            list.append(region.flags)
            list.append(UInt32(clamping: region.markers.count))
            for marker in region.markers { append(marker, to: &list) }
        }
        return list.bytes
    }

    /// Reads a client's list of markers.
    ///
    /// - Throws: `kAudioFileBadPropertySizeError` if there are fewer bytes than the list promises,
    ///   `kAudio_ParamError` for a place that is no number.
    @unsafe static func markers(
        in bytes: UnsafeRawBufferPointer
    ) throws(StatusError) -> [AudioFiles.AudioFileMarker] {
        guard bytes.count >= listHeaderBytes else { throw StatusError(kAudioFileBadPropertySizeError) }
        let count = Int(unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        guard count <= (bytes.count - listHeaderBytes) / markerBytes else {
            throw StatusError(kAudioFileBadPropertySizeError)
        }
        return try unsafe markers(in: bytes, at: listHeaderBytes, count: count)
    }

    /// Reads a client's list of regions, each of which is as long as its markers make it.
    ///
    /// - Throws: As ``markers(in:)``.
    @unsafe static func regions(
        in bytes: UnsafeRawBufferPointer
    ) throws(StatusError) -> [AudioFiles.AudioFileRegion] {
        guard bytes.count >= listHeaderBytes else { throw StatusError(kAudioFileBadPropertySizeError) }
        let count = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        var regions: [AudioFiles.AudioFileRegion] = []
        var start = listHeaderBytes
        for _ in 0..<count {
            guard bytes.count - start >= regionHeaderBytes else {
                throw StatusError(kAudioFileBadPropertySizeError)
            }
            // SAFETY: the fields lie inside the bytes; only the name is a reference, and the client vouches for it.
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
                AudioFiles.AudioFileRegion(
                    identifier: identifier, name: name ?? "", flags: flags,
                    markers: try unsafe markers(in: bytes, at: start, count: markerCount)))
            start += markerCount * markerBytes
        }
        return regions
    }

    /// Reads markers that lie inside the bytes.
    @unsafe private static func markers(
        in bytes: UnsafeRawBufferPointer, at first: Int, count: Int
    ) throws(StatusError) -> [AudioFiles.AudioFileMarker] {
        var markers: [AudioFiles.AudioFileMarker] = []
        for index in 0..<count {
            let start = first + index * markerBytes
            // SAFETY: `count` markers lie inside the bytes; only the name is a reference, and the client vouches for it.
            let place = Double(
                bitPattern: unsafe bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            guard place.isFinite, place >= 0 else { throw StatusError(kAudio_ParamError) }
            let name = unsafe AudioFileObject.text(
                at: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt.self))
            let identifier = unsafe bytes.loadUnaligned(fromByteOffset: start + 16, as: UInt32.self)
            let type = unsafe bytes.loadUnaligned(fromByteOffset: start + 28, as: UInt32.self)
            let channel = unsafe bytes.loadUnaligned(fromByteOffset: start + 34, as: UInt16.self)
            markers.append(
                AudioFiles.AudioFileMarker(
                    framePosition: place, name: name ?? "", identifier: identifier, type: type,
                    channel: UInt32(channel)))
        }
        return markers
    }

    private static func append(_ marker: AudioFiles.AudioFileMarker, to list: inout StructureBytes) {
        list.append(marker.framePosition.bitPattern)
        list.append(marker.name.isEmpty ? 0 : address(of: marker.name))
        list.append(marker.identifier)
        // No time of day is said by all bits set, since all clear is midnight.
        list.append(UInt64.max)
        list.append(marker.type)
        list.append(UInt16(0))
        list.append(UInt16(clamping: marker.channel))
        list.append(UInt32(0))
    }

    /// A retained name; NULL only if there is no memory for it.
    private static func address(of name: String) -> UInt {
        guard let object = AudioFileObject.string(name) else { return 0 }
        return UInt(bitPattern: unsafe Unmanaged.passRetained(object).toOpaque())
    }

    private static let listHeaderBytes = 8
    private static let regionHeaderBytes = 24
    private static let markerBytes = unsafe MemoryLayout<CAudioToolbox.AudioFileMarker>.stride
}

/// A structure's fields one after another, as they are in this machine's memory.
struct StructureBytes {
    private(set) var bytes: [UInt8] = []

    /// Adds a field; the caller knows where it has to lie.
    mutating func append<Field: FixedWidthInteger & BitwiseCopyable>(_ field: Field) {
        // SAFETY: an integer has no bytes but its own, and they are copied at once.
        unsafe withUnsafeBytes(of: field) { unsafe bytes.append(contentsOf: $0) }
    }
}
