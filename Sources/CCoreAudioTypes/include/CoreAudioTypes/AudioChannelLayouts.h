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
    kAudioChannelFlags_Meters = 1U << 2                  /* clear: relative to the unit cube or sphere */
};

/* Which coordinate is which. */
AUDIO_ENUM(UInt32, AudioChannelCoordinateIndex) {
    kAudioChannelCoordinates_LeftRight = 0, /* negative is left */
    kAudioChannelCoordinates_BackFront = 1, /* negative is back */
    kAudioChannelCoordinates_DownUp = 2,    /* negative is below */
    kAudioChannelCoordinates_Azimuth = 0,   /* degrees, positive is right */
    kAudioChannelCoordinates_Elevation = 1, /* degrees, 90 is the zenith */
    kAudioChannelCoordinates_Distance = 2   /* from the listener */
};

/* The use or the position of one channel. */
typedef struct AudioChannelDescription {
    AudioChannelLabel mChannelLabel; /* kAudioChannelLabel_... */
    AudioChannelFlags mChannelFlags; /* the type of mCoordinates */
    Float32 mCoordinates[3];         /* where the speaker is */
} AudioChannelDescription;

/* The use of the channels: by a tag, by a bitmap, or by a description of each. */
typedef struct AudioChannelLayout {
    AudioChannelLayoutTag mChannelLayoutTag;         /* kAudioChannelLayoutTag_... */
    AudioChannelBitmap mChannelBitmap;               /* when the tag is UseChannelBitmap */
    UInt32 mNumberChannelDescriptions;               /* how many follow */
    AudioChannelDescription mChannelDescriptions[1]; /* in truth as many as counted above */
} AudioChannelLayout;

/* One of the formats a layered stream can be decoded as. */
typedef struct AudioFormatListItem {
    AudioStreamBasicDescription mASBD;       /* the format */
    AudioChannelLayoutTag mChannelLayoutTag; /* its channels */
} AudioFormatListItem;

#endif
