/* Buffers of audio data, one or several. */
#ifndef AUDIO_BUFFERS_H
#define AUDIO_BUFFERS_H

#include "AudioDeclarationMacros.h"
#include "AudioScalarTypes.h"

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
    void *_Nonnull mInputData;
    UInt32 mInputDataSize;
    void *_Nonnull mOutputData;
    UInt32 mOutputDataSize;
} AudioValueTranslation;

#endif
