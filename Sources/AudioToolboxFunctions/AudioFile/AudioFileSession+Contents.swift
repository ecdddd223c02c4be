import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// The properties that are lists and objects: the contents of a file beside its audio.
extension AudioFileSession {
    /// Gets one of these properties.
    ///
    /// - Returns: The reply's result; nil for other properties.
    /// - Throws: The result of `AudioFileGetProperty`.
    func getContents(
        _ property: AudioFilePropertyID, _ reply: PropertyReply
    ) throws(StatusError) -> OSStatus? {
        let tooSmall = kAudioFileBadPropertySizeError
        switch property {
        case kAudioFilePropertyRestrictsRandomAccess: return reply.value(UInt32(0), tooSmall: tooSmall)
        case kAudioFilePropertyChannelLayout: return reply.bytes(try channelLayout(), tooSmall: tooSmall)
        case kAudioFilePropertyChunkIDs: return reply.values(try chunkIDs(), tooSmall: tooSmall)
        case kAudioFilePropertyMarkerList:
            let markers = try markers()
            // Checked before the names are made, because only the client releases them.
            guard reply.capacity >= AudioFileMarkerBytes.markerListByteCount(markers) else {
                return reply.isNull ? kAudio_ParamError : tooSmall
            }
            return reply.bytes(AudioFileMarkerBytes.markerList(markers), tooSmall: tooSmall)
        case kAudioFilePropertyRegionList:
            let regions = try regions()
            guard reply.capacity >= AudioFileMarkerBytes.regionListByteCount(regions) else {
                return reply.isNull ? kAudio_ParamError : tooSmall
            }
            return reply.bytes(AudioFileMarkerBytes.regionList(regions), tooSmall: tooSmall)
        case kAudioFilePropertyInfoDictionary:
            let entries = try information()
            return reply.object({ AudioFileObject.dictionary(entries) }, tooSmall: tooSmall)
        case kAudioFilePropertyAlbumArtwork:
            let artwork = try reader().artwork
            return reply.object({ artwork.flatMap { AudioFileObject.data($0.bytes) } }, tooSmall: tooSmall)
        case kAudioFilePropertyID3Tag:
            let position = try tag()
            guard let bytes = try storedBytes?.bytes(at: position.offset, count: position.byteCount) else {
                throw StatusError(kAudioFileInvalidFileError)
            }
            return reply.bytes(bytes, tooSmall: tooSmall)
        case kAudioFilePropertyID3TagOffset: return reply.value(try tag().offset, tooSmall: tooSmall)
        default: return nil
        }
    }

    /// The structure `AudioChannelLayout`: with a tag if one describes it, otherwise channel by channel.
    func channelLayout() throws(StatusError) -> [UInt8] {
        let labels = try channelLabels()
        let tag = ChannelLayout(labels: labels).tag
        let described = tag == kAudioChannelLayoutTag_UseChannelDescriptions ? labels : []
        var layout = StructureBytes()
        layout.append(tag)
        layout.append(UInt32(0))
        layout.append(UInt32(clamping: described.count))
        for label in described {
            layout.append(label)
            // Without flags the three coordinates have no meaning.
            layout.append(UInt64(0))
            layout.append(UInt64(0))
        }
        // COMPAT: clients read the whole structure, which always has one description.
        let missing = MemoryLayout<AudioChannelLayout>.size - layout.bytes.count
        return layout.bytes + [UInt8](repeating: 0, count: max(missing, 0))
    }

    /// The markers, including those that are not written yet.
    func markers() throws(StatusError) -> [AudioFiles.AudioFileMarker] {
        if let markers = output?.lateMetadata.markers { return markers }
        return try reader().markers
    }

    /// The regions, including those that are not written yet.
    func regions() throws(StatusError) -> [AudioFiles.AudioFileRegion] {
        if let regions = output?.lateMetadata.regions { return regions }
        return try reader().regions
    }

    /// The file's tags, and its approximate duration.
    private func information() throws(StatusError) -> [(key: String, value: String)] {
        let information: [AudioFileInformation]
        if let waiting = output?.lateMetadata.information {
            information = waiting
        } else {
            information = try reader().information
        }
        var entries = information.map { (key: $0.key, value: $0.value) }
        let seconds = try estimatedDuration()
        if seconds > 0, seconds < 1e12 {
            let rounded = (seconds * 1000).rounded() / 1000
            entries.append((key: kAFInfoDictionary_ApproximateDurationInSeconds, value: "\(rounded)"))
        }
        return entries
    }

    /// The range of an ID3 tag: in front of streams, or of version 1 at their end; in a chunk of containers.
    ///
    /// - Throws: `kAudioFileUnsupportedPropertyError` if there is none.
    func tag() throws(StatusError) -> (offset: Int64, byteCount: Int) {
        let file = try reader()
        guard let storedBytes else { throw StatusError(kAudioFileUnsupportedPropertyError) }
        let fileBytes = storedBytes.byteCount
        if let head = try storedBytes.bytes(at: 0, count: 10), let byteCount = StreamTag.id3Bytes(head) {
            return (0, Int(min(byteCount, fileBytes)))
        }
        for type in ["ID3 ", "id3 "] {
            guard let code = FourCharacterCode(type)?.rawValue,
                file.chunks.contains(where: { $0.depth == 0 && $0.type.rawValue == code }),
                let contents = try? chunk(code, index: 0), contents.byteCount <= Int64(Self.mostTagBytes)
            else { continue }
            return (contents.offset, Int(contents.byteCount))
        }
        let trailing = fileBytes - Self.trailingTagBytes
        guard file.format.isMPEGAudio, let mark = try storedBytes.bytes(at: trailing, count: 3),
            mark.elementsEqual("TAG".utf8)
        else { throw StatusError(kAudioFileUnsupportedPropertyError) }
        return (trailing, Int(Self.trailingTagBytes))
    }

    private static let trailingTagBytes: Int64 = 128
    /// The limit of four digits of seven bits.
    private static let mostTagBytes = 1 << 28
}
