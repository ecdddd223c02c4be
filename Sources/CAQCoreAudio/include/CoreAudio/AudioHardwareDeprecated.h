/* SPDX-License-Identifier: MIT */

/* The hardware API before its objects: functions of the system, of devices and of streams for old programs. The
 * values are those of AudioObjectGetPropertyData. */
#ifndef AUDIO_HARDWARE_DEPRECATED_H
#define AUDIO_HARDWARE_DEPRECATED_H

#include <CoreAudio/AudioHardware.h>
#include <CoreAudioTypes/CoreAudioTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* A property of the system. */
typedef AudioObjectPropertySelector AudioHardwarePropertyID;
/* A property of a device or stream. */
typedef AudioObjectPropertySelector AudioDevicePropertyID;

/* Properties of a device that only these functions have: C strings, truncated to the given size. */
AUDIO_CONSTANTS(AudioObjectPropertySelector) {
    kAudioDevicePropertyDeviceName = 'name',        /* the name */
    kAudioDevicePropertyDeviceManufacturer = 'makr' /* the manufacturer */
};

/* Properties of a device that newer programs query in another form. */
AUDIO_CONSTANTS(AudioObjectPropertySelector) {
    kAudioDevicePropertyBufferSize = 'bsiz',       /* UInt32: bytes; the newer form is BufferFrameSize */
    kAudioDevicePropertyStreamFormat = 'sfmt',     /* AudioStreamBasicDescription of the channel's stream */
    kAudioDevicePropertyStreamFormatMatch = 'sfmm' /* AudioStreamBasicDescription: the nearest format */
};

/* Called when a property of the system has changed; the result is ignored. */
typedef OSStatus (*AudioHardwarePropertyListenerProc)(AudioHardwarePropertyID inPropertyID, void *_Nullable inClientData);
/* Called when a property of a device has changed; the result is ignored. */
typedef OSStatus (*AudioDevicePropertyListenerProc)(
    AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput, AudioDevicePropertyID inPropertyID,
    void *_Nullable inClientData);
/* Called when a property of a stream has changed; the result is ignored. */
typedef OSStatus (*AudioStreamPropertyListenerProc)(
    AudioStreamID inStream, UInt32 inChannel, AudioDevicePropertyID inPropertyID, void *_Nullable inClientData);

/* Does nothing: a process that neither plays nor records uses no device. */
OSStatus AudioHardwareUnload(void);

/* Returns the size of a value of the system, and whether the property can be set; either pointer may be NULL. */
OSStatus AudioHardwareGetPropertyInfo(
    AudioHardwarePropertyID inPropertyID, UInt32 *_Nullable outSize, Boolean *_Nullable outWritable);
/* Copies the value of a property of the system. */
OSStatus AudioHardwareGetProperty(
    AudioHardwarePropertyID inPropertyID, UInt32 *ioPropertyDataSize, void *outPropertyData);
/* Sets a property of the system. */
OSStatus AudioHardwareSetProperty(
    AudioHardwarePropertyID inPropertyID, UInt32 inPropertyDataSize, const void *inPropertyData);
/* Adds a listener that is called when a property of the system changes. */
OSStatus AudioHardwareAddPropertyListener(
    AudioHardwarePropertyID inPropertyID, AudioHardwarePropertyListenerProc inProc, void *_Nullable inClientData);
/* Removes a listener of the system, by its procedure. */
OSStatus AudioHardwareRemovePropertyListener(
    AudioHardwarePropertyID inPropertyID, AudioHardwarePropertyListenerProc inProc);

/* Returns the size of a value of a device, and whether the property can be set; either pointer may be NULL. */
OSStatus AudioDeviceGetPropertyInfo(
    AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput, AudioDevicePropertyID inPropertyID,
    UInt32 *_Nullable outSize, Boolean *_Nullable outWritable);
/* Copies the value of a property of a device. */
OSStatus AudioDeviceGetProperty(
    AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput, AudioDevicePropertyID inPropertyID,
    UInt32 *ioPropertyDataSize, void *outPropertyData);
/* Sets a property of a device at once; inWhen is ignored. */
OSStatus AudioDeviceSetProperty(
    AudioDeviceID inDevice, const AudioTimeStamp *_Nullable inWhen, UInt32 inChannel, Boolean isInput,
    AudioDevicePropertyID inPropertyID, UInt32 inPropertyDataSize, const void *inPropertyData);
/* Adds a listener that is called when a property of a device changes. */
OSStatus AudioDeviceAddPropertyListener(
    AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput, AudioDevicePropertyID inPropertyID,
    AudioDevicePropertyListenerProc inProc, void *_Nullable inClientData);
/* Removes a listener of a device, by its procedure. */
OSStatus AudioDeviceRemovePropertyListener(
    AudioDeviceID inDevice, UInt32 inChannel, Boolean isInput, AudioDevicePropertyID inPropertyID,
    AudioDevicePropertyListenerProc inProc);

/* Returns the size of a value of a stream, and whether the property can be set; either pointer may be NULL. */
OSStatus AudioStreamGetPropertyInfo(
    AudioStreamID inStream, UInt32 inChannel, AudioDevicePropertyID inPropertyID, UInt32 *_Nullable outSize,
    Boolean *_Nullable outWritable);
/* Copies the value of a property of a stream. */
OSStatus AudioStreamGetProperty(
    AudioStreamID inStream, UInt32 inChannel, AudioDevicePropertyID inPropertyID, UInt32 *ioPropertyDataSize,
    void *outPropertyData);
/* Sets a property of a stream at once; inWhen is ignored. */
OSStatus AudioStreamSetProperty(
    AudioStreamID inStream, const AudioTimeStamp *_Nullable inWhen, UInt32 inChannel,
    AudioDevicePropertyID inPropertyID, UInt32 inPropertyDataSize, const void *inPropertyData);
/* Adds a listener that is called when a property of a stream changes. */
OSStatus AudioStreamAddPropertyListener(
    AudioStreamID inStream, UInt32 inChannel, AudioDevicePropertyID inPropertyID,
    AudioStreamPropertyListenerProc inProc, void *_Nullable inClientData);
/* Removes a listener of a stream, by its procedure. */
OSStatus AudioStreamRemovePropertyListener(
    AudioStreamID inStream, UInt32 inChannel, AudioDevicePropertyID inPropertyID,
    AudioStreamPropertyListenerProc inProc);

/* Adds a procedure to a device. Replaced by AudioDeviceCreateIOProcID. */
OSStatus AudioDeviceAddIOProc(AudioDeviceID inDevice, AudioDeviceIOProc inProc, void *_Nullable inClientData);
/* Stops and removes a procedure of a device. */
OSStatus AudioDeviceRemoveIOProc(AudioDeviceID inDevice, AudioDeviceIOProc inProc);

AUDIO_DECLARATIONS_END

#endif
