// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

extension AudioFileSession {
    func canSet(_ property: AudioFilePropertyID) -> Bool {
        guard AudioFileProperty(property)?.isSettable == true else { return false }
        switch property {
        // The choice of a track does not change the file.
        case kAudioFilePropertyUseAudioTrack: return true
        case kAudioFilePropertyMarkerList: return metadataType?.hasMarkers ?? false
        case kAudioFilePropertyRegionList: return metadataType?.hasRegions ?? false
        case kAudioFilePropertyInfoDictionary:
            return metadataType?.acceptsTags(afterFirstPacket: output?.packets != 0) ?? false
        case kAudioFilePropertyAudioDataByteCount: return output?.format.hasConstantPacketSize ?? false
        case kAudioFilePropertyPacketTableInfo: return output?.holdsPacketTable ?? false
        default: return output != nil
        }
    }

    /// The engine's type of the file that metadata is written to; nil for a file that is only read.
    private var metadataType: AudioFileType? {
        if let output { return output.engineType }
        guard isWritable, storedBytes != nil, let file = try? reader() else { return nil }
        return AudioFileKind.type(of: file, hint: typeHint).flatMap {
            AudioFileKind.kind(of: $0)?.writtenType
        }
    }

    /// Sets a property.
    ///
    /// - Throws: The result of `AudioFileSetProperty`.
    @unsafe func set(
        _ property: AudioFilePropertyID, _ value: UnsafeRawBufferPointer
    ) throws(StatusError) {
        if property == kAudioFilePropertyUseAudioTrack {
            // The engine reads the first audio track, and counts no other tracks.
            guard try unsafe Self.load(UInt32.self, from: value) == 0 else {
                throw StatusError(kAudio_ParamError)
            }
            return
        }
        if let metadata = try unsafe Self.metadata(property, value) { return try setMetadata(metadata) }
        let output = try writableOutput()
        switch property {
        case kAudioFilePropertyMagicCookieData: try output.setMagicCookie(unsafe Array(value))
        case kAudioFilePropertyDeferSizeUpdates:
            defersSizeUpdates = try unsafe Self.load(UInt32.self, from: value) == 0 ? 0 : 1
        case kAudioFilePropertyReserveDuration:
            try output.setReservedSeconds(unsafe Self.load(Double.self, from: value))
        case kAudioFilePropertyPacketTableInfo:
            let table = try unsafe Self.load(AudioFilePacketTableInfo.self, from: value)
            try output.setPacketTable(
                PacketTable(
                    primingFrames: Int64(table.mPrimingFrames), validFrames: table.mNumberValidFrames,
                    remainderFrames: Int64(table.mRemainderFrames)))
        case kAudioFilePropertyChannelLayout:
            try output.setChannelLabels(
                unsafe PublishedLayout.labels(
                    in: value, truncated: kAudioFileBadPropertySizeError, unknown: kAudio_ParamError))
        case kAudioFilePropertyAudioDataByteCount:
            let byteCount = try unsafe Self.load(UInt64.self, from: value)
            // The current size is not a change.
            if try byteCount == dataByteCount() { return }
            try output.shorten(toBytes: Int64(clamping: byteCount))
        default: throw StatusError(kAudioFileOperationNotSupportedError)
        }
    }

    /// Reads the new value of a property of metadata; nil for other properties.
    @unsafe private static func metadata(
        _ property: AudioFilePropertyID, _ value: UnsafeRawBufferPointer
    ) throws(StatusError) -> FileMetadata? {
        switch property {
        case kAudioFilePropertyMarkerList:
            return FileMetadata(markers: try unsafe AudioFileMarkerBytes.markers(in: value))
        case kAudioFilePropertyRegionList:
            return FileMetadata(regions: try unsafe AudioFileMarkerBytes.regions(in: value))
        case kAudioFilePropertyInfoDictionary:
            let reference = try unsafe Self.load(UInt.self, from: value)
            guard let entries = unsafe AudioFileObject.entries(at: reference) else {
                throw StatusError(kAudio_ParamError)
            }
            return FileMetadata(information: entries.map { AudioFileInformation($0.key, $0.value) })
        default: return nil
        }
    }

    @unsafe private static func load<Value: BitwiseCopyable>(
        _ type: Value.Type, from value: UnsafeRawBufferPointer
    ) throws(StatusError) -> Value {
        try unsafe PropertyInput.value(in: value, badSize: kAudioFileBadPropertySizeError)
    }
}
