/* SPDX-License-Identifier: MIT */

/* Audio Format Services: properties of formats, codecs and channel layouts. */
#ifndef AUDIO_FORMAT_H
#define AUDIO_FORMAT_H

#include <CoreAudio/AudioCoreFoundation.h>
#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* A property of formats. */
typedef UInt32 AudioFormatPropertyID;

/* The distribution of a mono source over channels. */
AUDIO_ENUM(UInt32, AudioPanningMode) {
    kPanningMode_SoundField = 3,        /* all channels have a gain */
    kPanningMode_VectorBasedPanning = 4 /* only the speakers next to the source have a gain */
};

/* The specifier of kAudioFormatProperty_PanningMatrix. */
typedef struct AudioPanningInfo {
    AudioPanningMode mPanningMode;               /* the panning mode */
    UInt32 mCoordinateFlags;                     /* AudioChannelFlags */
    Float32 mCoordinates[3];                     /* the source's position, as in AudioChannelDescription */
    Float32 mGainScale;                          /* the factor of all gains */
    const AudioChannelLayout *mOutputChannelMap; /* the positions of the speakers */
} AudioPanningInfo;

/* The gain of the louder side while the other fades. */
AUDIO_ENUM(UInt32, AudioBalanceFadeType) {
    kAudioBalanceFadeType_MaxUnityGain = 0, /* the gain stays at 1 */
    kAudioBalanceFadeType_EqualPower = 1    /* the gain increases by up to 3 dB */
};

/* The specifier of kAudioFormatProperty_BalanceFade. */
typedef struct AudioBalanceFade {
    Float32 mLeftRightBalance;                /* -1 left to 1 right */
    Float32 mBackFrontFade;                   /* -1 back to 1 front */
    AudioBalanceFadeType mType;               /* the gain of the louder side */
    const AudioChannelLayout *mChannelLayout; /* the sides of the channels */
} AudioBalanceFade;

/* A format and its magic cookie. */
typedef struct AudioFormatInfo {
    AudioStreamBasicDescription mASBD; /* the format */
    const void *mMagicCookie;          /* the decoder's parameters */
    UInt32 mMagicCookieSize;           /* bytes */
} AudioFormatInfo;

/* A format, its magic cookie, and a codec. */
typedef struct ExtendedAudioFormatInfo {
    AudioStreamBasicDescription mASBD;       /* the format */
    const void *_Nullable mMagicCookie;      /* the decoder's parameters */
    UInt32 mMagicCookieSize;                 /* bytes */
    AudioClassDescription mClassDescription; /* the codec */
} ExtendedAudioFormatInfo;

/* Properties, each with its specifier. The caller must release CoreFoundation objects. */
AUDIO_CONSTANTS(AudioFormatPropertyID) {
    /* Properties of formats. The first completes a description that has mFormatID at least. */
    kAudioFormatProperty_FormatInfo = 'fmti',                    /* the description; cookie, or none */
    kAudioFormatProperty_FormatName = 'fnam',                    /* CFStringRef; description */
    kAudioFormatProperty_EncodeFormatIDs = 'acof',               /* AudioFormatID for each format */
    kAudioFormatProperty_DecodeFormatIDs = 'acif',               /* AudioFormatID for each format */
    kAudioFormatProperty_FormatList = 'flst',                    /* AudioFormatListItem[]; AudioFormatInfo */
    kAudioFormatProperty_ASBDFromESDS = 'essd',                  /* the description; the cookie's bytes */
    kAudioFormatProperty_ChannelLayoutFromESDS = 'escl',         /* AudioChannelLayout; the cookie's bytes */
    kAudioFormatProperty_OutputFormatList = 'ofls',              /* AudioFormatListItem[]; AudioFormatInfo */
    kAudioFormatProperty_FirstPlayableFormatFromList = 'fpfl',   /* UInt32: index; AudioFormatListItem[] */
    kAudioFormatProperty_FormatIsVBR = 'fvbr',                   /* UInt32; description */
    kAudioFormatProperty_FormatIsExternallyFramed = 'fexf',      /* UInt32; description */
    kAudioFormatProperty_FormatEmploysDependentPackets = 'fdep', /* UInt32; description */
    kAudioFormatProperty_FormatIsEncrypted = 'cryp',             /* UInt32; format ID */
    kAudioFormatProperty_ASBDFromMPEGPacket = 'admp',            /* the description; the packet's bytes */

    /* Properties of codecs. */
    kAudioFormatProperty_Encoders = 'aven',                         /* AudioClassDescription[]; format ID */
    kAudioFormatProperty_Decoders = 'avde',                         /* AudioClassDescription[]; format ID */
    kAudioFormatProperty_AvailableEncodeBitRates = 'aebr',          /* AudioValueRange[]; format ID */
    kAudioFormatProperty_AvailableEncodeSampleRates = 'aesr',       /* AudioValueRange[]; format ID */
    kAudioFormatProperty_AvailableEncodeChannelLayoutTags = 'aecl', /* the tags; description */
    kAudioFormatProperty_AvailableEncodeNumberChannels = 'avnc',    /* UInt32[]; description */
    kAudioFormatProperty_AvailableDecodeNumberChannels = 'adnc',    /* UInt32[]; description */
    kAudioFormatProperty_HardwareCodecCapabilities = 'hwcc',        /* UInt32; AudioClassDescription[] */

    /* Properties of channel layouts. Two layouts are specified by two pointers. */
    kAudioFormatProperty_BitmapForLayoutTag = 'bmtg',          /* UInt32; tag */
    kAudioFormatProperty_MatrixMixMap = 'mmap',                /* Float32[in][out]; two layouts */
    kAudioFormatProperty_ChannelMap = 'chmp',                  /* SInt32[out]; two layouts */
    kAudioFormatProperty_NumberOfChannelsForLayout = 'nchm',   /* UInt32; layout */
    kAudioFormatProperty_AreChannelLayoutsEquivalent = 'cheq', /* UInt32; two layouts */
    kAudioFormatProperty_ChannelLayoutHash = 'chha',           /* UInt32; layout */
    kAudioFormatProperty_ValidateChannelLayout = 'vacl',       /* only a result code; layout */
    kAudioFormatProperty_ChannelLayoutForTag = 'cmpl',         /* AudioChannelLayout; tag */
    kAudioFormatProperty_TagForChannelLayout = 'cmpt',         /* AudioChannelLayoutTag; layout */
    kAudioFormatProperty_ChannelLayoutName = 'lonm',           /* CFStringRef; layout */
    kAudioFormatProperty_ChannelLayoutSimpleName = 'lsnm',     /* CFStringRef; layout */
    kAudioFormatProperty_ChannelLayoutForBitmap = 'cmpb',      /* AudioChannelLayout; UInt32 */
    kAudioFormatProperty_ChannelName = 'cnam',                 /* CFStringRef; AudioChannelDescription */
    kAudioFormatProperty_ChannelShortName = 'csnm',            /* CFStringRef; AudioChannelDescription */
    kAudioFormatProperty_TagsForNumberOfChannels = 'tagc',     /* AudioChannelLayoutTag[]; UInt32 */
    kAudioFormatProperty_PanningMatrix = 'panm',               /* Float32[]; AudioPanningInfo */
    kAudioFormatProperty_BalanceFade = 'balf',                 /* Float32[]; AudioBalanceFade */

    /* Properties of ID3 tags. */
    kAudioFormatProperty_ID3TagSize = 'id3s',        /* UInt32; 10 bytes of the tag or more */
    kAudioFormatProperty_ID3TagToDictionary = 'id3d' /* CFDictionaryRef; the tag's bytes */
};

/* Values of mType and mManufacturer in AudioClassDescription. */
AUDIO_CONSTANTS(UInt32) {
    kAudioDecoderComponentType = 'adec',           /* a decoder */
    kAudioEncoderComponentType = 'aenc',           /* an encoder */
    kAppleSoftwareAudioCodecManufacturer = 'appl', /* a codec in software */
    kAppleHardwareAudioCodecManufacturer = 'aphw'  /* a codec in hardware */
};

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kAudioFormatUnspecifiedError = 'what',           /* any other error */
    kAudioFormatUnsupportedPropertyError = 'prop',   /* there is no such property */
    kAudioFormatBadPropertySizeError = '!siz',       /* there is no room for the value */
    kAudioFormatBadSpecifierSizeError = '!spc',      /* the specifier is too small, or has a partial element */
    kAudioFormatUnsupportedDataFormatError = 'fmt?', /* there is no value for the specifier */
    kAudioFormatUnknownFormatError = '!fmt'          /* a layout's tag or a channel's label is unknown */
};

/* Returns the size of a property's value. */
OSStatus AudioFormatGetPropertyInfo(
    AudioFormatPropertyID inPropertyID, UInt32 inSpecifierSize, const void *_Nullable inSpecifier,
    UInt32 *outPropertyDataSize);

/* Copies a property's value into outPropertyData, which holds *ioPropertyDataSize bytes. */
OSStatus AudioFormatGetProperty(
    AudioFormatPropertyID inPropertyID, UInt32 inSpecifierSize, const void *_Nullable inSpecifier,
    UInt32 *_Nullable ioPropertyDataSize, void *_Nullable outPropertyData);

AUDIO_DECLARATIONS_END

#endif
