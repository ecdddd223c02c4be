/* The objects of the hardware API: the system, its devices, and the properties they are asked for. */
#ifndef AUDIO_HARDWARE_BASE_H
#define AUDIO_HARDWARE_BASE_H

#include <CoreAudio/AudioCoreFoundation.h>
#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

AUDIO_DECLARATIONS_BEGIN

typedef UInt32 AudioObjectID;
typedef UInt32 AudioClassID;
typedef UInt32 AudioObjectPropertySelector;
typedef UInt32 AudioObjectPropertyScope;
typedef UInt32 AudioObjectPropertyElement;

/* Which property of an object: what, for which direction, and of which channel. */
typedef struct AudioObjectPropertyAddress {
    AudioObjectPropertySelector mSelector;
    AudioObjectPropertyScope mScope;
    AudioObjectPropertyElement mElement; /* 0: the whole; from 1 on a channel */
} AudioObjectPropertyAddress;

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kAudioHardwareNoError = 0,
    kAudioHardwareNotRunningError = 'stop',
    kAudioHardwareUnspecifiedError = 'what',
    kAudioHardwareUnknownPropertyError = 'who?',
    kAudioHardwareBadPropertySizeError = '!siz',
    kAudioHardwareIllegalOperationError = 'nope',
    kAudioHardwareBadObjectError = '!obj',
    kAudioHardwareBadDeviceError = '!dev',
    kAudioHardwareBadStreamError = '!str',
    kAudioHardwareUnsupportedOperationError = 'unop',
    kAudioDeviceUnsupportedFormatError = '!dat',
    kAudioDevicePermissionsError = '!hog'
};

AUDIO_CONSTANTS(AudioObjectID) {
    kAudioObjectUnknown = 0 /* no object */
};

AUDIO_CONSTANTS(AudioObjectPropertyScope) {
    kAudioObjectPropertyScopeGlobal = 'glob',
    kAudioObjectPropertyScopeInput = 'inpt',
    kAudioObjectPropertyScopeOutput = 'outp',
    kAudioObjectPropertyScopePlayThrough = 'ptru',
    kAudioObjectPropertyScopeWildcard = '****' /* any scope */
};

AUDIO_CONSTANTS(AudioObjectPropertyElement) {
    kAudioObjectPropertyElementMain = 0,
    kAudioObjectPropertyElementMaster = kAudioObjectPropertyElementMain, /* its older name */
    kAudioObjectPropertyElementWildcard = 0xFFFFFFFFU                    /* any element */
};

AUDIO_CONSTANTS(AudioClassID) {
    kAudioObjectClassIDWildcard = '****',
    kAudioObjectClassID = 'aobj',
    kAudioDeviceClassID = 'adev',
    kAudioStreamClassID = 'astr'
};

/* Properties of every object. */
AUDIO_CONSTANTS(AudioObjectPropertySelector) {
    kAudioObjectPropertySelectorWildcard = '****',
    kAudioObjectPropertyBaseClass = 'bcls',    /* AudioClassID */
    kAudioObjectPropertyClass = 'clas',        /* AudioClassID */
    kAudioObjectPropertyOwner = 'stdv',        /* AudioObjectID */
    kAudioObjectPropertyName = 'lnam',         /* CFStringRef, the caller's to release */
    kAudioObjectPropertyModelName = 'lmod',    /* CFStringRef, likewise */
    kAudioObjectPropertyManufacturer = 'lmak', /* CFStringRef, likewise */
    kAudioObjectPropertyOwnedObjects = 'ownd'  /* AudioObjectID for each */
};

/* Properties of a device. */
AUDIO_CONSTANTS(AudioObjectPropertySelector) {
    kAudioDevicePropertyDeviceUID = 'uid ',                     /* CFStringRef, the caller's to release */
    kAudioDevicePropertyModelUID = 'muid',                      /* CFStringRef, likewise */
    kAudioDevicePropertyTransportType = 'tran',                 /* UInt32, one of those below */
    kAudioDevicePropertyDeviceIsAlive = 'livn',                 /* UInt32: 1 while it is there */
    kAudioDevicePropertyDeviceIsRunning = 'goin',               /* UInt32: 1 while this process uses it */
    kAudioDevicePropertyDeviceCanBeDefaultDevice = 'dflt',      /* UInt32 */
    kAudioDevicePropertyLatency = 'ltnc',                       /* UInt32: frames */
    kAudioDevicePropertyStreams = 'stm#',                       /* AudioObjectID for each stream */
    kAudioDevicePropertySafetyOffset = 'saft',                  /* UInt32: frames */
    kAudioDevicePropertyNominalSampleRate = 'nsrt',             /* Float64 */
    kAudioDevicePropertyAvailableNominalSampleRates = 'nsr#',   /* AudioValueRange for each */
    kAudioDevicePropertyIsHidden = 'hidn',                      /* UInt32 */
    kAudioDevicePropertyPreferredChannelsForStereo = 'dch2',    /* UInt32[2], counted from 1 */
    kAudioDevicePropertyPreferredChannelLayout = 'srnd'         /* AudioChannelLayout */
};

/* Values of kAudioDevicePropertyTransportType. */
AUDIO_CONSTANTS(UInt32) {
    kAudioDeviceTransportTypeUnknown = 0,
    kAudioDeviceTransportTypeBuiltIn = 'bltn',
    kAudioDeviceTransportTypeAggregate = 'grup',
    kAudioDeviceTransportTypeVirtual = 'virt',
    kAudioDeviceTransportTypePCI = 'pci ',
    kAudioDeviceTransportTypeUSB = 'usb ',
    kAudioDeviceTransportTypeFireWire = '1394',
    kAudioDeviceTransportTypeBluetooth = 'blue',
    kAudioDeviceTransportTypeBluetoothLE = 'blea',
    kAudioDeviceTransportTypeHDMI = 'hdmi',
    kAudioDeviceTransportTypeDisplayPort = 'dprt',
    kAudioDeviceTransportTypeAirPlay = 'airp',
    kAudioDeviceTransportTypeAVB = 'eavb',
    kAudioDeviceTransportTypeThunderbolt = 'thun'
};

AUDIO_DECLARATIONS_END

#endif
