/* SPDX-License-Identifier: MIT */

/* Older names of hardware functions, for programs that include only AudioToolbox.h, and the main volume of a device,
 * which devices do not have here. */
#ifndef AUDIO_HARDWARE_SERVICE_H
#define AUDIO_HARDWARE_SERVICE_H

#include <CoreAudio/AudioHardware.h>

AUDIO_DECLARATIONS_BEGIN

/* Properties of a device that this API adds to those of AudioHardware.h. */
AUDIO_CONSTANTS(AudioObjectPropertySelector) {
    kAudioHardwareServiceDeviceProperty_VirtualMainVolume = 'vmvc',  /* Float32: 0 to 1 */
    kAudioHardwareServiceDeviceProperty_VirtualMainBalance = 'vmbc', /* Float32: 0 is left, 1 right */
    /* The older names of the two properties. */
    kAudioHardwareServiceDeviceProperty_VirtualMasterVolume = kAudioHardwareServiceDeviceProperty_VirtualMainVolume,
    kAudioHardwareServiceDeviceProperty_VirtualMasterBalance = kAudioHardwareServiceDeviceProperty_VirtualMainBalance
};

/* Calls AudioObjectHasProperty. */
static inline Boolean AudioHardwareServiceHasProperty(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress) {
    return AudioObjectHasProperty(inObjectID, inAddress);
}

/* Calls AudioObjectIsPropertySettable. */
static inline OSStatus AudioHardwareServiceIsPropertySettable(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress, Boolean *outIsSettable) {
    return AudioObjectIsPropertySettable(inObjectID, inAddress, outIsSettable);
}

/* Calls AudioObjectGetPropertyDataSize. */
static inline OSStatus AudioHardwareServiceGetPropertyDataSize(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress, UInt32 inQualifierDataSize,
    const void *_Nullable inQualifierData, UInt32 *outDataSize) {
    return AudioObjectGetPropertyDataSize(
        inObjectID, inAddress, inQualifierDataSize, inQualifierData, outDataSize);
}

/* Calls AudioObjectGetPropertyData. */
static inline OSStatus AudioHardwareServiceGetPropertyData(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress, UInt32 inQualifierDataSize,
    const void *_Nullable inQualifierData, UInt32 *ioDataSize, void *outData) {
    return AudioObjectGetPropertyData(
        inObjectID, inAddress, inQualifierDataSize, inQualifierData, ioDataSize, outData);
}

/* Calls AudioObjectSetPropertyData. */
static inline OSStatus AudioHardwareServiceSetPropertyData(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress, UInt32 inQualifierDataSize,
    const void *_Nullable inQualifierData, UInt32 inDataSize, const void *inData) {
    return AudioObjectSetPropertyData(
        inObjectID, inAddress, inQualifierDataSize, inQualifierData, inDataSize, inData);
}

/* Calls AudioObjectAddPropertyListener. */
static inline OSStatus AudioHardwareServiceAddPropertyListener(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    AudioObjectPropertyListenerProc inListener, void *_Nullable inClientData) {
    return AudioObjectAddPropertyListener(inObjectID, inAddress, inListener, inClientData);
}

/* Calls AudioObjectRemovePropertyListener. */
static inline OSStatus AudioHardwareServiceRemovePropertyListener(
    AudioObjectID inObjectID, const AudioObjectPropertyAddress *inAddress,
    AudioObjectPropertyListenerProc inListener, void *_Nullable inClientData) {
    return AudioObjectRemovePropertyListener(inObjectID, inAddress, inListener, inClientData);
}

AUDIO_DECLARATIONS_END

#endif
