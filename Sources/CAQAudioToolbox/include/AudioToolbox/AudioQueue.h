/* SPDX-License-Identifier: MIT */

/* Audio Queue Services: playback and recording through buffers that a callback returns. */
#ifndef AUDIO_QUEUE_H
#define AUDIO_QUEUE_H

#include <AudioToolbox/AudioQueueTypes.h>
#include <CoreAudio/AudioCoreFoundation.h>

AUDIO_DECLARATIONS_BEGIN

/* The assignment of a channel of the queue's format to a channel of a device. */
typedef struct AudioQueueChannelAssignment {
    CFStringRef mDeviceUID; /* the device's name */
    UInt32 mChannelNumber;  /* the device's channel, from 1 */
} AudioQueueChannelAssignment;

/* Returns a buffer whose data the queue has taken; the audio may become audible later. */
typedef void (*AudioQueueOutputCallback)(
    void *_Nullable inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);

/* Delivers a buffer of recorded audio, with the time of its first sample. */
typedef void (*AudioQueueInputCallback)(
    void *_Nullable inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer,
    const AudioTimeStamp *inStartTime, UInt32 inNumberPacketDescriptions,
    const AudioStreamPacketDescription *_Nullable inPacketDescs);

/* Called after a property has changed. */
typedef void (*AudioQueuePropertyListenerProc)(
    void *_Nullable inUserData, AudioQueueRef inAQ, AudioQueuePropertyID inID);

/* Processes, or only receives, the audio of a queue. */
typedef void (*AudioQueueProcessingTapCallback)(
    void *inClientData, AudioQueueProcessingTapRef inAQTap, UInt32 inNumberFrames,
    AudioTimeStamp *ioTimeStamp, AudioQueueProcessingTapFlags *ioFlags, UInt32 *outNumberFrames,
    AudioBufferList *ioData);

/* Creates a playback queue. If the run loop is NULL, callbacks run on a thread of the library. */
OSStatus AudioQueueNewOutput(
    const AudioStreamBasicDescription *inFormat, AudioQueueOutputCallback inCallbackProc,
    void *_Nullable inUserData, CFRunLoopRef _Nullable inCallbackRunLoop,
    CFStringRef _Nullable inCallbackRunLoopMode, UInt32 inFlags, AudioQueueRef _Nullable *_Nonnull outAQ);

/* Creates a recording queue. If the run loop is NULL, callbacks run on a thread of the library. */
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

/* Creates a playback queue that calls a block on a dispatch queue. */
OSStatus AudioQueueNewOutputWithDispatchQueue(
    AudioQueueRef _Nullable *_Nonnull outAQ, const AudioStreamBasicDescription *inFormat, UInt32 inFlags,
    dispatch_queue_t inCallbackDispatchQueue, AudioQueueOutputCallbackBlock inCallbackBlock)
    AUDIO_REFINED_FOR_SWIFT;

/* Creates a recording queue that calls a block on a dispatch queue. */
OSStatus AudioQueueNewInputWithDispatchQueue(
    AudioQueueRef _Nullable *_Nonnull outAQ, const AudioStreamBasicDescription *inFormat, UInt32 inFlags,
    dispatch_queue_t inCallbackDispatchQueue, AudioQueueInputCallbackBlock inCallbackBlock)
    AUDIO_REFINED_FOR_SWIFT;

#endif

/* Ends the queue and frees its buffers, timelines and tap: at once, or after the enqueued buffers were played. */
OSStatus AudioQueueDispose(AudioQueueRef inAQ, Boolean inImmediate);

/* Allocates a buffer of the given size. */
OSStatus AudioQueueAllocateBuffer(
    AudioQueueRef inAQ, UInt32 inBufferByteSize, AudioQueueBufferRef _Nullable *_Nonnull outBuffer);

/* Allocates a buffer with room for packet descriptions of its own. */
OSStatus AudioQueueAllocateBufferWithPacketDescriptions(
    AudioQueueRef inAQ, UInt32 inBufferByteSize, UInt32 inNumberPacketDescriptions,
    AudioQueueBufferRef _Nullable *_Nonnull outBuffer);

/* Frees a buffer that is not enqueued. */
OSStatus AudioQueueFreeBuffer(AudioQueueRef inAQ, AudioQueueBufferRef inBuffer);

/* Appends a buffer to those that will be played or filled. */
OSStatus AudioQueueEnqueueBuffer(
    AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, UInt32 inNumPacketDescs,
    const AudioStreamPacketDescription *_Nullable inPacketDescs);

/* Appends a buffer to those that will be played, with trims, parameters and a start time. */
OSStatus AudioQueueEnqueueBufferWithParameters(
    AudioQueueRef inAQ, AudioQueueBufferRef inBuffer, UInt32 inNumPacketDescs,
    const AudioStreamPacketDescription *_Nullable inPacketDescs, UInt32 inTrimFramesAtStart,
    UInt32 inTrimFramesAtEnd, UInt32 inNumParamValues,
    const AudioQueueParameterEvent *_Nullable inParamValues, const AudioTimeStamp *_Nullable inStartTime,
    AudioTimeStamp *_Nullable outActualStartTime);

/* Starts the queue, at a host or device time or as soon as possible, or resumes it. */
OSStatus AudioQueueStart(AudioQueueRef inAQ, const AudioTimeStamp *_Nullable inStartTime);

/* Decodes frames ahead for a quick start; 0 selects as many as are usually decoded ahead. */
OSStatus AudioQueuePrime(
    AudioQueueRef inAQ, UInt32 inNumberOfFramesToPrepare, UInt32 *_Nullable outNumberOfFramesPrepared);

/* Stops the queue: at once, or when all enqueued buffers have been played or filled. */
OSStatus AudioQueueStop(AudioQueueRef inAQ, Boolean inImmediate);

/* Pauses the queue, which keeps its buffers and its position. */
OSStatus AudioQueuePause(AudioQueueRef inAQ);

/* Marks an end in the enqueued buffers, where the decoder outputs its last frames. A recording queue returns the
 * buffer that it is filling. */
OSStatus AudioQueueFlush(AudioQueueRef inAQ);

/* Returns all buffers; a playback queue drops their audio and resets the decoder. */
OSStatus AudioQueueReset(AudioQueueRef inAQ);

/* Returns the value of a parameter. */
OSStatus AudioQueueGetParameter(
    AudioQueueRef inAQ, AudioQueueParameterID inParamID, AudioQueueParameterValue *outValue);

/* Sets a parameter for the audio that becomes audible after the call. */
OSStatus AudioQueueSetParameter(
    AudioQueueRef inAQ, AudioQueueParameterID inParamID, AudioQueueParameterValue inValue);

/* Copies a property's value into outData, which holds *ioDataSize bytes. */
OSStatus AudioQueueGetProperty(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, void *outData, UInt32 *ioDataSize);

/* Sets a property. */
OSStatus AudioQueueSetProperty(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, const void *inData, UInt32 inDataSize);

/* Returns the size of a property's value. */
OSStatus AudioQueueGetPropertySize(AudioQueueRef inAQ, AudioQueuePropertyID inID, UInt32 *outDataSize);

/* Adds a listener that is called when the property changes: IsRunning, ConverterError, CurrentDevice, or the device's
 * sample rate or number of channels. */
OSStatus AudioQueueAddPropertyListener(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, AudioQueuePropertyListenerProc inProc,
    void *_Nullable inUserData);

/* Removes a listener that was added with the same arguments. */
OSStatus AudioQueueRemovePropertyListener(
    AudioQueueRef inAQ, AudioQueuePropertyID inID, AudioQueuePropertyListenerProc inProc,
    void *_Nullable inUserData);

/* Creates a record of the gaps in the queue's time. */
OSStatus AudioQueueCreateTimeline(AudioQueueRef inAQ, AudioQueueTimelineRef _Nullable *_Nonnull outTimeline);

/* Frees a timeline before its queue. */
OSStatus AudioQueueDisposeTimeline(AudioQueueRef inAQ, AudioQueueTimelineRef inTimeline);

/* Returns the queue's time, and whether the timeline has had a gap since its last query. */
OSStatus AudioQueueGetCurrentTime(
    AudioQueueRef inAQ, AudioQueueTimelineRef _Nullable inTimeline, AudioTimeStamp *_Nullable outTimeStamp,
    Boolean *_Nullable outTimelineDiscontinuity) AUDIO_REFINED_FOR_SWIFT;

/* Returns the device's time. */
OSStatus AudioQueueDeviceGetCurrentTime(AudioQueueRef inAQ, AudioTimeStamp *outTimeStamp);

/* Translates between the device's sample times and host times. */
OSStatus AudioQueueDeviceTranslateTime(
    AudioQueueRef inAQ, const AudioTimeStamp *inTime, AudioTimeStamp *outTime);

/* Returns the time nearest to the requested one at which the queue can start. */
OSStatus AudioQueueDeviceGetNearestStartTime(
    AudioQueueRef inAQ, AudioTimeStamp *ioRequestedStartTime, UInt32 inFlags);

/* Switches the queue to AudioQueueOfflineRender, or back to its device if the format is NULL. */
OSStatus AudioQueueSetOfflineRenderFormat(
    AudioQueueRef inAQ, const AudioStreamBasicDescription *_Nullable inFormat,
    const AudioChannelLayout *_Nullable inLayout);

/* Renders frames of the enqueued buffers into a buffer. */
OSStatus AudioQueueOfflineRender(
    AudioQueueRef inAQ, const AudioTimeStamp *inTimestamp, AudioQueueBufferRef ioBuffer,
    UInt32 inNumberFrames);

/* Adds a tap to a stopped queue. */
OSStatus AudioQueueProcessingTapNew(
    AudioQueueRef inAQ, AudioQueueProcessingTapCallback inCallback, void *_Nullable inClientData,
    AudioQueueProcessingTapFlags inFlags, UInt32 *outMaxFrames,
    AudioStreamBasicDescription *outProcessingFormat,
    AudioQueueProcessingTapRef _Nullable *_Nonnull outAQTap);

/* Removes a tap from its queue. */
OSStatus AudioQueueProcessingTapDispose(AudioQueueProcessingTapRef inAQTap);

/* Returns the audio that the tap processes, within the tap's callback. */
OSStatus AudioQueueProcessingTapGetSourceAudio(
    AudioQueueProcessingTapRef inAQTap, UInt32 inNumberFrames, AudioTimeStamp *ioTimeStamp,
    AudioQueueProcessingTapFlags *outFlags, UInt32 *outNumberFrames, AudioBufferList *ioData);

/* Returns the queue's time of the source audio, within the tap's callback. */
OSStatus AudioQueueProcessingTapGetQueueTime(
    AudioQueueProcessingTapRef inAQTap, Float64 *outQueueSampleTime, UInt32 *outQueueFrameCount);

AUDIO_DECLARATIONS_END

#endif
