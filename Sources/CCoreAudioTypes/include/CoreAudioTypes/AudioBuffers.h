/* Buffers of audio data, one or several. */
#ifndef AUDIO_BUFFERS_H
#define AUDIO_BUFFERS_H

#include "AudioDeclarationMacros.h"
#include "AudioScalarTypes.h"

AUDIO_DECLARATIONS_BEGIN

typedef struct AudioBuffer {
    UInt32 mNumberChannels; /* interleaved in this buffer */
    UInt32 mDataByteSize;
    void *_Nullable mData;
} AudioBuffer;

typedef struct AudioBufferList {
    UInt32 mNumberBuffers;
    AudioBuffer mBuffers[1]; /* in truth mNumberBuffers of them */
} AudioBufferList;

typedef struct AudioValueRange {
    Float64 mMinimum;
    Float64 mMaximum;
} AudioValueRange;

typedef struct AudioValueTranslation {
    void *mInputData;
    UInt32 mInputDataSize;
    void *mOutputData;
    UInt32 mOutputDataSize;
} AudioValueTranslation;

AUDIO_DECLARATIONS_END

#endif
