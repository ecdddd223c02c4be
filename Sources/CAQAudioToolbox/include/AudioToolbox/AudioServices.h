/* SPDX-License-Identifier: MIT */

/* System sounds: short sounds of files, and the system's alert. */
#ifndef AUDIO_SERVICES_H
#define AUDIO_SERVICES_H

#include <AudioToolbox/AudioSession.h>
#include <CoreAudio/AudioCoreFoundation.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* The number of a system sound. */
typedef UInt32 SystemSoundID;
/* A property of system sounds. */
typedef UInt32 AudioServicesPropertyID;

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kAudioServicesNoError = 0,                                    /* success */
    kAudioServicesUnsupportedPropertyError = 'pty?',              /* no such property */
    kAudioServicesBadPropertySizeError = '!siz',                  /* another size than the value's */
    kAudioServicesBadSpecifierSizeError = '!spc',                 /* another size than a sound number's */
    kAudioServicesSystemSoundUnspecifiedError = -1500,            /* no such sound, or the file cannot be read */
    kAudioServicesSystemSoundClientTimedOutError = -1501,         /* the server did not answer */
    kAudioServicesSystemSoundExceededMaximumDurationError = -1502 /* the file is longer than 30 s */
};

/* Built-in sounds. */
AUDIO_CONSTANTS(SystemSoundID) {
    kSystemSoundID_UserPreferredAlert = 0x1000, /* the alert */
    kSystemSoundID_FlashScreen = 0xFFE,         /* no sound: flashes the screen on other systems */
    kSystemSoundID_Vibrate = 0xFFF,             /* no sound: vibrates on other systems */
    /* The older name of the alert. */
    kUserPreferredAlert = kSystemSoundID_UserPreferredAlert
};

/* Properties of the sound in the specifier, a SystemSoundID. */
AUDIO_CONSTANTS(AudioServicesPropertyID) {
    kAudioServicesPropertyIsUISound = 'isui',                /* UInt32: 1 if the user's setting for effects applies */
    kAudioServicesPropertyCompletePlaybackIfAppDies = 'ifdi' /* UInt32: 1 to play on after the program's end */
};

/* Called when a sound has ended. */
typedef void (*AudioServicesSystemSoundCompletionProc)(SystemSoundID ssID, void *_Nullable clientData);

/* Makes a sound of a WAVE, AIFF or CAF file of at most 30 s, which is decoded at once. */
OSStatus AudioServicesCreateSystemSoundID(CFURLRef inFileURL, SystemSoundID *outSystemSoundID);

/* Releases a sound, and stops it if it plays. */
OSStatus AudioServicesDisposeSystemSoundID(SystemSoundID inSystemSoundID);

#if AUDIO_HAS_BLOCKS

/* Plays a sound as an alert, and calls the block after its end, or if it cannot be played. */
void AudioServicesPlayAlertSoundWithCompletion(
    SystemSoundID inSystemSoundID, void (^_Nullable inCompletionBlock)(void));

/* Plays a sound, and calls the block after its end, or if it cannot be played. */
void AudioServicesPlaySystemSoundWithCompletion(
    SystemSoundID inSystemSoundID, void (^_Nullable inCompletionBlock)(void));

#endif

/* Returns the size of a property, and whether it can be set. */
OSStatus AudioServicesGetPropertyInfo(
    AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize, const void *_Nullable inSpecifier,
    UInt32 *_Nullable outPropertyDataSize, Boolean *_Nullable outWritable) AUDIO_REFINED_FOR_SWIFT;

/* Copies the value of a property; without memory for it, returns its size. */
OSStatus AudioServicesGetProperty(
    AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize, const void *_Nullable inSpecifier,
    UInt32 *ioPropertyDataSize, void *_Nullable outPropertyData);

/* Sets a property. */
OSStatus AudioServicesSetProperty(
    AudioServicesPropertyID inPropertyID, UInt32 inSpecifierSize, const void *_Nullable inSpecifier,
    UInt32 inPropertyDataSize, const void *inPropertyData);

/* Plays a sound as an alert. */
void AudioServicesPlayAlertSound(SystemSoundID inSystemSoundID);

/* Plays a sound. Returns at once; sounds overlap. */
void AudioServicesPlaySystemSound(SystemSoundID inSystemSoundID);

/* Sets the procedure that is called on a run loop each time a sound has ended. Without a run loop it is the main one,
 * without a mode the default mode. */
OSStatus AudioServicesAddSystemSoundCompletion(
    SystemSoundID inSystemSoundID, CFRunLoopRef _Nullable inRunLoop, CFStringRef _Nullable inRunLoopMode,
    AudioServicesSystemSoundCompletionProc inCompletionRoutine, void *_Nullable inClientData);

/* Removes the procedure of a sound. */
void AudioServicesRemoveSystemSoundCompletion(SystemSoundID inSystemSoundID);

AUDIO_DECLARATIONS_END

#endif
