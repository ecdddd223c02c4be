/* SPDX-License-Identifier: MIT */

/* The use of each channel of a stream: by tag, by bitmap, or by a description of each. */
#ifndef AUDIO_CHANNEL_LAYOUTS_H
#define AUDIO_CHANNEL_LAYOUTS_H

#include "AudioChannelLabels.h"
#include "AudioChannelLayoutTags.h"
#include "AudioDeclarationMacros.h"
#include "AudioScalarTypes.h"
#include "AudioStreamTypes.h"

/* The type of a channel's coordinates. */
AUDIO_OPTIONS(UInt32, AudioChannelFlags) {
    kAudioChannelFlags_AllOff = 0,                       /* no coordinates */
    kAudioChannelFlags_RectangularCoordinates = 1U << 0, /* left-right, back-front, down-up */
    kAudioChannelFlags_SphericalCoordinates = 1U << 1,   /* azimuth, elevation, distance */
    kAudioChannelFlags_Meters = 1U << 2                  /* if clear: relative to the unit cube or sphere */
};

/* The indexes of the coordinates. */
AUDIO_ENUM(UInt32, AudioChannelCoordinateIndex) {
    kAudioChannelCoordinates_LeftRight = 0, /* negative is left */
    kAudioChannelCoordinates_BackFront = 1, /* negative is back */
    kAudioChannelCoordinates_DownUp = 2,    /* negative is below */
    kAudioChannelCoordinates_Azimuth = 0,   /* degrees, positive is right */
    kAudioChannelCoordinates_Elevation = 1, /* degrees, 90 is the zenith */
    kAudioChannelCoordinates_Distance = 2   /* the distance from the listener */
};

/* The use or the position of one channel. */
typedef struct AudioChannelDescription {
    AudioChannelLabel mChannelLabel; /* kAudioChannelLabel_... */
    AudioChannelFlags mChannelFlags; /* the type of mCoordinates */
    Float32 mCoordinates[3];         /* the speaker's position */
} AudioChannelDescription;

/* The use of the channels: by a tag, by a bitmap, or by a description of each. */
typedef struct AudioChannelLayout {
    AudioChannelLayoutTag mChannelLayoutTag;         /* kAudioChannelLayoutTag_... */
    AudioChannelBitmap mChannelBitmap;               /* the channels, if the tag is UseChannelBitmap */
    UInt32 mNumberChannelDescriptions;               /* the number of descriptions */
    AudioChannelDescription mChannelDescriptions[1]; /* actually mNumberChannelDescriptions of them */
} AudioChannelLayout;

/* A format in which a layered stream can be decoded. */
typedef struct AudioFormatListItem {
    AudioStreamBasicDescription mASBD;       /* the format */
    AudioChannelLayoutTag mChannelLayoutTag; /* the order of its channels */
} AudioFormatListItem;

#endif
