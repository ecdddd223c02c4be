#ifndef AUDIO_QUEUE_TYPES_H
#define AUDIO_QUEUE_TYPES_H
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

typedef struct AudioQueueBuffer {
    const UInt32 mAudioDataBytesCapacity;
    void * _Nonnull const mAudioData;
    UInt32 mAudioDataByteSize;
    void * _Nullable mUserData;
    const UInt32 mPacketDescriptionCapacity;
    AudioStreamPacketDescription * _Nullable const mPacketDescriptions;
    UInt32 mPacketDescriptionCount;
} AudioQueueBuffer;
#endif
