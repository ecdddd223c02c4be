/* SPDX-License-Identifier: MIT */

/* The registry of audio units, and their instances. */
#ifndef AUDIO_COMPONENT_H
#define AUDIO_COMPONENT_H

#include <CoreAudio/AudioCoreFoundation.h>
#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* An entry of the registry, which lives as long as the process. */
typedef struct OpaqueAudioComponent *AudioComponent;
/* An instance of an audio unit; AudioUnit is the same type. */
typedef struct ComponentInstanceRecord *AudioComponentInstance;

/* Properties of an entry. */
AUDIO_OPTIONS(UInt32, AudioComponentFlags) {
    kAudioComponentFlag_Unsearchable = 1,                /* found only if the description requests it */
    kAudioComponentFlag_SandboxSafe = 2,                 /* usable in a sandbox */
    kAudioComponentFlag_IsV3AudioUnit = 4,               /* an audio unit of version 3 */
    kAudioComponentFlag_RequiresAsyncInstantiation = 8,  /* only for AudioComponentInstantiate */
    kAudioComponentFlag_CanLoadInProcess = 0x10          /* can be loaded into the client's process */
};

/* Options of AudioComponentInstantiate, which has none here: pass 0. */
typedef UInt32 AudioComponentInstantiationOptions;

/* The names of an entry; in a search, 0 matches every type, subtype or manufacturer. */
typedef struct AudioComponentDescription {
    OSType componentType;         /* kAudioUnitType_... */
    OSType componentSubType;      /* kAudioUnitSubType_... */
    OSType componentManufacturer; /* kAudioUnitManufacturer_Apple */
    UInt32 componentFlags;        /* kAudioComponentFlag_... */
    UInt32 componentFlagsMask;    /* the flags that a search compares */
} AudioComponentDescription;

/* Returns the next matching entry after inComponent, or the first if that is NULL; NULL if there are no more. */
AudioComponent _Nullable AudioComponentFindNext(
    AudioComponent _Nullable inComponent, const AudioComponentDescription *inDesc);

/* Returns the number of matching entries. */
UInt32 AudioComponentCount(const AudioComponentDescription *inDesc);

/* Returns the name of an entry; the caller releases it. */
OSStatus AudioComponentCopyName(AudioComponent inComponent, CFStringRef _Nullable *_Nonnull outName);

/* Returns the description of an entry, with a mask of 0. */
OSStatus AudioComponentGetDescription(AudioComponent inComponent, AudioComponentDescription *outDesc);

/* Returns the version of an entry: 16 bits for the major number, 8 for each of the others. */
OSStatus AudioComponentGetVersion(AudioComponent inComponent, UInt32 *outVersion);

/* Makes an instance. */
OSStatus AudioComponentInstanceNew(
    AudioComponent inComponent, AudioComponentInstance _Nullable *_Nonnull outInstance);

/* Stops, uninitializes and frees an instance. */
OSStatus AudioComponentInstanceDispose(AudioComponentInstance inInstance);

/* Returns the entry of an instance. */
AudioComponent AudioComponentInstanceGetComponent(AudioComponentInstance inInstance);

/* Returns whether an instance implements a function. */
Boolean AudioComponentInstanceCanDo(AudioComponentInstance inInstance, SInt16 inSelectorID);

#if defined(__BLOCKS__)

/* Makes an instance, and passes it to a block on a thread of the library. */
void AudioComponentInstantiate(
    AudioComponent inComponent, AudioComponentInstantiationOptions inOptions,
    void (^inCompletionHandler)(AudioComponentInstance _Nullable, OSStatus));

#endif

AUDIO_DECLARATIONS_END

#endif
