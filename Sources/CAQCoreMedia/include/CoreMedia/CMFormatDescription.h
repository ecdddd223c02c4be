/* SPDX-License-Identifier: MIT */

/* The format of the samples in a sample buffer. */
#ifndef CM_FORMAT_DESCRIPTION_H
#define CM_FORMAT_DESCRIPTION_H

#include <CoreMedia/CMBase.h>

AUDIO_DECLARATIONS_BEGIN
AUDIO_OBJECTS_BEGIN

/* An object that describes a format, and does not change. */
typedef const struct AUDIO_OBJECT opaqueCMFormatDescription *CMFormatDescriptionRef;
/* A description of audio, the only one here. */
typedef CMFormatDescriptionRef CMAudioFormatDescriptionRef;

/* The type of media. */
typedef FourCharCode CMMediaType;
AUDIO_CONSTANTS(CMMediaType) { kCMMediaType_Audio = 'soun' /* audio */ };

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kCMFormatDescriptionError_InvalidParameter = -12710, /* an argument is missing or invalid */
    kCMFormatDescriptionError_AllocationFailed = -12711, /* not enough memory */
    kCMFormatDescriptionError_ValueNotAvailable = -12718 /* the description has no such value */
};

/* Returns the type of format descriptions. */
CFTypeID CMFormatDescriptionGetTypeID(void);

/* Returns the type of the media: kCMMediaType_Audio. */
CMMediaType CMFormatDescriptionGetMediaType(CMFormatDescriptionRef desc);

/* Returns the format ID of audio. */
FourCharCode CMFormatDescriptionGetMediaSubType(CMFormatDescriptionRef desc);

/* Returns the extensions that the description was created with, or NULL. */
CFDictionaryRef _Nullable CMFormatDescriptionGetExtensions(CMFormatDescriptionRef desc);

/* Returns whether two descriptions are equal; false if one is NULL. */
Boolean CMFormatDescriptionEqual(
    CMFormatDescriptionRef _Nullable formatDescription, CMFormatDescriptionRef _Nullable otherFormatDescription)
    AUDIO_SWIFT_NAME(CMFormatDescriptionEqual(_:otherFormatDescription:));

/* Creates a description of audio. The format, layout and cookie are copied; layout, cookie and extensions may be
 * missing. */
OSStatus CMAudioFormatDescriptionCreate(
    CFAllocatorRef _Nullable allocator, const AudioStreamBasicDescription *asbd, size_t layoutSize,
    const AudioChannelLayout *_Nullable layout, size_t magicCookieSize, const void *_Nullable magicCookie,
    CFDictionaryRef _Nullable extensions,
    AUDIO_RETURNS_RETAINED CMAudioFormatDescriptionRef _Nullable *formatDescriptionOut)
    AUDIO_SWIFT_NAME(
        CMAudioFormatDescriptionCreate(allocator:asbd:layoutSize:layout:magicCookieSize:magicCookie:extensions:formatDescriptionOut:));

/* Returns the format, which exists as long as the description; NULL if there is none. */
const AudioStreamBasicDescription *_Nullable CMAudioFormatDescriptionGetStreamBasicDescription(
    CMAudioFormatDescriptionRef desc);

/* Returns the magic cookie and its size, or NULL and 0. */
const void *_Nullable CMAudioFormatDescriptionGetMagicCookie(
    CMAudioFormatDescriptionRef desc, size_t *_Nullable sizeOut)
    AUDIO_SWIFT_NAME(CMAudioFormatDescriptionGetMagicCookie(_:sizeOut:));

/* Returns the channel layout and its size, or NULL and 0. */
const AudioChannelLayout *_Nullable CMAudioFormatDescriptionGetChannelLayout(
    CMAudioFormatDescriptionRef desc, size_t *_Nullable sizeOut)
    AUDIO_SWIFT_NAME(CMAudioFormatDescriptionGetChannelLayout(_:sizeOut:));

AUDIO_OBJECTS_END
AUDIO_DECLARATIONS_END

#endif
