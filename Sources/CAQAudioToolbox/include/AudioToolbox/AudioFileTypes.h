/* SPDX-License-Identifier: MIT */

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
    kAudioFileBW64Type = 'BW64',           /* the successor of RF64 */
    kAudioFileWave64Type = 'W64f',         /* Sony Wave64 */
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
    kAudioFileUnspecifiedError = 'wht?',             /* any other error */
    kAudioFileUnsupportedFileTypeError = 'typ?',     /* the file type is unknown */
    kAudioFileUnsupportedDataFormatError = 'fmt?',   /* the file type cannot hold the format */
    kAudioFileUnsupportedPropertyError = 'pty?',     /* no such property, or not of this file */
    kAudioFileBadPropertySizeError = '!siz',         /* the value has another size */
    kAudioFilePermissionsError = 'prm?',             /* the file is not open for writing, or may not be opened */
    kAudioFileNotOptimizedError = 'optm',            /* other chunks follow the audio data */
    kAudioFileInvalidChunkError = 'chk?',            /* there is no such chunk, or it is damaged */
    kAudioFileDoesNotAllow64BitDataSizeError = 'off?', /* the file would exceed the limit of its type */
    kAudioFileInvalidPacketOffsetError = 'pck?',     /* the packet is outside the file */
    kAudioFileInvalidPacketDependencyError = 'dep?', /* the dependencies are missing */
    kAudioFileInvalidFileError = 'dta?',             /* the file is damaged, or of another type */
    kAudioFileOperationNotSupportedError = 0x6F703F3F, /* 'op??', whose end C11 reads as a trigraph */
    kAudioFileNotOpenError = -38,                    /* the file is closed */
    kAudioFileEndOfFileError = -39,                  /* the end of the file */
    kAudioFilePositionError = -40,                   /* the offset is outside the file */
    kAudioFileFileNotFoundError = -43                /* there is no such file */
};

/* The options for creating a file. */
AUDIO_OPTIONS(UInt32, AudioFileFlags) {
    kAudioFileFlags_EraseFile = 1U << 0,             /* overwrites an existing file */
    kAudioFileFlags_DontPageAlignAudioData = 1U << 1 /* no padding before the audio data, as always here */
};

/* The permissions of an open file. */
AUDIO_ENUM(SInt8, AudioFilePermissions) {
    kAudioFileReadPermission = 1,     /* reading only */
    kAudioFileWritePermission = 2,    /* writing; here also reading */
    kAudioFileReadWritePermission = 3 /* reading and writing */
};

/* The valid frames of a file: all except priming and remainder. */
typedef struct AudioFilePacketTableInfo {
    SInt64 mNumberValidFrames; /* the valid frames */
    SInt32 mPrimingFrames;     /* priming, not played */
    SInt32 mRemainderFrames;   /* remainder, not played */
} AudioFilePacketTableInfo;

/* A frame, and the packet that holds it. */
typedef struct AudioFramePacketTranslation {
    SInt64 mFrame;               /* counted from the start of packet 0, with priming frames */
    SInt64 mPacket;              /* counted from 0 */
    UInt32 mFrameOffsetInPacket; /* the frame's offset in the packet */
} AudioFramePacketTranslation;

/* The accuracy of a translation. */
AUDIO_OPTIONS(UInt32, AudioBytePacketTranslationFlags) {
    kBytePacketTranslationFlag_IsEstimate = 1U << 0 /* estimated from the size of other packets */
};

/* A byte of the audio data, and the packet that holds it. */
typedef struct AudioBytePacketTranslation {
    SInt64 mByte;                           /* counted from the start of the audio data */
    SInt64 mPacket;                         /* counted from 0 */
    UInt32 mByteOffsetInPacket;             /* the byte's offset in the packet */
    AudioBytePacketTranslationFlags mFlags; /* whether the result is an estimate */
} AudioBytePacketTranslation;

/* The largest number of bytes of consecutive packets. */
typedef struct AudioPacketRangeByteCountTranslation {
    SInt64 mPacket;              /* the first packet */
    SInt64 mPacketCount;         /* the number of packets */
    SInt64 mByteCountUpperBound; /* the result */
} AudioPacketRangeByteCountTranslation;

/* The number of packets that must be decoded before a packet. */
typedef struct AudioPacketRollDistanceTranslation {
    SInt64 mPacket;       /* the packet */
    SInt64 mRollDistance; /* the result */
} AudioPacketRollDistanceTranslation;

/* The nearest packet, before or after a packet, that can be decoded without other packets; -1 if there is none. */
typedef struct AudioIndependentPacketTranslation {
    SInt64 mPacket;                       /* the packet to start from */
    SInt64 mIndependentlyDecodablePacket; /* the result */
} AudioIndependentPacketTranslation;

/* The dependency of a packet on earlier packets. */
typedef struct AudioPacketDependencyInfoTranslation {
    SInt64 mPacket;                   /* the packet of the query */
    UInt32 mIsIndependentlyDecodable; /* 1 or 0 */
    UInt32 mNumberPrerollPackets;     /* the number of packets to decode first */
} AudioPacketDependencyInfoTranslation;

/* A time of day on film or video tape. */
typedef struct AudioFile_SMPTE_Time {
    SInt8 mHours;                 /* hours; negative before midnight */
    UInt8 mMinutes;               /* minutes of the hour */
    UInt8 mSeconds;               /* seconds of the minute */
    UInt8 mFrames;                /* frames of the second */
    UInt32 mSubFrameSampleOffset; /* samples since the start of the frame */
} AudioFile_SMPTE_Time;

AUDIO_CONSTANTS(UInt32) { kAudioFileMarkerType_Generic = 0 /* a marker of no special type */ };

AUDIO_CONSTANTS(UInt32) {
    kAudioFileLoopDirection_NoLooping = 0,          /* played once */
    kAudioFileLoopDirection_Forward = 1,            /* played forwards each time */
    kAudioFileLoopDirection_ForwardAndBackward = 2, /* played forwards and backwards in turn */
    kAudioFileLoopDirection_Backward = 3            /* played backwards each time */
};

/* A position in the audio data. The receiver of a list has to release the names. */
typedef struct AudioFileMarker {
    Float64 mFramePosition;          /* counted from the first frame */
    CFStringRef _Nullable mName;     /* released by the receiver */
    SInt32 mMarkerID;                /* set by the file */
    AudioFile_SMPTE_Time mSMPTETime; /* all bytes 0xFF if there is no time */
    UInt32 mType;                    /* a type of marker */
    UInt16 mReserved;                /* 0 */
    UInt16 mChannel;                 /* 0: all channels */
} AudioFileMarker;

/* The markers of a file. */
typedef struct AudioFileMarkerList {
    UInt32 mSMPTE_TimeType;      /* kCAF_SMPTE_TimeType... */
    UInt32 mNumberMarkers;       /* the number of markers */
    AudioFileMarker mMarkers[1]; /* actually mNumberMarkers of them */
} AudioFileMarkerList;

/* Returns the number of markers in a list of this many bytes. */
static inline size_t NumBytesToNumAudioFileMarkers(size_t inNumBytes) {
    const size_t header = offsetof(AudioFileMarkerList, mMarkers);
    return inNumBytes < header ? 0 : (inNumBytes - header) / sizeof(AudioFileMarker);
}

/* Returns the size of a list of this many markers in bytes. */
static inline size_t NumAudioFileMarkersToNumBytes(size_t inNumMarkers) {
    return offsetof(AudioFileMarkerList, mMarkers) + inNumMarkers * sizeof(AudioFileMarker);
}

/* The playback of a region. */
AUDIO_OPTIONS(UInt32, AudioFileRegionFlags) {
    kAudioFileRegionFlag_LoopEnable = 1U << 0,  /* played repeatedly */
    kAudioFileRegionFlag_PlayForward = 1U << 1, /* played forwards */
    kAudioFileRegionFlag_PlayBackward = 1U << 2 /* played backwards; with PlayForward, in both directions */
};

/* A range of the audio data, bounded by markers. */
typedef struct AudioFileRegion {
    UInt32 mRegionID;            /* set by the file */
    CFStringRef mName;           /* released by the receiver */
    AudioFileRegionFlags mFlags; /* the playback options */
    UInt32 mNumberMarkers;       /* the number of markers, usually two */
    AudioFileMarker mMarkers[1]; /* actually mNumberMarkers of them */
} AudioFileRegion;

/* The regions of a file. */
typedef struct AudioFileRegionList {
    UInt32 mSMPTE_TimeType;      /* kCAF_SMPTE_TimeType... */
    UInt32 mNumberRegions;       /* the number of regions; their sizes vary */
    AudioFileRegion mRegions[1]; /* the first region; NextAudioFileRegion returns the next */
} AudioFileRegionList;

/* Returns the region that follows in a list. */
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
