/* SPDX-License-Identifier: MIT */

/* Descriptions of audio streams and of their packets. */
#ifndef AUDIO_STREAM_TYPES_H
#define AUDIO_STREAM_TYPES_H

#include "AudioDeclarationMacros.h"
#include "AudioFormatFlags.h"
#include "AudioFormatIDs.h"
#include "AudioScalarTypes.h"

/* The format of a stream. A field that is 0 is unknown or does not apply, except mFormatFlags. For non-interleaved
 * PCM the byte counts are those of one channel. */
typedef struct AudioStreamBasicDescription {
    Float64 mSampleRate;           /* frames a second */
    AudioFormatID mFormatID;       /* kAudioFormat... */
    AudioFormatFlags mFormatFlags; /* kAudioFormatFlag..., or flags of the format */
    UInt32 mBytesPerPacket;        /* 0: packets vary in size */
    UInt32 mFramesPerPacket;       /* 1 for PCM; 0: packets vary in frames */
    UInt32 mBytesPerFrame;         /* 0 for compressed formats */
    UInt32 mChannelsPerFrame;      /* the number of channels */
    UInt32 mBitsPerChannel;        /* valid bits of a sample; 0 for compressed formats */
    UInt32 mReserved;              /* 0 */
} AudioStreamBasicDescription;

/* Any sample rate, in lists of supported formats. */
static const Float64 kAudioStreamAnyRate = 0.0;

/* The offset and size of one packet, if sizes vary. */
typedef struct AudioStreamPacketDescription {
    SInt64 mStartOffset;            /* bytes from the start of the buffer */
    UInt32 mVariableFramesInPacket; /* 0 if every packet has the same number of frames */
    UInt32 mDataByteSize;           /* bytes */
} AudioStreamPacketDescription;

/* The dependency of a packet on earlier packets. */
typedef struct AudioStreamPacketDependencyDescription {
    UInt32 mIsIndependentlyDecodable; /* 1 or 0 */
    UInt32 mPreRollCount;             /* packets to decode first */
    UInt32 mFlags;                    /* 0 */
    UInt32 mReserved;                 /* 0 */
} AudioStreamPacketDependencyDescription;

/* An installed codec. */
typedef struct AudioClassDescription {
    OSType mType;         /* an encoder or a decoder */
    OSType mSubType;      /* a format ID */
    OSType mManufacturer; /* a codec in software or in hardware */
} AudioClassDescription;

/* MPEG-4 object types, which older code stores in mFormatFlags of AAC. */
AUDIO_ENUM(long, MPEG4ObjectID) {
    kMPEG4Object_AAC_Main = 1,     /* the main profile */
    kMPEG4Object_AAC_LC = 2,       /* low complexity, the most common */
    kMPEG4Object_AAC_SSR = 3,      /* scalable sample rate */
    kMPEG4Object_AAC_LTP = 4,      /* long-term prediction */
    kMPEG4Object_AAC_SBR = 5,      /* spectral band replication */
    kMPEG4Object_AAC_Scalable = 6, /* scalable */
    kMPEG4Object_TwinVQ = 7,       /* TwinVQ */
    kMPEG4Object_CELP = 8,         /* CELP */
    kMPEG4Object_HVXC = 9          /* HVXC */
};

#endif
