/* SPDX-License-Identifier: MIT */

/* The part of the hardware API that audio programs use: devices, defaults, names, capabilities, changes, and procedures
 * that a device calls for each cycle. */
#ifndef AUDIO_HARDWARE_H
#define AUDIO_HARDWARE_H

#include <CoreAudio/AudioHardwareBase.h>
#include <CoreAudioTypes/CoreAudioTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* The number of a device. */
typedef AudioObjectID AudioDeviceID;
/* The number of a device's stream. */
typedef AudioObjectID AudioStreamID;

AUDIO_CONSTANTS(AudioObjectID) {
    kAudioObjectSystemObject = 1,             /* the owner of the devices */
    kAudioDeviceUnknown = kAudioObjectUnknown /* no device */
};

AUDIO_CONSTANTS(AudioClassID) { kAudioSystemObjectClassID = 'asys' /* the system object */ };

AUDIO_CONSTANTS(AudioObjectPropertyScope) {
    kAudioDevicePropertyScopeInput = kAudioObjectPropertyScopeInput,   /* the device's inputs */
    kAudioDevicePropertyScopeOutput = kAudioObjectPropertyScopeOutput, /* the device's outputs */
    /* The play-through of the device's inputs. */
    kAudioDevicePropertyScopePlayThrough = kAudioObjectPropertyScopePlayThrough
};

/* Properties of the system object. */
AUDIO_CONSTANTS(AudioObjectPropertySelector) {
    kAudioHardwarePropertyDevices = 'dev#',                   /* AudioObjectID for each device */
    kAudioHardwarePropertyDefaultInputDevice = 'dIn ',        /* AudioObjectID */
    kAudioHardwarePropertyDefaultOutputDevice = 'dOut',       /* AudioObjectID */
    kAudioHardwarePropertyDefaultSystemOutputDevice = 'sOut', /* AudioObjectID */
    kAudioHardwarePropertyTranslateUIDToDevice = 'uidd',      /* AudioObjectID; qualifier: CFStringRef */
    kAudioHardwarePropertyDeviceForUID = 'duid',              /* AudioValueTranslation; the older property */
    kAudioHardwarePropertyRunLoop = 'rnlp'                    /* CFRunLoopRef, or NULL */
};

/* Properties of a device that this API adds to those of AudioHardwareBase.h. */
AUDIO_CONSTANTS(AudioObjectPropertySelector) {
    kAudioDevicePropertyDeviceIsRunningSomewhere = 'gone',             /* UInt32 */
    kAudioDevicePropertyBufferFrameSize = 'fsiz',                      /* UInt32: frames */
    kAudioDevicePropertyBufferFrameSizeRange = 'fsz#',                 /* AudioValueRange: frames */
    kAudioDevicePropertyStreamConfiguration = 'slay',                  /* AudioBufferList, without data */
    kAudioDevicePropertyActualSampleRate = 'asrt',                     /* Float64 */
    kAudioDevicePropertyVolumeScalar = 'volm',                         /* Float32: 0 to 1 */
    kAudioDevicePropertyVolumeDecibels = 'vold',                       /* Float32 */
    kAudioDevicePropertyMute = 'mute',                                 /* UInt32 */
    kAudioDevicePropertyHogMode = 'oink',                              /* pid_t: the exclusive process, or -1 */
    kAudioDevicePropertyDeviceHasChanged = 'diff',                     /* only for listeners: anything has changed */
    kAudioDeviceProcessorOverload = 'over',                            /* only for listeners: a cycle was missed */
    kAudioDevicePropertyDeviceNameCFString = kAudioObjectPropertyName, /* an older name */
    kAudioDevicePropertyDeviceManufacturerCFString = kAudioObjectPropertyManufacturer /* an older name */
};

/* Called after properties of an object have changed; returns noErr. */
typedef OSStatus (*AudioObjectPropertyListenerProc)(
    AudioObjectID inObjectID, UInt32 inNumberAddresses, const AudioObjectPropertyAddress *inAddresses,
    void *_Nullable inClientData);

/* Prints the object and its properties, for debugging. */
void AudioObjectShow(AudioObjectID inObjectID);

/* Returns whether the object has the property. */
Boolean AudioObjectHasProperty(AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress);

/* Returns whether the property can be set. */
OSStatus AudioObjectIsPropertySettable(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress, Boolean *outIsSettable)
    AUDIO_REFINED_FOR_SWIFT;

/* Returns the size of the property's value in bytes. */
OSStatus AudioObjectGetPropertyDataSize(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress, UInt32 inQualifierDataSize,
    const void *_Nullable inQualifierData, UInt32 *outDataSize);

/* Copies the property's value into outData, which holds *ioDataSize bytes. */
OSStatus AudioObjectGetPropertyData(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress, UInt32 inQualifierDataSize,
    const void *_Nullable inQualifierData, UInt32 *ioDataSize, void *outData);

/* Sets the property. */
OSStatus AudioObjectSetPropertyData(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress, UInt32 inQualifierDataSize,
    const void *_Nullable inQualifierData, UInt32 inDataSize, const void *inData);

/* Adds a listener that is called when the property changes, on a thread of the library. */
OSStatus AudioObjectAddPropertyListener(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    AudioObjectPropertyListenerProc inListener, void *_Nullable inClientData);

/* Removes a listener that was added with the same arguments. */
OSStatus AudioObjectRemovePropertyListener(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    AudioObjectPropertyListenerProc inListener, void *_Nullable inClientData);

/* Reads and writes the audio of a cycle: the device calls it for each BufferFrameSize frames, in the formats of the
 * device's streams, one buffer for each stream. A side without streams has no buffers. */
typedef OSStatus (*AudioDeviceIOProc)(
    AudioObjectID inDevice, const AudioTimeStamp *inNow, const AudioBufferList *inInputData,
    const AudioTimeStamp *inInputTime, AudioBufferList *outOutputData, const AudioTimeStamp *inOutputTime,
    void *_Nullable inClientData);

/* A procedure that was added to a device. */
typedef AudioDeviceIOProc AudioDeviceIOProcID;

/* Adds a procedure to a device. */
OSStatus AudioDeviceCreateIOProcID(
    AudioObjectID inDevice, AudioDeviceIOProc inProc, void *_Nullable inClientData,
    AudioDeviceIOProcID _Nullable *_Nonnull outIOProcID);

/* Stops and removes a procedure. */
OSStatus AudioDeviceDestroyIOProcID(AudioObjectID inDevice, AudioDeviceIOProcID inIOProcID);

/* Starts a procedure, or the device without one if inProcID is NULL. */
OSStatus AudioDeviceStart(AudioObjectID inDevice, AudioDeviceIOProcID _Nullable inProcID);

/* Starts a procedure at a time, which becomes that of the actual start. */
OSStatus AudioDeviceStartAtTime(
    AudioObjectID inDevice, AudioDeviceIOProcID _Nullable inProcID, AudioTimeStamp *ioRequestedStartTime,
    UInt32 inFlags);

/* Stops a procedure. It does not run after the return, except if it calls the function itself. */
OSStatus AudioDeviceStop(AudioObjectID inDevice, AudioDeviceIOProcID _Nullable inProcID);

/* Returns the current time of a running device. */
OSStatus AudioDeviceGetCurrentTime(AudioObjectID inDevice, AudioTimeStamp *outTime);

/* Converts a time of a running device to the representations that the flags of outTime request. */
OSStatus AudioDeviceTranslateTime(
    AudioObjectID inDevice, const AudioTimeStamp *inTime, AudioTimeStamp *outTime);

/* Returns the next time at or after the requested one at which the device can start. */
OSStatus AudioDeviceGetNearestStartTime(
    AudioObjectID inDevice, AudioTimeStamp *ioRequestedStartTime, UInt32 inFlags);

#if AUDIO_HAS_BLOCKS

/* AudioDeviceIOProc as a block. */
typedef void (^AudioDeviceIOBlock)(
    const AudioTimeStamp *inNow, const AudioBufferList *inInputData, const AudioTimeStamp *inInputTime,
    AudioBufferList *outOutputData, const AudioTimeStamp *inOutputTime);

/* Adds a block to a device. The block is called on the queue or, if it is NULL, on the thread of the device. */
OSStatus AudioDeviceCreateIOProcIDWithBlock(
    AudioDeviceIOProcID _Nullable *_Nonnull outIOProcID, AudioObjectID inDevice,
    dispatch_queue_t _Nullable inDispatchQueue, AudioDeviceIOBlock inIOBlock) AUDIO_REFINED_FOR_SWIFT;

/* A listener as a block. */
typedef void (^AudioObjectPropertyListenerBlock)(
    UInt32 inNumberAddresses, const AudioObjectPropertyAddress *inAddresses);

/* Adds a block that is called when the property changes: on the queue or, if it is NULL, on a thread of the library. */
OSStatus AudioObjectAddPropertyListenerBlock(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    dispatch_queue_t _Nullable inDispatchQueue, AudioObjectPropertyListenerBlock inListener)
    AUDIO_REFINED_FOR_SWIFT;

/* Removes a block that was added with the same object, address and block. */
OSStatus AudioObjectRemovePropertyListenerBlock(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    dispatch_queue_t _Nullable inDispatchQueue, AudioObjectPropertyListenerBlock inListener)
    AUDIO_REFINED_FOR_SWIFT;

#endif

AUDIO_DECLARATIONS_END

#endif
