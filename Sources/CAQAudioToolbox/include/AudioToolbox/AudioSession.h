/* SPDX-License-Identifier: MIT */

/* Audio sessions in C, as older programs for portable systems use them. */
#ifndef AUDIO_SESSION_H
#define AUDIO_SESSION_H

#include <CoreAudio/AudioCoreFoundation.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* A property of the session. */
typedef UInt32 AudioSessionPropertyID;
/* Whether a program should resume after an interruption. */
typedef UInt32 AudioSessionInterruptionType;

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kAudioSessionNoError = 0,                       /* success */
    kAudioSessionNotInitialized = '!ini',           /* AudioSessionInitialize was not called */
    kAudioSessionAlreadyInitialized = 'init',       /* AudioSessionInitialize was called before */
    kAudioSessionInitializationError = 'ini?',      /* the session cannot be initialized */
    kAudioSessionUnsupportedPropertyError = 'pty?', /* no such property, operation or value */
    kAudioSessionBadPropertySizeError = '!siz',     /* another size than the value's */
    kAudioSessionNotActiveError = '!act',           /* the session is not active */
    kAudioServicesNoHardwareError = 'nohw',         /* there is no device, or no server */
    kAudioSessionNoCategorySet = '?cat',            /* no category was set */
    kAudioSessionIncompatibleCategory = '!cat',     /* the category does not allow it */
    kAudioSessionUnspecifiedError = 'what'          /* another error */
};

/* States of an interruption. */
AUDIO_CONSTANTS(UInt32) {
    kAudioSessionBeginInterruption = 1, /* audio has stopped */
    kAudioSessionEndInterruption = 0    /* audio can continue */
};

/* Values of kAudioSessionProperty_InterruptionType. */
AUDIO_CONSTANTS(AudioSessionInterruptionType) {
    kAudioSessionInterruptionType_ShouldResume = 'irsm',   /* playback should resume */
    kAudioSessionInterruptionType_ShouldNotResume = '!rsm' /* playback should not resume */
};

/* Categories. */
AUDIO_CONSTANTS(UInt32) {
    kAudioSessionCategory_AmbientSound = 'ambi',     /* background sounds beside those of others */
    kAudioSessionCategory_SoloAmbientSound = 'solo', /* background sounds alone; the initial category */
    kAudioSessionCategory_MediaPlayback = 'medi',    /* music */
    kAudioSessionCategory_RecordAudio = 'reca',      /* recording */
    kAudioSessionCategory_PlayAndRecord = 'plar',    /* both directions */
    kAudioSessionCategory_AudioProcessing = 'proc',  /* neither direction */
    /* Older categories: AmbientSound and MediaPlayback. */
    kAudioSessionCategory_UserInterfaceSoundEffects = 'uifx', /* effects */
    kAudioSessionCategory_LiveAudio = 'live'                  /* instruments */
};

/* Modes. */
AUDIO_CONSTANTS(UInt32) {
    kAudioSessionMode_Default = 'dflt',        /* the initial mode */
    kAudioSessionMode_VoiceChat = 'vcct',      /* calls; for PlayAndRecord */
    kAudioSessionMode_VideoRecording = 'vrcd', /* for categories that record */
    kAudioSessionMode_Measurement = 'msmt',    /* the least processing */
    kAudioSessionMode_GameChat = 'gmct'        /* calls in games; for PlayAndRecord */
};

/* Values of kAudioSessionProperty_OverrideAudioRoute. */
AUDIO_CONSTANTS(UInt32) {
    kAudioSessionOverrideAudioRoute_None = 0,        /* the category's route */
    kAudioSessionOverrideAudioRoute_Speaker = 'spkr' /* the speaker */
};

/* Reasons of a change of the route. */
AUDIO_CONSTANTS(UInt32) {
    kAudioSessionRouteChangeReason_Unknown = 0,                    /* unknown */
    kAudioSessionRouteChangeReason_NewDeviceAvailable = 1,         /* a new device is used */
    kAudioSessionRouteChangeReason_OldDeviceUnavailable = 2,       /* the previous device is gone */
    kAudioSessionRouteChangeReason_CategoryChange = 3,             /* another category */
    kAudioSessionRouteChangeReason_Override = 4,                   /* another device was selected */
    kAudioSessionRouteChangeReason_WakeFromSleep = 6,              /* the machine woke up */
    kAudioSessionRouteChangeReason_NoSuitableRouteForCategory = 7, /* no device for the category */
    kAudioSessionRouteChangeReason_RouteConfigurationChange = 8    /* the same device with other settings */
};

/* Flags of AudioSessionSetActiveWithFlags. */
AUDIO_CONSTANTS(UInt32) {
    kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation = 1 /* other programs may resume */
};

/* Properties; those that can be set, and those with listeners, say so. */
AUDIO_CONSTANTS(AudioSessionPropertyID) {
    kAudioSessionProperty_PreferredHardwareSampleRate = 'hwsr',          /* Float64, settable */
    kAudioSessionProperty_PreferredHardwareIOBufferDuration = 'iobd',    /* Float32: seconds, settable */
    kAudioSessionProperty_AudioCategory = 'acat',                        /* UInt32, settable */
    kAudioSessionProperty_AudioRouteChange = 'roch',                     /* only listeners: CFDictionaryRef */
    kAudioSessionProperty_CurrentHardwareSampleRate = 'chsr',            /* Float64 */
    kAudioSessionProperty_CurrentHardwareInputNumberChannels = 'chic',   /* UInt32, listeners */
    kAudioSessionProperty_CurrentHardwareOutputNumberChannels = 'choc',  /* UInt32, listeners */
    kAudioSessionProperty_CurrentHardwareOutputVolume = 'chov',          /* Float32: 0 to 1, listeners */
    kAudioSessionProperty_CurrentHardwareInputLatency = 'cilt',          /* Float32: seconds */
    kAudioSessionProperty_CurrentHardwareOutputLatency = 'colt',         /* Float32: seconds */
    kAudioSessionProperty_CurrentHardwareIOBufferDuration = 'chbd',      /* Float32: seconds */
    kAudioSessionProperty_OtherAudioIsPlaying = 'othr',                  /* UInt32: 1 or 0 */
    kAudioSessionProperty_OverrideAudioRoute = 'ovrd',                   /* UInt32, only settable */
    kAudioSessionProperty_AudioInputAvailable = 'aiav',                  /* UInt32: 1 or 0, listeners */
    kAudioSessionProperty_ServerDied = 'died',                           /* only listeners: UInt32 */
    kAudioSessionProperty_OtherMixableAudioShouldDuck = 'duck',          /* UInt32: 1 or 0, settable */
    kAudioSessionProperty_OverrideCategoryMixWithOthers = 'cmix',        /* UInt32: 1 or 0, settable */
    kAudioSessionProperty_OverrideCategoryDefaultToSpeaker = 'cspk',     /* UInt32: 1 or 0, settable */
    kAudioSessionProperty_OverrideCategoryEnableBluetoothInput = 'cblu', /* UInt32: 1 or 0, settable */
    kAudioSessionProperty_InterruptionType = 'type',                     /* UInt32, in the listener of its end */
    kAudioSessionProperty_Mode = 'mode',                                 /* UInt32, settable */
    kAudioSessionProperty_InputSources = 'srcs',                         /* CFArrayRef, listeners */
    kAudioSessionProperty_OutputDestinations = 'dsts',                   /* CFArrayRef, listeners */
    kAudioSessionProperty_InputSource = 'isrc',                          /* CFNumberRef, settable */
    kAudioSessionProperty_OutputDestination = 'odst',                    /* CFNumberRef, settable */
    kAudioSessionProperty_InputGainAvailable = 'igav',                   /* UInt32: 1 or 0, listeners */
    kAudioSessionProperty_InputGainScalar = 'igsc',                      /* Float32: 0 to 1, settable, listeners */
    kAudioSessionProperty_AudioRouteDescription = 'crar',                /* CFDictionaryRef */
    kAudioSessionProperty_AudioRoute = 'rout'                            /* CFStringRef: the older form */
};

/* Keys of the dictionary of kAudioSessionProperty_AudioRouteChange, as C strings. */
#define kAudioSession_AudioRouteChangeKey_Reason "OutputDeviceDidChange_Reason"     /* CFNumberRef */
#define kAudioSession_AudioRouteChangeKey_OldRoute "OutputDeviceDidChange_OldRoute" /* CFStringRef */

/* Keys of the same dictionary, as objects. */
extern const CFStringRef kAudioSession_RouteChangeKey_Reason;                        /* CFNumberRef */
extern const CFStringRef kAudioSession_AudioRouteChangeKey_PreviousRouteDescription; /* CFDictionaryRef */
extern const CFStringRef kAudioSession_AudioRouteChangeKey_CurrentRouteDescription;  /* CFDictionaryRef */

/* Keys of a route's description: arrays of dictionaries, with the type of each input and output. */
extern const CFStringRef kAudioSession_AudioRouteKey_Inputs;  /* CFArrayRef of CFDictionaryRef */
extern const CFStringRef kAudioSession_AudioRouteKey_Outputs; /* CFArrayRef of CFDictionaryRef */
extern const CFStringRef kAudioSession_AudioRouteKey_Type;    /* CFStringRef */

/* Types of inputs. */
extern const CFStringRef kAudioSessionInputRoute_LineIn;       /* a line input */
extern const CFStringRef kAudioSessionInputRoute_BuiltInMic;   /* a microphone of the machine */
extern const CFStringRef kAudioSessionInputRoute_HeadsetMic;   /* the microphone of a headset */
extern const CFStringRef kAudioSessionInputRoute_BluetoothHFP; /* a Bluetooth microphone */
extern const CFStringRef kAudioSessionInputRoute_USBAudio;     /* a USB input */

/* Types of outputs. */
extern const CFStringRef kAudioSessionOutputRoute_LineOut;         /* a line output */
extern const CFStringRef kAudioSessionOutputRoute_Headphones;      /* headphones or a headset */
extern const CFStringRef kAudioSessionOutputRoute_BluetoothHFP;    /* a Bluetooth device in a call */
extern const CFStringRef kAudioSessionOutputRoute_BluetoothA2DP;   /* a Bluetooth device for music */
extern const CFStringRef kAudioSessionOutputRoute_BuiltInReceiver; /* a handset's speaker */
extern const CFStringRef kAudioSessionOutputRoute_BuiltInSpeaker;  /* the speaker */
extern const CFStringRef kAudioSessionOutputRoute_USBAudio;        /* a USB output */
extern const CFStringRef kAudioSessionOutputRoute_HDMI;            /* an HDMI output */
extern const CFStringRef kAudioSessionOutputRoute_AirPlay;         /* a device in the network */

/* Keys of the dictionaries of input sources and output destinations, of which there are none here. */
extern const CFStringRef kAudioSession_InputSourceKey_ID;                /* CFNumberRef */
extern const CFStringRef kAudioSession_InputSourceKey_Description;       /* CFStringRef */
extern const CFStringRef kAudioSession_OutputDestinationKey_ID;          /* CFNumberRef */
extern const CFStringRef kAudioSession_OutputDestinationKey_Description; /* CFStringRef */

/* Called when an interruption begins or ends. */
typedef void (*AudioSessionInterruptionListener)(void *_Nullable inClientData, UInt32 inInterruptionState);

/* Called when a property has changed, with its value; for an object, the value is the reference itself. */
typedef void (*AudioSessionPropertyListener)(
    void *_Nullable inClientData, AudioSessionPropertyID inID, UInt32 inDataSize, const void *_Nullable inData);

/* Initializes the session, before all other calls. Listeners are called on the run loop; without one it is the main
 * one, without a mode the default mode. */
OSStatus AudioSessionInitialize(
    CFRunLoopRef _Nullable inRunLoop, CFStringRef _Nullable inRunLoopMode,
    AudioSessionInterruptionListener _Nullable inInterruptionListener, void *_Nullable inClientData);

/* Activates or deactivates the session. */
OSStatus AudioSessionSetActive(Boolean active);

/* Activates or deactivates the session. */
OSStatus AudioSessionSetActiveWithFlags(Boolean active, UInt32 inFlags);

/* Copies the value of a property. The caller releases objects. */
OSStatus AudioSessionGetProperty(AudioSessionPropertyID inID, UInt32 *ioDataSize, void *outData);

/* Sets a property. */
OSStatus AudioSessionSetProperty(AudioSessionPropertyID inID, UInt32 inDataSize, const void *inData);

/* Returns the size of a property's value. */
OSStatus AudioSessionGetPropertySize(AudioSessionPropertyID inID, UInt32 *outDataSize);

/* Adds a listener of a property. */
OSStatus AudioSessionAddPropertyListener(
    AudioSessionPropertyID inID, AudioSessionPropertyListener inProc, void *_Nullable inClientData);

/* Removes all listeners of a property. */
OSStatus AudioSessionRemovePropertyListener(AudioSessionPropertyID inID);

/* Removes one listener of a property. */
OSStatus AudioSessionRemovePropertyListenerWithUserData(
    AudioSessionPropertyID inID, AudioSessionPropertyListener inProc, void *_Nullable inClientData);

AUDIO_DECLARATIONS_END

#endif
