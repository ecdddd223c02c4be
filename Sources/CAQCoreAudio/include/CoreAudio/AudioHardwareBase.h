/* SPDX-License-Identifier: MIT */

/* The objects of the hardware API: the system, its devices, and their properties. */
#ifndef AUDIO_HARDWARE_BASE_H
#define AUDIO_HARDWARE_BASE_H

#include <CoreAudio/AudioCoreFoundation.h>
#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* The number of an object, for as long as the process runs. */
typedef UInt32 AudioObjectID;
/* The class of an object. */
typedef UInt32 AudioClassID;
/* A property of an object. */
typedef UInt32 AudioObjectPropertySelector;
/* The direction of a property. */
typedef UInt32 AudioObjectPropertyScope;
/* The channel of a property. */
typedef UInt32 AudioObjectPropertyElement;

/* A property of an object: its selector, direction and channel. */
typedef struct AudioObjectPropertyAddress {
    AudioObjectPropertySelector mSelector; /* the selector */
    AudioObjectPropertyScope mScope;       /* the direction */
    AudioObjectPropertyElement mElement;   /* 0: the whole; from 1 on, a channel */
} AudioObjectPropertyAddress;

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kAudioHardwareNoError = 0,                        /* no error */
    kAudioHardwareNotRunningError = 'stop',           /* no sound server answers, the device does not run, or the process was forked */
    kAudioHardwareUnspecifiedError = 'what',          /* any other error */
    kAudioHardwareUnknownPropertyError = 'who?',      /* the object has no such property */
    kAudioHardwareBadPropertySizeError = '!siz',      /* the value has another size */
    kAudioHardwareIllegalOperationError = 'nope',     /* the operation is not possible now */
    kAudioHardwareBadObjectError = '!obj',            /* there is no such object */
    kAudioHardwareBadDeviceError = '!dev',            /* there is no such device */
    kAudioHardwareBadStreamError = '!str',            /* there is no such stream */
    kAudioHardwareUnsupportedOperationError = 'unop', /* the property cannot be set */
    kAudioDeviceUnsupportedFormatError = '!dat',      /* the device has no such format */
    kAudioDevicePermissionsError = '!hog'             /* another program uses the device */
};

AUDIO_CONSTANTS(AudioObjectID) {
    kAudioObjectUnknown = 0 /* no object */
};

AUDIO_CONSTANTS(AudioObjectPropertyScope) {
    kAudioObjectPropertyScopeGlobal = 'glob',      /* the whole object */
    kAudioObjectPropertyScopeInput = 'inpt',       /* the object's inputs */
    kAudioObjectPropertyScopeOutput = 'outp',      /* the object's outputs */
    kAudioObjectPropertyScopePlayThrough = 'ptru', /* the object's play-through */
    kAudioObjectPropertyScopeWildcard = '****'     /* any scope */
};

AUDIO_CONSTANTS(AudioObjectPropertyElement) {
    kAudioObjectPropertyElementMain = 0,                                 /* all channels together */
    kAudioObjectPropertyElementMaster = kAudioObjectPropertyElementMain, /* the older name of Main */
    kAudioObjectPropertyElementWildcard = 0xFFFFFFFFU                    /* any element */
};

AUDIO_CONSTANTS(AudioClassID) {
    kAudioObjectClassIDWildcard = '****', /* any class */
    kAudioObjectClassID = 'aobj',         /* any object */
    kAudioDeviceClassID = 'adev',         /* a device */
    kAudioStreamClassID = 'astr'          /* a stream of a device */
};

/* Properties of every object. */
AUDIO_CONSTANTS(AudioObjectPropertySelector) {
    kAudioObjectPropertySelectorWildcard = '****', /* any property */
    kAudioObjectPropertyBaseClass = 'bcls',        /* AudioClassID */
    kAudioObjectPropertyClass = 'clas',            /* AudioClassID */
    kAudioObjectPropertyOwner = 'stdv',            /* AudioObjectID */
    kAudioObjectPropertyName = 'lnam',             /* CFStringRef; the caller releases it */
    kAudioObjectPropertyModelName = 'lmod',        /* CFStringRef; the caller releases it */
    kAudioObjectPropertyManufacturer = 'lmak',     /* CFStringRef; the caller releases it */
    kAudioObjectPropertyOwnedObjects = 'ownd'      /* AudioObjectID for each object */
};

/* Properties of a device. */
AUDIO_CONSTANTS(AudioObjectPropertySelector) {
    kAudioDevicePropertyDeviceUID = 'uid ',                     /* CFStringRef; the caller releases it */
    kAudioDevicePropertyModelUID = 'muid',                      /* CFStringRef; the caller releases it */
    kAudioDevicePropertyTransportType = 'tran',                 /* UInt32: kAudioDeviceTransportType... */
    kAudioDevicePropertyDeviceIsAlive = 'livn',                 /* UInt32: 1 while the device exists */
    kAudioDevicePropertyDeviceIsRunning = 'goin',               /* UInt32: 1 while this process uses the device */
    kAudioDevicePropertyDeviceCanBeDefaultDevice = 'dflt',      /* UInt32 */
    kAudioDevicePropertyLatency = 'ltnc',                       /* UInt32: frames */
    kAudioDevicePropertyStreams = 'stm#',                       /* AudioObjectID for each stream */
    kAudioDevicePropertySafetyOffset = 'saft',                  /* UInt32: frames */
    kAudioDevicePropertyNominalSampleRate = 'nsrt',             /* Float64 */
    kAudioDevicePropertyAvailableNominalSampleRates = 'nsr#',   /* AudioValueRange for each rate or range */
    kAudioDevicePropertyIsHidden = 'hidn',                      /* UInt32 */
    kAudioDevicePropertyPreferredChannelsForStereo = 'dch2',    /* UInt32[2], counted from 1 */
    kAudioDevicePropertyPreferredChannelLayout = 'srnd'         /* AudioChannelLayout */
};

/* A property of a stream. */
AUDIO_CONSTANTS(AudioObjectPropertySelector) {
    kAudioStreamPropertyPhysicalFormat = 'pft ' /* AudioStreamBasicDescription: the format of the hardware */
};

/* Values of kAudioDevicePropertyTransportType. */
AUDIO_CONSTANTS(UInt32) {
    kAudioDeviceTransportTypeUnknown = 0,          /* unknown */
    kAudioDeviceTransportTypeBuiltIn = 'bltn',     /* within the computer */
    kAudioDeviceTransportTypeAggregate = 'grup',   /* an aggregate of several devices */
    kAudioDeviceTransportTypeVirtual = 'virt',     /* virtual */
    kAudioDeviceTransportTypePCI = 'pci ',         /* on the PCI bus */
    kAudioDeviceTransportTypeUSB = 'usb ',         /* on USB */
    kAudioDeviceTransportTypeFireWire = '1394',    /* on FireWire */
    kAudioDeviceTransportTypeBluetooth = 'blue',   /* over Bluetooth */
    kAudioDeviceTransportTypeBluetoothLE = 'blea', /* over Bluetooth Low Energy */
    kAudioDeviceTransportTypeHDMI = 'hdmi',        /* on HDMI */
    kAudioDeviceTransportTypeDisplayPort = 'dprt', /* on DisplayPort */
    kAudioDeviceTransportTypeAirPlay = 'airp',     /* over AirPlay */
    kAudioDeviceTransportTypeAVB = 'eavb',         /* over Audio Video Bridging */
    kAudioDeviceTransportTypeThunderbolt = 'thun'  /* on Thunderbolt */
};

AUDIO_DECLARATIONS_END

#endif
