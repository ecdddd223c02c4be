/* SPDX-License-Identifier: MIT */

/* Samples with their format and times. A sample is a frame of PCM, or a packet of a compressed format. */
#ifndef CM_SAMPLE_BUFFER_H
#define CM_SAMPLE_BUFFER_H

#include <CoreMedia/CMBlockBuffer.h>
#include <CoreMedia/CMFormatDescription.h>
#include <CoreMedia/CMTime.h>

AUDIO_DECLARATIONS_BEGIN
AUDIO_OBJECTS_BEGIN

/* An object with samples, their format and times. */
typedef struct AUDIO_OBJECT opaqueCMSampleBuffer *CMSampleBufferRef;

#pragma pack(push, 4)
/* The times of a sample. */
typedef struct CMSampleTimingInfo {
    CMTime duration;              /* the duration of the sample */
    CMTime presentationTimeStamp; /* the time when it is played, or was captured */
    CMTime decodeTimeStamp;       /* the time when it is decoded; invalid if the order is the same */
} CMSampleTimingInfo;
#pragma pack(pop)

/* Times that are all invalid. */
extern const CMSampleTimingInfo kCMTimingInfoInvalid;

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kCMSampleBufferError_AllocationFailed = -12730,             /* not enough memory */
    kCMSampleBufferError_RequiredParameterMissing = -12731,     /* an argument is NULL, or not of its type */
    kCMSampleBufferError_AlreadyHasDataBuffer = -12732,         /* the data is set already */
    kCMSampleBufferError_BufferNotReady = -12733,               /* there is no data so far */
    kCMSampleBufferError_SampleIndexOutOfRange = -12734,        /* the buffer has fewer samples */
    kCMSampleBufferError_BufferHasNoSampleSizes = -12735,       /* the buffer has no sizes */
    kCMSampleBufferError_BufferHasNoSampleTimingInfo = -12736,  /* the buffer has no times */
    kCMSampleBufferError_ArrayTooSmall = -12737,                /* the caller's memory is too small */
    kCMSampleBufferError_InvalidEntryCount = -12738,            /* not 0, 1 or one entry for each sample */
    kCMSampleBufferError_CannotSubdivide = -12739,              /* the samples cannot be divided */
    kCMSampleBufferError_SampleTimingInfoInvalid = -12740,      /* the times are not numbers */
    kCMSampleBufferError_InvalidMediaTypeForOperation = -12741, /* the samples are not audio */
    kCMSampleBufferError_InvalidSampleData = -12742,            /* the data does not contain the samples */
    kCMSampleBufferError_InvalidMediaFormat = -12743,           /* the format is not the one that is required */
    kCMSampleBufferError_Invalidated = -12744,                  /* the buffer was invalidated */
    kCMSampleBufferError_DataFailed = -16750,                   /* the data could not be loaded */
    kCMSampleBufferError_DataCanceled = -16751                  /* loading was cancelled */
};

/* Options of buffer lists. */
AUDIO_CONSTANTS(uint32_t) {
    kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment = 1U << 0 /* each buffer at a multiple of 16 bytes */
};

/* Provides the data of a sample buffer. */
typedef OSStatus (*CMSampleBufferMakeDataReadyCallback)(
    CMSampleBufferRef sbuf, void *_Nullable makeDataReadyRefcon);

/* Returns the type of sample buffers. */
CFTypeID CMSampleBufferGetTypeID(void);

/* Creates a sample buffer. There are 0 entries of times or sizes, one for all samples, or one for each. */
OSStatus CMSampleBufferCreate(
    CFAllocatorRef _Nullable allocator, CMBlockBufferRef _Nullable dataBuffer, Boolean dataReady,
    CMSampleBufferMakeDataReadyCallback _Nullable makeDataReadyCallback, void *_Nullable makeDataReadyRefcon,
    CMFormatDescriptionRef _Nullable formatDescription, CMItemCount numSamples, CMItemCount numSampleTimingEntries,
    const CMSampleTimingInfo *_Nullable sampleTimingArray, CMItemCount numSampleSizeEntries,
    const size_t *_Nullable sampleSizeArray, AUDIO_RETURNS_RETAINED CMSampleBufferRef _Nullable *sampleBufferOut)
    AUDIO_SWIFT_NAME(
        CMSampleBufferCreate(allocator:dataBuffer:dataReady:makeDataReadyCallback:refcon:formatDescription:sampleCount:sampleTimingEntryCount:sampleTimingArray:sampleSizeEntryCount:sampleSizeArray:sampleBufferOut:));

/* Creates a sample buffer whose data is ready. */
OSStatus CMSampleBufferCreateReady(
    CFAllocatorRef _Nullable allocator, CMBlockBufferRef _Nullable dataBuffer,
    CMFormatDescriptionRef _Nullable formatDescription, CMItemCount numSamples, CMItemCount numSampleTimingEntries,
    const CMSampleTimingInfo *_Nullable sampleTimingArray, CMItemCount numSampleSizeEntries,
    const size_t *_Nullable sampleSizeArray, AUDIO_RETURNS_RETAINED CMSampleBufferRef _Nullable *sampleBufferOut)
    AUDIO_SWIFT_NAME(
        CMSampleBufferCreateReady(allocator:dataBuffer:formatDescription:sampleCount:sampleTimingEntryCount:sampleTimingArray:sampleSizeEntryCount:sampleSizeArray:sampleBufferOut:));

/* Creates a sample buffer of audio: durations follow from the format; the packets' sizes from their descriptions or, if
 * those are NULL, from the format. */
OSStatus CMAudioSampleBufferCreateWithPacketDescriptions(
    CFAllocatorRef _Nullable allocator, CMBlockBufferRef _Nullable dataBuffer, Boolean dataReady,
    CMSampleBufferMakeDataReadyCallback _Nullable makeDataReadyCallback, void *_Nullable makeDataReadyRefcon,
    CMFormatDescriptionRef formatDescription, CMItemCount numSamples, CMTime presentationTimeStamp,
    const AudioStreamPacketDescription *_Nullable packetDescriptions,
    AUDIO_RETURNS_RETAINED CMSampleBufferRef _Nullable *sampleBufferOut)
    AUDIO_SWIFT_NAME(
        CMAudioSampleBufferCreateWithPacketDescriptions(allocator:dataBuffer:dataReady:makeDataReadyCallback:refcon:formatDescription:sampleCount:presentationTimeStamp:packetDescriptions:sampleBufferOut:));

/* Creates a sample buffer of audio whose data is ready. */
OSStatus CMAudioSampleBufferCreateReadyWithPacketDescriptions(
    CFAllocatorRef _Nullable allocator, CMBlockBufferRef dataBuffer, CMFormatDescriptionRef formatDescription,
    CMItemCount numSamples, CMTime presentationTimeStamp,
    const AudioStreamPacketDescription *_Nullable packetDescriptions,
    AUDIO_RETURNS_RETAINED CMSampleBufferRef _Nullable *sampleBufferOut)
    AUDIO_SWIFT_NAME(
        CMAudioSampleBufferCreateReadyWithPacketDescriptions(allocator:dataBuffer:formatDescription:sampleCount:presentationTimeStamp:packetDescriptions:sampleBufferOut:));

/* Sets the data of a sample buffer that has none. */
OSStatus CMSampleBufferSetDataBuffer(CMSampleBufferRef sbuf, CMBlockBufferRef dataBuffer)
    AUDIO_SWIFT_NAME(CMSampleBufferSetDataBuffer(_:newValue:));

/* Returns the data, or NULL. */
CMBlockBufferRef _Nullable CMSampleBufferGetDataBuffer(CMSampleBufferRef sbuf);

/* Copies the buffers of a list into one block, one after the other, which becomes the data and is ready. */
OSStatus CMSampleBufferSetDataBufferFromAudioBufferList(
    CMSampleBufferRef sbuf, CFAllocatorRef _Nullable blockBufferStructureAllocator,
    CFAllocatorRef _Nullable blockBufferBlockAllocator, uint32_t flags, const AudioBufferList *bufferList)
    AUDIO_SWIFT_NAME(
        CMSampleBufferSetDataBufferFromAudioBufferList(_:blockBufferAllocator:blockBufferMemoryAllocator:flags:bufferList:));

/* Makes a list of buffers over the data, or over a contiguous copy, and returns the block buffer that owns their
 * memory. If the list is NULL, only its size is returned. */
OSStatus CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
    CMSampleBufferRef sbuf, size_t *_Nullable bufferListSizeNeededOut, AudioBufferList *_Nullable bufferListOut,
    size_t bufferListSize, CFAllocatorRef _Nullable blockBufferStructureAllocator,
    CFAllocatorRef _Nullable blockBufferBlockAllocator, uint32_t flags,
    AUDIO_RETURNS_RETAINED CMBlockBufferRef _Nullable *_Nullable blockBufferOut)
    AUDIO_SWIFT_NAME(
        CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(_:bufferListSizeNeededOut:bufferListOut:bufferListSize:blockBufferAllocator:blockBufferMemoryAllocator:flags:blockBufferOut:));

/* Copies the descriptions of the packets. If they are NULL, only their size is returned. */
OSStatus CMSampleBufferGetAudioStreamPacketDescriptions(
    CMSampleBufferRef sbuf, size_t packetDescriptionsSize,
    AudioStreamPacketDescription *_Nullable packetDescriptionsOut, size_t *_Nullable packetDescriptionsSizeNeededOut)
    AUDIO_SWIFT_NAME(
        CMSampleBufferGetAudioStreamPacketDescriptions(_:packetDescriptionsSize:packetDescriptionsOut:packetDescriptionsSizeNeededOut:));

/* Copies frames of PCM into the buffers of a list, and sets the buffers' sizes. */
OSStatus CMSampleBufferCopyPCMDataIntoAudioBufferList(
    CMSampleBufferRef sbuf, int32_t frameOffset, int32_t numFrames, AudioBufferList *bufferList)
    AUDIO_SWIFT_NAME(CMSampleBufferCopyPCMDataIntoAudioBufferList(_:at:frameCount:into:));

/* Marks the data as ready. */
OSStatus CMSampleBufferSetDataReady(CMSampleBufferRef sbuf);

/* Returns whether the data is ready. */
Boolean CMSampleBufferDataIsReady(CMSampleBufferRef sbuf);

/* Calls the callback that provides the data, unless the data is ready. */
OSStatus CMSampleBufferMakeDataReady(CMSampleBufferRef sbuf);

/* Makes a buffer invalid. */
OSStatus CMSampleBufferInvalidate(CMSampleBufferRef sbuf);

/* Returns whether a buffer is valid. */
Boolean CMSampleBufferIsValid(CMSampleBufferRef sbuf);

/* Returns the number of samples. */
CMItemCount CMSampleBufferGetNumSamples(CMSampleBufferRef sbuf);

/* Returns the duration of all samples; an invalid time if there are no times. */
CMTime CMSampleBufferGetDuration(CMSampleBufferRef sbuf);

/* Returns the earliest time of a sample; an invalid time if there are no times. */
CMTime CMSampleBufferGetPresentationTimeStamp(CMSampleBufferRef sbuf);

/* Returns the decoding time of the first sample; an invalid time if there is none. */
CMTime CMSampleBufferGetDecodeTimeStamp(CMSampleBufferRef sbuf);

/* Returns the times of a sample. */
OSStatus CMSampleBufferGetSampleTimingInfo(
    CMSampleBufferRef sbuf, CMItemIndex sampleIndex, CMSampleTimingInfo *timingInfoOut)
    AUDIO_SWIFT_NAME(CMSampleBufferGetSampleTimingInfo(_:at:timingInfoOut:));

/* Returns the bytes of a sample, or 0. */
size_t CMSampleBufferGetSampleSize(CMSampleBufferRef sbuf, CMItemIndex sampleIndex)
    AUDIO_SWIFT_NAME(CMSampleBufferGetSampleSize(_:at:));

/* Returns the bytes of all samples, or 0. */
size_t CMSampleBufferGetTotalSampleSize(CMSampleBufferRef sbuf);

/* Returns the format, or NULL. */
CMFormatDescriptionRef _Nullable CMSampleBufferGetFormatDescription(CMSampleBufferRef sbuf);

AUDIO_OBJECTS_END
AUDIO_DECLARATIONS_END

#endif
