/* SPDX-License-Identifier: MIT */

/* Names of codecs' properties and results with which programs configure encoders through
 * AudioConverter. There are no codecs to open directly. */
#ifndef AUDIO_CODEC_H
#define AUDIO_CODEC_H

#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* A property of a codec. */
typedef UInt32 AudioCodecPropertyID;

/* Properties. */
AUDIO_CONSTANTS(AudioCodecPropertyID) {
    kAudioCodecPropertyBitRateControlMode = 'acbf', /* UInt32: kAudioCodecBitRateControlMode_... */
    kAudioCodecPropertySoundQualityForVBR = 'vbrq'  /* UInt32: 0 to 127 */
};

/* The bit rate control modes of an encoder. */
AUDIO_CONSTANTS(UInt32) {
    kAudioCodecBitRateControlMode_Constant = 0,            /* the same rate for all packets */
    kAudioCodecBitRateControlMode_LongTermAverage = 1,     /* the set rate on average */
    kAudioCodecBitRateControlMode_VariableConstrained = 2, /* the rate that the audio needs, within limits */
    kAudioCodecBitRateControlMode_Variable = 3             /* the rate that the set quality needs */
};

/* Qualities. */
AUDIO_CONSTANTS(UInt32) {
    kAudioCodecQuality_Max = 0x7F,    /* best */
    kAudioCodecQuality_High = 0x60,   /* good */
    kAudioCodecQuality_Medium = 0x40, /* medium */
    kAudioCodecQuality_Low = 0x20,    /* fast */
    kAudioCodecQuality_Min = 0        /* fastest */
};

/* Results. */
AUDIO_CONSTANTS(OSStatus) {
    kAudioCodecNoError = 0,                        /* no error */
    kAudioCodecUnspecifiedError = 'what',          /* unspecified error */
    kAudioCodecUnknownPropertyError = 'who?',      /* there is no such property */
    kAudioCodecBadPropertySizeError = '!siz',      /* the value has another size */
    kAudioCodecIllegalOperationError = 'nope',     /* the operation is not supported */
    kAudioCodecUnsupportedFormatError = '!dat',    /* the codec has no such format */
    kAudioCodecStateError = '!stt',                /* the operation is not possible now */
    kAudioCodecNotEnoughBufferSpaceError = '!buf', /* the buffer is too small */
    kAudioCodecBadDataError = 'bada'               /* the data is damaged */
};

AUDIO_DECLARATIONS_END

#endif
