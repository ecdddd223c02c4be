/* What each channel of a stream is for: by tag, by bitmap, or by a description of each. */
#ifndef AUDIO_CHANNEL_LAYOUTS_H
#define AUDIO_CHANNEL_LAYOUTS_H

#include "AudioChannelLabels.h"
#include "AudioChannelLayoutTags.h"
#include "AudioDeclarationMacros.h"
#include "AudioScalarTypes.h"
#include "AudioStreamTypes.h"

AUDIO_OPTIONS(UInt32, AudioChannelFlags) {
    kAudioChannelFlags_AllOff = 0,
    kAudioChannelFlags_RectangularCoordinates = 1U << 0,
    kAudioChannelFlags_SphericalCoordinates = 1U << 1,
    kAudioChannelFlags_Meters = 1U << 2 /* clear: relative to the unit cube or sphere */
};

AUDIO_ENUM(UInt32, AudioChannelCoordinateIndex) {
    kAudioChannelCoordinates_LeftRight = 0, /* negative is left */
    kAudioChannelCoordinates_BackFront = 1, /* negative is back */
    kAudioChannelCoordinates_DownUp = 2,    /* negative is below */
    kAudioChannelCoordinates_Azimuth = 0,   /* degrees, positive is right */
    kAudioChannelCoordinates_Elevation = 1, /* degrees, 90 is the zenith */
    kAudioChannelCoordinates_Distance = 2
};

typedef struct AudioChannelDescription {
    AudioChannelLabel mChannelLabel;
    AudioChannelFlags mChannelFlags;
    Float32 mCoordinates[3];
} AudioChannelDescription;

typedef struct AudioChannelLayout {
    AudioChannelLayoutTag mChannelLayoutTag;
    AudioChannelBitmap mChannelBitmap; /* when the tag is UseChannelBitmap */
    UInt32 mNumberChannelDescriptions;
    AudioChannelDescription mChannelDescriptions[1]; /* in truth as many as counted above */
} AudioChannelLayout;

/* One of the formats a layered stream can be decoded as. */
typedef struct AudioFormatListItem {
    AudioStreamBasicDescription mASBD;
    AudioChannelLayoutTag mChannelLayoutTag;
} AudioFormatListItem;

#endif
