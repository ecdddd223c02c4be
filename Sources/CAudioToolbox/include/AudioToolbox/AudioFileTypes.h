/* What Audio File Services speak of: kinds of files, markers, regions, and where packets and frames lie. */
#ifndef AUDIO_FILE_TYPES_H
#define AUDIO_FILE_TYPES_H

#include <CoreAudio/AudioCoreFoundation.h>
#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

AUDIO_DECLARATIONS_BEGIN

typedef struct OpaqueAudioFileID *AudioFileID;
typedef UInt32 AudioFileTypeID;
typedef UInt32 AudioFilePropertyID;

AUDIO_CONSTANTS(AudioFileTypeID) {
    kAudioFileAIFFType = 'AIFF',
    kAudioFileAIFCType = 'AIFC',
    kAudioFileWAVEType = 'WAVE',
    kAudioFileRF64Type = 'RF64',           /* WAVE beyond 4 GB */
    kAudioFileBW64Type = 'BW64',           /* its successor */
    kAudioFileWave64Type = 'W64f',         /* Sony's */
    kAudioFileSoundDesigner2Type = 'Sd2f',
    kAudioFileNextType = 'NeXT',           /* NeXT and Sun AU */
    kAudioFileMP3Type = 'MPG3',
    kAudioFileMP2Type = 'MPG2',
    kAudioFileMP1Type = 'MPG1',
    kAudioFileAC3Type = 'ac-3',
    kAudioFileAAC_ADTSType = 'adts',
    kAudioFileMPEG4Type = 'mp4f',
    kAudioFileM4AType = 'm4af',
    kAudioFileM4BType = 'm4bf',
    kAudioFileCAFType = 'caff',
    kAudioFile3GPType = '3gpp',
    kAudioFile3GP2Type = '3gp2',
    kAudioFileAMRType = 'amrf',
    kAudioFileFLACType = 'flac',
    kAudioFileLATMInLOASType = 'loas'
};

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kAudioFileUnspecifiedError = 'wht?',
    kAudioFileUnsupportedFileTypeError = 'typ?',
    kAudioFileUnsupportedDataFormatError = 'fmt?',
    kAudioFileUnsupportedPropertyError = 'pty?',
    kAudioFileBadPropertySizeError = '!siz',
    kAudioFilePermissionsError = 'prm?',
    kAudioFileNotOptimizedError = 'optm',
    kAudioFileInvalidChunkError = 'chk?',
    kAudioFileDoesNotAllow64BitDataSizeError = 'off?',
    kAudioFileInvalidPacketOffsetError = 'pck?',
    kAudioFileInvalidPacketDependencyError = 'dep?',
    kAudioFileInvalidFileError = 'dta?',
    kAudioFileOperationNotSupportedError = 0x6F703F3F, /* 'op??', whose end C11 reads as a trigraph */
    kAudioFileNotOpenError = -38,
    kAudioFileEndOfFileError = -39,
    kAudioFilePositionError = -40,
    kAudioFileFileNotFoundError = -43
};

/* How a file is created. */
AUDIO_OPTIONS(UInt32, AudioFileFlags) {
    kAudioFileFlags_EraseFile = 1U << 0,             /* in place of one that is there */
    kAudioFileFlags_DontPageAlignAudioData = 1U << 1 /* without space before the audio data */
};

/* What an opened file may be used for. */
AUDIO_ENUM(SInt8, AudioFilePermissions) {
    kAudioFileReadPermission = 1,
    kAudioFileWritePermission = 2,
    kAudioFileReadWritePermission = 3
};

/* Which of a file's frames are sound: all but those at its start and end. */
typedef struct AudioFilePacketTableInfo {
    SInt64 mNumberValidFrames;
    SInt32 mPrimingFrames;
    SInt32 mRemainderFrames;
} AudioFilePacketTableInfo;

/* A frame, and the packet that holds it. */
typedef struct AudioFramePacketTranslation {
    SInt64 mFrame;
    SInt64 mPacket;
    UInt32 mFrameOffsetInPacket;
} AudioFramePacketTranslation;

AUDIO_OPTIONS(UInt32, AudioBytePacketTranslationFlags) {
    kBytePacketTranslationFlag_IsEstimate = 1U << 0
};

/* A byte of the audio data, and the packet that holds it. */
typedef struct AudioBytePacketTranslation {
    SInt64 mByte;
    SInt64 mPacket;
    UInt32 mByteOffsetInPacket;
    AudioBytePacketTranslationFlags mFlags;
} AudioBytePacketTranslation;

/* How many bytes packets in a row have at most. */
typedef struct AudioPacketRangeByteCountTranslation {
    SInt64 mPacket;
    SInt64 mPacketCount;
    SInt64 mByteCountUpperBound;
} AudioPacketRangeByteCountTranslation;

/* How many packets before a packet have to be decoded for it to come out right. */
typedef struct AudioPacketRollDistanceTranslation {
    SInt64 mPacket;
    SInt64 mRollDistance;
} AudioPacketRollDistanceTranslation;

/* The nearest packet before or after a packet that can be decoded without others; -1 for none. */
typedef struct AudioIndependentPacketTranslation {
    SInt64 mPacket;
    SInt64 mIndependentlyDecodablePacket;
} AudioIndependentPacketTranslation;

/* What a packet needs of those before it. */
typedef struct AudioPacketDependencyInfoTranslation {
    SInt64 mPacket;
    UInt32 mIsIndependentlyDecodable; /* 1 or 0 */
    UInt32 mNumberPrerollPackets;
} AudioPacketDependencyInfoTranslation;

/* A time of day on film or video tape. */
typedef struct AudioFile_SMPTE_Time {
    SInt8 mHours;
    UInt8 mMinutes;
    UInt8 mSeconds;
    UInt8 mFrames;
    UInt32 mSubFrameSampleOffset;
} AudioFile_SMPTE_Time;

AUDIO_CONSTANTS(UInt32) { kAudioFileMarkerType_Generic = 0 };

AUDIO_CONSTANTS(UInt32) {
    kAudioFileLoopDirection_NoLooping = 0,
    kAudioFileLoopDirection_Forward = 1,
    kAudioFileLoopDirection_ForwardAndBackward = 2,
    kAudioFileLoopDirection_Backward = 3
};

/* A place in the audio data; whoever gets a list of them releases the names. */
typedef struct AudioFileMarker {
    Float64 mFramePosition;
    CFStringRef _Nullable mName;
    SInt32 mMarkerID;
    AudioFile_SMPTE_Time mSMPTETime;
    UInt32 mType;
    UInt16 mReserved;
    UInt16 mChannel; /* 0: all channels */
} AudioFileMarker;

typedef struct AudioFileMarkerList {
    UInt32 mSMPTE_TimeType; /* kCAF_SMPTE_TimeType… */
    UInt32 mNumberMarkers;
    AudioFileMarker mMarkers[1]; /* in truth mNumberMarkers of them */
} AudioFileMarkerList;

/* The markers that a list of so many bytes has room for. */
static inline size_t NumBytesToNumAudioFileMarkers(size_t inNumBytes) {
    const size_t header = offsetof(AudioFileMarkerList, mMarkers);
    return inNumBytes < header ? 0 : (inNumBytes - header) / sizeof(AudioFileMarker);
}

/* The bytes of a list of so many markers. */
static inline size_t NumAudioFileMarkersToNumBytes(size_t inNumMarkers) {
    return offsetof(AudioFileMarkerList, mMarkers) + inNumMarkers * sizeof(AudioFileMarker);
}

/* How a region is played. */
AUDIO_OPTIONS(UInt32, AudioFileRegionFlags) {
    kAudioFileRegionFlag_LoopEnable = 1U << 0,
    kAudioFileRegionFlag_PlayForward = 1U << 1,
    kAudioFileRegionFlag_PlayBackward = 1U << 2 /* with forward: to and fro */
};

/* A stretch of the audio data, bounded by markers. */
typedef struct AudioFileRegion {
    UInt32 mRegionID;
    CFStringRef mName;
    AudioFileRegionFlags mFlags;
    UInt32 mNumberMarkers;
    AudioFileMarker mMarkers[1]; /* in truth mNumberMarkers of them */
} AudioFileRegion;

typedef struct AudioFileRegionList {
    UInt32 mSMPTE_TimeType; /* kCAF_SMPTE_TimeType… */
    UInt32 mNumberRegions;
    AudioFileRegion mRegions[1]; /* the first; NextAudioFileRegion leads to the others */
} AudioFileRegionList;

/* The region that follows in a list. */
static inline AudioFileRegion *NextAudioFileRegion(const AudioFileRegion *inAFRegionPtr) {
    return (AudioFileRegion *)((char *)inAFRegionPtr + offsetof(AudioFileRegion, mMarkers)
                               + inAFRegionPtr->mNumberMarkers * sizeof(AudioFileMarker));
}

/* What kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat is asked about. */
typedef struct AudioFileTypeAndFormatID {
    AudioFileTypeID mFileType;
    UInt32 mFormatID;
} AudioFileTypeAndFormatID;

AUDIO_DECLARATIONS_END

#endif
