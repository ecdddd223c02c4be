// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// The properties that are lists and objects: the contents of a file beside its audio.
extension AudioFileSession {
    /// The value of a property that is a list or an object.
    ///
    /// - Returns: The value; nil for other properties.
    /// - Throws: The result of `AudioFileGetProperty`.
    func contentsAnswer(_ property: AudioFilePropertyID) throws(StatusError) -> PropertyAnswer? {
        switch property {
        case kAudioFilePropertyChannelLayout: return .bytes(try channelLayout())
        case kAudioFilePropertyChunkIDs: return .many(try chunkIDs())
        case kAudioFilePropertyMarkerList:
            let markers = try markers()
            return .references(byteCount: AudioFileMarkerBytes.markerListByteCount(markers)) {
                AudioFileMarkerBytes.markerList(markers)
            }
        case kAudioFilePropertyRegionList:
            let regions = try regions()
            return .references(byteCount: AudioFileMarkerBytes.regionListByteCount(regions)) {
                AudioFileMarkerBytes.regionList(regions)
            }
        case kAudioFilePropertyInfoDictionary:
            let entries = try information()
            return .object { AudioFileObject.dictionary(entries) }
        case kAudioFilePropertyAlbumArtwork:
            let artwork = try reader().artwork
            return .object { artwork.flatMap { AudioFileObject.data($0.bytes) } }
        case kAudioFilePropertyID3Tag:
            let position = try tag()
            guard let bytes = try storedBytes?.bytes(at: position.offset, count: position.byteCount) else {
                throw StatusError(kAudioFileInvalidFileError)
            }
            return .bytes(bytes)
        case kAudioFilePropertyID3TagOffset: return .one(try tag().offset)
        default: return nil
        }
    }

    /// The structure `AudioChannelLayout`: with a tag if one describes the channels, otherwise channel by channel.
    func channelLayout() throws(StatusError) -> [UInt8] {
        let layout = ChannelLayout(labels: try channelLabels())
        let isDescribed = layout.tag == kAudioChannelLayoutTag_UseChannelDescriptions && layout.channels > 0
        return isDescribed ? layout.describedBytes : ChannelLayout.publishedBytes(tag: layout.tag)
    }

    /// The markers, including those that are still to be written.
    func markers() throws(StatusError) -> [AQFiles.AudioFileMarker] {
        if let markers = output?.lateMetadata.markers { return markers }
        return try reader().markers
    }

    /// The regions, including those that are still to be written.
    func regions() throws(StatusError) -> [AQFiles.AudioFileRegion] {
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

    /// The range of an ID3 tag: in front of a stream or, for version 1, at its end; otherwise in a chunk.
    ///
    /// - Throws: `kAudioFileUnsupportedPropertyError` if there is no tag.
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
    /// The limit of a tag's size in bytes: four digits of seven bits.
    private static let mostTagBytes = 1 << 28
}
