/* SPDX-License-Identifier: MIT */

/* Buffers of audio data, and pairs of numbers and of addresses. */
#ifndef AUDIO_BUFFERS_H
#define AUDIO_BUFFERS_H

#include "AudioDeclarationMacros.h"
#include "AudioScalarTypes.h"

AUDIO_DECLARATIONS_BEGIN

/* Audio of one channel, or of several interleaved. */
typedef struct AudioBuffer {
    UInt32 mNumberChannels; /* the number of channels interleaved in this buffer */
    UInt32 mDataByteSize;   /* bytes */
    void *_Nullable mData;  /* NULL if the callee provides the memory */
} AudioBuffer;

/* Related buffers of audio: one for each channel, or one with all channels interleaved. */
typedef struct AudioBufferList {
    UInt32 mNumberBuffers;   /* the number of buffers */
    AudioBuffer mBuffers[1]; /* actually mNumberBuffers of them */
} AudioBufferList;

/* A range of numbers; a single number is both ends. */
typedef struct AudioValueRange {
    Float64 mMinimum; /* the lowest */
    Float64 mMaximum; /* the highest */
} AudioValueRange;

/* The argument and the result of a query in one property. */
typedef struct AudioValueTranslation {
    void *mInputData;       /* the query */
    UInt32 mInputDataSize;  /* bytes */
    void *mOutputData;      /* the memory for the result */
    UInt32 mOutputDataSize; /* bytes */
} AudioValueTranslation;

AUDIO_DECLARATIONS_END

#endif
