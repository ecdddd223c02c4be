// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

/// The size and access of a property, which are the same for every file.
struct AudioFileProperty {
    /// The size of the value in bytes; nil if the size differs from file to file.
    let byteCount: Int?
    let isReadable: Bool
    /// Whether a created file accepts another value.
    let isSettable: Bool

    /// Makes the description of a property; nil for a number that is not a property of audio files.
    init?(_ property: AudioFilePropertyID) {
        switch property {
        case kAudioFilePropertyFileFormat, kAudioFilePropertyIsOptimized, kAudioFilePropertyMaximumPacketSize,
            kAudioFilePropertyPacketSizeUpperBound, kAudioFilePropertyRestrictsRandomAccess,
            kAudioFilePropertyBitRate, kAudioFilePropertyAudioTrackCount:
            self.init(UInt32.self)
        case kAudioFilePropertySourceBitDepth: self.init(Int32.self)
        case kAudioFilePropertyDeferSizeUpdates: self.init(UInt32.self, isSettable: true)
        case kAudioFilePropertyAudioDataPacketCount, kAudioFilePropertyDataOffset,
            kAudioFilePropertyID3TagOffset:
            self.init(Int64.self)
        case kAudioFilePropertyAudioDataByteCount: self.init(UInt64.self, isSettable: true)
        case kAudioFilePropertyEstimatedDuration: self.init(Double.self)
        case kAudioFilePropertyReserveDuration: self.init(Double.self, isSettable: true)
        case kAudioFilePropertyUseAudioTrack: self.init(UInt32.self, isReadable: false, isSettable: true)
        case kAudioFilePropertyDataFormat: self.init(AudioStreamBasicDescription.self)
        case kAudioFilePropertyPacketTableInfo: self.init(AudioFilePacketTableInfo.self, isSettable: true)
        case kAudioFilePropertyPacketToFrame, kAudioFilePropertyFrameToPacket:
            self.init(AudioFramePacketTranslation.self)
        case kAudioFilePropertyPacketToByte, kAudioFilePropertyByteToPacket:
            self.init(AudioBytePacketTranslation.self)
        case kAudioFilePropertyPacketToRollDistance: self.init(AudioPacketRollDistanceTranslation.self)
        case kAudioFilePropertyPreviousIndependentPacket, kAudioFilePropertyNextIndependentPacket:
            self.init(AudioIndependentPacketTranslation.self)
        case kAudioFilePropertyPacketToDependencyInfo: self.init(AudioPacketDependencyInfoTranslation.self)
        case kAudioFilePropertyPacketRangeByteCountUpperBound:
            self.init(AudioPacketRangeByteCountTranslation.self)
        // References to objects.
        case kAudioFilePropertyDataFormatName, kAudioFilePropertyAlbumArtwork: self.init(UInt.self)
        case kAudioFilePropertyInfoDictionary: self.init(UInt.self, isSettable: true)
        case kAudioFilePropertyFormatList, kAudioFilePropertyChunkIDs, kAudioFilePropertyID3Tag:
            self.init(byteCount: nil)
        case kAudioFilePropertyMagicCookieData, kAudioFilePropertyChannelLayout,
            kAudioFilePropertyMarkerList, kAudioFilePropertyRegionList:
            self.init(byteCount: nil, isSettable: true)
        default: return nil
        }
    }

    private init(byteCount: Int?, isReadable: Bool = true, isSettable: Bool = false) {
        self.byteCount = byteCount
        self.isReadable = isReadable
        self.isSettable = isSettable
    }

    private init<Value: BitwiseCopyable>(
        _ type: Value.Type, isReadable: Bool = true, isSettable: Bool = false
    ) {
        self.init(byteCount: MemoryLayout<Value>.size, isReadable: isReadable, isSettable: isSettable)
    }
}
