/* The types of Audio File Services: file types, markers, regions, and positions of packets and frames. */
#ifndef AUDIO_FILE_TYPES_H
#define AUDIO_FILE_TYPES_H

#include <CoreAudio/AudioCoreFoundation.h>
#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* An open file. */
typedef struct OpaqueAudioFileID *AudioFileID;
/* A file type. */
typedef UInt32 AudioFileTypeID;
/* A property of a file, or of file types. */
typedef UInt32 AudioFilePropertyID;

AUDIO_CONSTANTS(AudioFileTypeID) {
    kAudioFileAIFFType = 'AIFF',           /* big-endian PCM */
    kAudioFileAIFCType = 'AIFC',           /* AIFF with other encodings */
    kAudioFileWAVEType = 'WAVE',           /* WAVE, and RF64 beyond 4 GB */
    kAudioFileRF64Type = 'RF64',           /* WAVE beyond 4 GB */
    kAudioFileBW64Type = 'BW64',           /* its successor */
    kAudioFileWave64Type = 'W64f',         /* Sony's */
    kAudioFileSoundDesigner2Type = 'Sd2f', /* Sound Designer II */
    kAudioFileNextType = 'NeXT',           /* NeXT and Sun AU */
    kAudioFileMP3Type = 'MPG3',            /* MPEG layer III */
    kAudioFileMP2Type = 'MPG2',            /* MPEG layer II */
    kAudioFileMP1Type = 'MPG1',            /* MPEG layer I */
    kAudioFileAC3Type = 'ac-3',            /* AC-3 */
    kAudioFileAAC_ADTSType = 'adts',       /* AAC in ADTS frames */
    kAudioFileMPEG4Type = 'mp4f',          /* MPEG-4 */
    kAudioFileM4AType = 'm4af',            /* MPEG-4 with audio only */
    kAudioFileM4BType = 'm4bf',            /* MPEG-4 with an audio book */
    kAudioFileCAFType = 'caff',            /* Core Audio Format */
    kAudioFile3GPType = '3gpp',            /* 3GPP */
    kAudioFile3GP2Type = '3gp2',           /* 3GPP2 */
    kAudioFileAMRType = 'amrf',            /* AMR */
    kAudioFileFLACType = 'flac',           /* FLAC */
    kAudioFileOggType = 'Oggf',            /* Ogg */
    kAudioFileLATMInLOASType = 'loas'      /* AAC in LOAS frames */
};

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kAudioFileUnspecifiedError = 'wht?',             /* anything else */
    kAudioFileUnsupportedFileTypeError = 'typ?',     /* the file type is unknown */
    kAudioFileUnsupportedDataFormatError = 'fmt?',   /* such a file cannot hold the format */
    kAudioFileUnsupportedPropertyError = 'pty?',     /* no such property, or not of this file */
    kAudioFileBadPropertySizeError = '!siz',         /* the value has another size */
    kAudioFilePermissionsError = 'prm?',             /* the file is not open for that, or may not be opened */
    kAudioFileNotOptimizedError = 'optm',            /* the chunks would have to be in order */
    kAudioFileInvalidChunkError = 'chk?',            /* there is no such chunk, or it is damaged */
    kAudioFileDoesNotAllow64BitDataSizeError = 'off?', /* the file would be larger than its kind can be */
    kAudioFileInvalidPacketOffsetError = 'pck?',     /* the packet is outside the file */
    kAudioFileInvalidPacketDependencyError = 'dep?', /* the packet cannot depend on others so */
    kAudioFileInvalidFileError = 'dta?',             /* the file is damaged, or not of this kind */
    kAudioFileOperationNotSupportedError = 0x6F703F3F, /* 'op??', whose end C11 reads as a trigraph */
    kAudioFileNotOpenError = -38,                    /* the file is closed */
    kAudioFileEndOfFileError = -39,                  /* nothing is there to read */
    kAudioFilePositionError = -40,                   /* the place is outside the file */
    kAudioFileFileNotFoundError = -43                /* there is no such file */
};

/* How a file is created. */
AUDIO_OPTIONS(UInt32, AudioFileFlags) {
    kAudioFileFlags_EraseFile = 1U << 0,             /* in place of one that is there */
    kAudioFileFlags_DontPageAlignAudioData = 1U << 1 /* without space before the audio data */
};

/* The permissions of an open file. */
AUDIO_ENUM(SInt8, AudioFilePermissions) {
    kAudioFileReadPermission = 1,     /* reading alone */
    kAudioFileWritePermission = 2,    /* writing alone */
    kAudioFileReadWritePermission = 3 /* both */
};

/* Which of a file's frames are sound: all but those at its start and end. */
typedef struct AudioFilePacketTableInfo {
    SInt64 mNumberValidFrames; /* the valid frames */
    SInt32 mPrimingFrames;     /* at the start, not to be heard */
    SInt32 mRemainderFrames;   /* at the end, not to be heard */
} AudioFilePacketTableInfo;

/* A frame, and the packet that holds it. */
typedef struct AudioFramePacketTranslation {
    SInt64 mFrame;               /* counted from the first that is heard */
    SInt64 mPacket;              /* counted from 0 */
    UInt32 mFrameOffsetInPacket; /* where in the packet the frame is */
} AudioFramePacketTranslation;

/* How sure a translation is. */
AUDIO_OPTIONS(UInt32, AudioBytePacketTranslationFlags) {
    kBytePacketTranslationFlag_IsEstimate = 1U << 0 /* the answer was worked out from the bit rate */
};

/* A byte of the audio data, and the packet that holds it. */
typedef struct AudioBytePacketTranslation {
    SInt64 mByte;                           /* counted from the start of the audio data */
    SInt64 mPacket;                         /* counted from 0 */
    UInt32 mByteOffsetInPacket;             /* where in the packet the byte is */
    AudioBytePacketTranslationFlags mFlags; /* whether this was worked out alone */
} AudioBytePacketTranslation;

/* How many bytes packets in a row have at most. */
typedef struct AudioPacketRangeByteCountTranslation {
    SInt64 mPacket;              /* the first */
    SInt64 mPacketCount;         /* how many */
    SInt64 mByteCountUpperBound; /* the answer */
} AudioPacketRangeByteCountTranslation;

/* How many packets before a packet have to be decoded for it to come out right. */
typedef struct AudioPacketRollDistanceTranslation {
    SInt64 mPacket;       /* the one to be decoded */
    SInt64 mRollDistance; /* the answer */
} AudioPacketRollDistanceTranslation;

/* The nearest packet before or after a packet that can be decoded without others; -1 for none. */
typedef struct AudioIndependentPacketTranslation {
    SInt64 mPacket;                       /* where to look from */
    SInt64 mIndependentlyDecodablePacket; /* the answer */
} AudioIndependentPacketTranslation;

/* The dependency of a packet on earlier ones. */
typedef struct AudioPacketDependencyInfoTranslation {
    SInt64 mPacket;                   /* the packet of the query */
    UInt32 mIsIndependentlyDecodable; /* 1 or 0 */
    UInt32 mNumberPrerollPackets;     /* how many to decode before it */
} AudioPacketDependencyInfoTranslation;

/* A time of day on film or video tape. */
typedef struct AudioFile_SMPTE_Time {
    SInt8 mHours;                 /* negative before the day's start */
    UInt8 mMinutes;               /* of the hour */
    UInt8 mSeconds;               /* of the minute */
    UInt8 mFrames;                /* of the second */
    UInt32 mSubFrameSampleOffset; /* samples since the frame began */
} AudioFile_SMPTE_Time;

AUDIO_CONSTANTS(UInt32) { kAudioFileMarkerType_Generic = 0 /* a marker of no special kind */ };

AUDIO_CONSTANTS(UInt32) {
    kAudioFileLoopDirection_NoLooping = 0,          /* once */
    kAudioFileLoopDirection_Forward = 1,            /* again from the start */
    kAudioFileLoopDirection_ForwardAndBackward = 2, /* there and back */
    kAudioFileLoopDirection_Backward = 3            /* backward each time */
};

/* A position in the audio data. The receiver of a list has to release the names. */
typedef struct AudioFileMarker {
    Float64 mFramePosition;          /* counted from the first frame */
    CFStringRef _Nullable mName;     /* released by the receiver */
    SInt32 mMarkerID;                /* set by the file */
    AudioFile_SMPTE_Time mSMPTETime; /* all 0xFF for none */
    UInt32 mType;                    /* a type of marker */
    UInt16 mReserved;                /* 0 */
    UInt16 mChannel;                 /* 0: all channels */
} AudioFileMarker;

/* The markers of a file. */
typedef struct AudioFileMarkerList {
    UInt32 mSMPTE_TimeType;      /* kCAF_SMPTE_TimeType... */
    UInt32 mNumberMarkers;       /* how many follow */
    AudioFileMarker mMarkers[1]; /* actually mNumberMarkers of them */
} AudioFileMarkerList;

/* The number of markers in a list of this many bytes. */
static inline size_t NumBytesToNumAudioFileMarkers(size_t inNumBytes) {
    const size_t header = offsetof(AudioFileMarkerList, mMarkers);
    return inNumBytes < header ? 0 : (inNumBytes - header) / sizeof(AudioFileMarker);
}

/* The size of a list of this many markers in bytes. */
static inline size_t NumAudioFileMarkersToNumBytes(size_t inNumMarkers) {
    return offsetof(AudioFileMarkerList, mMarkers) + inNumMarkers * sizeof(AudioFileMarker);
}

/* How a region is played. */
AUDIO_OPTIONS(UInt32, AudioFileRegionFlags) {
    kAudioFileRegionFlag_LoopEnable = 1U << 0,  /* played again and again */
    kAudioFileRegionFlag_PlayForward = 1U << 1, /* played from its start */
    kAudioFileRegionFlag_PlayBackward = 1U << 2 /* with forward: to and fro */
};

/* A range of the audio data, bounded by markers. */
typedef struct AudioFileRegion {
    UInt32 mRegionID;            /* set by the file */
    CFStringRef mName;           /* released by the receiver */
    AudioFileRegionFlags mFlags; /* how it is played */
    UInt32 mNumberMarkers;       /* how many follow, usually two */
    AudioFileMarker mMarkers[1]; /* actually mNumberMarkers of them */
} AudioFileRegion;

/* The regions of a file. */
typedef struct AudioFileRegionList {
    UInt32 mSMPTE_TimeType;      /* kCAF_SMPTE_TimeType... */
    UInt32 mNumberRegions;       /* how many follow; they differ in size */
    AudioFileRegion mRegions[1]; /* the first; NextAudioFileRegion leads to the others */
} AudioFileRegionList;

/* The region that follows in a list. */
static inline AudioFileRegion *NextAudioFileRegion(const AudioFileRegion *inAFRegionPtr) {
    return (AudioFileRegion *)((char *)inAFRegionPtr + offsetof(AudioFileRegion, mMarkers)
                               + inAFRegionPtr->mNumberMarkers * sizeof(AudioFileMarker));
}

/* The specifier of kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat. */
typedef struct AudioFileTypeAndFormatID {
    AudioFileTypeID mFileType; /* kAudioFile...Type */
    UInt32 mFormatID;          /* kAudioFormat... */
} AudioFileTypeAndFormatID;

AUDIO_DECLARATIONS_END

#endif
