/* Audio Queue Services: plays and records through buffers that go round, each given back by a callback. */
#ifndef AUDIO_QUEUE_H
#define AUDIO_QUEUE_H

#include <AudioToolbox/AudioQueueTypes.h>
#include <CoreAudio/AudioCoreFoundation.h>

AUDIO_DECLARATIONS_BEGIN

/* A channel of the queue's format, sent to a channel of a device. */
typedef struct AudioQueueChannelAssignment {
    CFStringRef mDeviceUID; /* the device's name */
    UInt32 mChannelNumber;  /* counted from 1 */
} AudioQueueChannelAssignment;

/* Gives back a buffer whose data the queue has taken; it need not have been heard yet. */
typedef void (*AudioQueueOutputCallback)(
    void *_Nullable inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);

/* Hands over a buffer of recorded audio, with the time of its first sample. */
typedef void (*AudioQueueInputCallback)(
    void *_Nullable inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer,
    const AudioTimeStamp *inStartTime, UInt32 inNumberPacketDescriptions,
    const AudioStreamPacketDescription *_Nullable inPacketDescs);

/* Tells that a property has changed. */
typedef void (*AudioQueuePropertyListenerProc)(
    void *_Nullable inUserData, AudioQueueRef inAQ, AudioQueuePropertyID inID);

/* Changes, or only sees, the audio on its way through a queue. */
typedef void (*AudioQueueProcessingTapCallback)(
    void *inClientData, AudioQueueProcessingTapRef inAQTap, UInt32 inNumberFrames,
    AudioTimeStamp *ioTimeStamp, AudioQueueProcessingTapFlags *ioFlags, UInt32 *outNumberFrames,
    AudioBufferList *ioData);

/* Creates a queue that plays. Without a run loop its callbacks run on a thread of the queue. */
OSStatus AudioQueueNewOutput(
    const AudioStreamBasicDescription *inFormat, AudioQueueOutputCallback inCallbackProc,
    void *_Nullable inUserData, CFRunLoopRef _Nullable inCallbackRunLoop,
    CFStringRef _Nullable inCallbackRunLoopMode, UInt32 inFlags, AudioQueueRef _Nullable *_Nonnull outAQ);

/* Creates a queue that records. Without a run loop its callbacks run on a thread of the queue. */
OSStatus AudioQueueNewInput(
    const AudioStreamBasicDescription *inFormat, AudioQueueInputCallback inCallbackProc,
    void *_Nullable inUserData, CFRunLoopRef _Nullable inCallbackRunLoop,
    CFStringRef _Nullable inCallbackRunLoopMode, UInt32 inFlags, AudioQueueRef _Nullable *_Nonnull outAQ);

#if AUDIO_HAS_BLOCKS

/* AudioQueueOutputCallback as a block. */
typedef void (^AudioQueueOutputCallbackBlock)(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);

/* AudioQueueInputCallback as a block. */
typedef void (^AudioQueueInputCallbackBlock)(
    AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, const AudioTimeStamp *inStartTime,
    UInt32 inNumberPacketDescriptions, const AudioStreamPacketDescription *_Nullable inPacketDescs);

/* Creates a queue that plays and calls a block on a dispatch queue. */
OSStatus AudioQueueNewOutputWithDispatchQueue(
    AudioQueueRef _Nullable *_Nonnull outAQ, const AudioStreamBasicDescription *inFormat, UInt32 inFlags,
    dispatch_queue_t inCallbackDispatchQueue, AudioQueueOutputCallbackBlock inCallbackBlock)
    AUDIO_REFINED_FOR_SWIFT;

/* Creates a queue that records and calls a block on a dispatch queue. */
OSStatus AudioQueueNewInputWithDispatchQueue(
    AudioQueueRef _Nullable *_Nonnull outAQ, const AudioStreamBasicDescription *inFormat, UInt32 inFlags,
    dispatch_queue_t inCallbackDispatchQueue, AudioQueueInputCallbackBlock inCallbackBlock)
    AUDIO_REFINED_FOR_SWIFT;

#endif

/* Ends the queue and frees its buffers, timelines and tap: at once, or after what is enqueued. */
OSStatus AudioQueueDispose(AudioQueueRef inAQ, Boolean inImmediate);

/* Allocates a buffer of so many bytes. */
OSStatus AudioQueueAllocateBuffer(
    AudioQueueRef inAQ, UInt32 inBufferByteSize, AudioQueueBufferRef _Nullable *_Nonnull outBuffer);

/* Allocates a buffer with room for packet descriptions of its own. */
OSStatus AudioQueueAllocateBufferWithPacketDescriptions(
    AudioQueueRef inAQ, UInt32 inBufferByteSize, UInt32 inNumberPacketDescriptions,
    AudioQueueBufferRef _Nullable *_Nonnull outBuffer);

/* Frees a buffer that is not enqueued. */
OSStatus AudioQueueFreeBuffer(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);

/* Appends a buffer to those that are to be played or filled. */
OSStatus AudioQueueEnqueueBuffer(
    AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, UInt32 inNumPacketDescs,
    const AudioStreamPacketDescription *_Nullable inPacketDescs);

/* Appends a buffer to those that are to be played, trimmed, with parameters, at a time. */
OSStatus AudioQueueEnqueueBufferWithParameters(
    AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, UInt32 inNumPacketDescs,
    const AudioStreamPacketDescription *_Nullable inPacketDescs, UInt32 inTrimFramesAtStart,
    UInt32 inTrimFramesAtEnd, UInt32 inNumParamValues,
    const AudioQueueParameterEvent *_Nullable inParamValues, const AudioTimeStamp *_Nullable inStartTime,
    AudioTimeStamp *_Nullable outActualStartTime);

/* Starts or resumes, at a time of the device or as soon as possible. */
OSStatus AudioQueueStart(AudioQueueRef inAQ, const AudioTimeStamp *_Nullable inStartTime);

/* Decodes frames ahead, so that the start will be prompt; 0 for all that is enqueued. */
OSStatus AudioQueuePrime(
    AudioQueueRef inAQ, UInt32 inNumberOfFramesToPrepare, UInt32 *_Nullable outNumberOfFramesPrepared);

/* Stops: at once, or when all that is enqueued has been played or filled. */
OSStatus AudioQueueStop(AudioQueueRef inAQ, Boolean inImmediate);

/* Halts, keeping the buffers and the position. */
OSStatus AudioQueuePause(AudioQueueRef inAQ);

/* Marks an end in what is enqueued, where the decoder gives up its last frames. */
OSStatus AudioQueueFlush(AudioQueueRef inAQ);

/* Drops what is enqueued and forgets the decoder's state. */
OSStatus AudioQueueReset(AudioQueueRef inAQ);

/* Reads a parameter. */
OSStatus AudioQueueGetParameter(
    AudioQueueRef inAQ, AudioQueueParameterID inParamID, AudioQueueParameterValue *outValue);

/* Changes a parameter from now on. */
OSStatus AudioQueueSetParameter(
    AudioQueueRef inAQ, AudioQueueParameterID inParamID, AudioQueueParameterValue inValue);

/* Copies a property's value into outData, which holds *ioDataSize bytes. */
OSStatus AudioQueueGetProperty(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, void *outData, UInt32 *ioDataSize);

/* Changes a property. */
OSStatus AudioQueueSetProperty(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, const void *inData, UInt32 inDataSize);

/* Tells how many bytes a property's value has. */
OSStatus AudioQueueGetPropertySize(AudioQueueRef inAQ, AudioQueuePropertyID inID, UInt32 *outDataSize);

/* Has the listener called when the property changes. */
OSStatus AudioQueueAddPropertyListener(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, AudioQueuePropertyListenerProc inProc,
    void *_Nullable inUserData);

/* Undoes AudioQueueAddPropertyListener for the same arguments. */
OSStatus AudioQueueRemovePropertyListener(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, AudioQueuePropertyListenerProc inProc,
    void *_Nullable inUserData);

/* Creates a record of the gaps in the queue's time. */
OSStatus AudioQueueCreateTimeline(AudioQueueRef inAQ, AudioQueueTimelineRef _Nullable *_Nonnull outTimeline);

/* Frees a timeline before its queue. */
OSStatus AudioQueueDisposeTimeline(AudioQueueRef inAQ, AudioQueueTimelineRef inTimeline);

/* Tells the queue's time, and whether the timeline has had a gap since it was asked last. */
OSStatus AudioQueueGetCurrentTime(
    AudioQueueRef inAQ, AudioQueueTimelineRef _Nullable inTimeline, AudioTimeStamp *_Nullable outTimeStamp,
    Boolean *_Nullable outTimelineDiscontinuity) AUDIO_REFINED_FOR_SWIFT;

/* Tells the device's time. */
OSStatus AudioQueueDeviceGetCurrentTime(AudioQueueRef inAQ, AudioTimeStamp *outTimeStamp);

/* Translates between the device's sample times and host times. */
OSStatus AudioQueueDeviceTranslateTime(
    AudioQueueRef inAQ, const AudioTimeStamp *inTime, AudioTimeStamp *outTime);

/* Tells the time nearest to the one asked for at which the queue can start. */
OSStatus AudioQueueDeviceGetNearestStartTime(
    AudioQueueRef inAQ, AudioTimeStamp *ioRequestedStartTime, UInt32 inFlags);

/* Turns the queue from its device to AudioQueueOfflineRender, or back again without a format. */
OSStatus AudioQueueSetOfflineRenderFormat(
    AudioQueueRef inAQ, const AudioStreamBasicDescription *_Nullable inFormat,
    const AudioChannelLayout *_Nullable inLayout);

/* Renders frames of what is enqueued into a buffer. */
OSStatus AudioQueueOfflineRender(
    AudioQueueRef inAQ, const AudioTimeStamp *inTimestamp, AudioQueueBufferRef ioBuffer,
    UInt32 inNumberFrames);

/* Puts a tap into a stopped queue. */
OSStatus AudioQueueProcessingTapNew(
    AudioQueueRef inAQ, AudioQueueProcessingTapCallback inCallback, void *_Nullable inClientData,
    AudioQueueProcessingTapFlags inFlags, UInt32 *outMaxFrames,
    AudioStreamBasicDescription *outProcessingFormat,
    AudioQueueProcessingTapRef _Nullable *_Nonnull outAQTap);

/* Takes a tap out of its queue. */
OSStatus AudioQueueProcessingTapDispose(AudioQueueProcessingTapRef inAQTap);

/* Gets, within a tap's callback, the audio that the tap is to process. */
OSStatus AudioQueueProcessingTapGetSourceAudio(
    AudioQueueProcessingTapRef inAQTap, UInt32 inNumberFrames, AudioTimeStamp *ioTimeStamp,
    AudioQueueProcessingTapFlags *outFlags, UInt32 *outNumberFrames, AudioBufferList *ioData);

/* Tells, within a tap's callback, the queue's time of the source audio. */
OSStatus AudioQueueProcessingTapGetQueueTime(
    AudioQueueProcessingTapRef inAQTap, Float64 *outQueueSampleTime, UInt32 *outQueueFrameCount);

AUDIO_DECLARATIONS_END

#endif
