import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// Setting properties.
extension AudioFileSession {
    /// Whether a property of this file can be set.
    func canSet(_ property: AudioFilePropertyID) -> Bool {
        guard AudioFileProperty(property)?.isSettable == true else { return false }
        switch property {
        // The choice of a track does not change the file.
        case kAudioFilePropertyUseAudioTrack: return true
        case kAudioFilePropertyMarkerList, kAudioFilePropertyRegionList, kAudioFilePropertyInfoDictionary:
            return isWritable
        case kAudioFilePropertyAudioDataByteCount: return output?.format.hasConstantPacketSize ?? false
        case kAudioFilePropertyPacketTableInfo: return output?.holdsPacketTable ?? false
        default: return output != nil
        }
    }

    /// Sets a property.
    ///
    /// - Throws: The result of `AudioFileSetProperty`.
    @unsafe func set(
        _ property: AudioFilePropertyID, _ value: UnsafeRawBufferPointer
    ) throws(StatusError) {
        if property == kAudioFilePropertyUseAudioTrack {
            // The engine reads the first audio track, and counts no others.
            guard try unsafe Self.load(UInt32.self, from: value) == 0 else {
                throw StatusError(kAudio_ParamError)
            }
            return
        }
        if try unsafe setContents(property, value) { return }
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
            // The same number is not a change.
            if try byteCount == dataByteCount() { return }
            try output.shorten(toBytes: Int64(clamping: byteCount))
        default: throw StatusError(kAudioFileOperationNotSupportedError)
        }
    }

    /// Sets tags, markers and regions in a created or an existing file.
    ///
    /// - Returns: False for other properties.
    @unsafe private func setContents(
        _ property: AudioFilePropertyID, _ value: UnsafeRawBufferPointer
    ) throws(StatusError) -> Bool {
        switch property {
        case kAudioFilePropertyMarkerList:
            let markers = try unsafe AudioFileMarkerBytes.markers(in: value)
            try change {
                (output) throws(StatusError) in
                try output.setMarkers(markers)
            } edit: { (editor) throws(AudioFileError) in
                try editor.setMarkers(markers)
            }
        case kAudioFilePropertyRegionList:
            let regions = try unsafe AudioFileMarkerBytes.regions(in: value)
            try change {
                (output) throws(StatusError) in
                try output.setRegions(regions)
            } edit: { (editor) throws(AudioFileError) in
                try editor.setRegions(regions)
            }
        case kAudioFilePropertyInfoDictionary:
            let reference = try unsafe Self.load(UInt.self, from: value)
            guard let entries = unsafe AudioFileObject.entries(at: reference) else {
                throw StatusError(kAudio_ParamError)
            }
            let information = entries.map { AudioFileInformation($0.key, $0.value) }
            try change {
                (output) throws(StatusError) in
                try output.setInformation(information)
            } edit: { (editor) throws(AudioFileError) in
                try editor.setInformation(information)
            }
        default: return false
        }
        return true
    }

    @unsafe private static func load<Value: BitwiseCopyable>(
        _ type: Value.Type, from value: UnsafeRawBufferPointer
    ) throws(StatusError) -> Value {
        try unsafe PropertyInput.value(in: value, badSize: kAudioFileBadPropertySizeError)
    }
}
