/* SPDX-License-Identifier: MIT */

/* Flags of linear PCM and of the lossless formats. */
#ifndef AUDIO_FORMAT_FLAGS_H
#define AUDIO_FORMAT_FLAGS_H

#include "AudioDeclarationMacros.h"
#include "AudioScalarTypes.h"

/* Flags of a format. */
typedef UInt32 AudioFormatFlags;

AUDIO_CONSTANTS(AudioFormatFlags) {
    kAudioFormatFlagIsFloat = 1U << 0,          /* floating point */
    kAudioFormatFlagIsBigEndian = 1U << 1,      /* big-endian */
    kAudioFormatFlagIsSignedInteger = 1U << 2,  /* signed integers */
    kAudioFormatFlagIsPacked = 1U << 3,         /* the bits fill their bytes */
    kAudioFormatFlagIsAlignedHigh = 1U << 4,    /* aligned to the high bits */
    kAudioFormatFlagIsNonInterleaved = 1U << 5, /* a buffer for each channel */
    kAudioFormatFlagIsNonMixable = 1U << 6,     /* not mixable with other streams */
    /* No flags, where 0 would mean any flags. */
    kAudioFormatFlagsAreAllClear = 0x80000000U,

    kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat,                   /* an alias */
    kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian,           /* an alias */
    kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger,   /* an alias */
    kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked,                 /* an alias */
    kLinearPCMFormatFlagIsAlignedHigh = kAudioFormatFlagIsAlignedHigh,       /* an alias */
    kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved, /* an alias */
    kLinearPCMFormatFlagIsNonMixable = kAudioFormatFlagIsNonMixable,         /* an alias */
    /* Six bits: the number of fraction bits of fixed-point samples. */
    kLinearPCMFormatFlagsSampleFractionShift = 7,
    kLinearPCMFormatFlagsSampleFractionMask = 0x3FU << kLinearPCMFormatFlagsSampleFractionShift, /* all six bits */
    kLinearPCMFormatFlagsAreAllClear = kAudioFormatFlagsAreAllClear, /* an alias */

    /* The depth of the source, an enumerated value. */
    kAppleLosslessFormatFlag_16BitSourceData = 1, /* 16 bits */
    kAppleLosslessFormatFlag_20BitSourceData = 2, /* 20 bits */
    kAppleLosslessFormatFlag_24BitSourceData = 3, /* 24 bits */
    kAppleLosslessFormatFlag_32BitSourceData = 4  /* 32 bits */
};

AUDIO_CONSTANTS(AudioFormatFlags) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    kAudioFormatFlagsNativeEndian = kAudioFormatFlagIsBigEndian, /* this machine's byte order */
#else
    kAudioFormatFlagsNativeEndian = 0, /* this machine's byte order */
#endif
    /* Floating point in this machine's byte order. */
    kAudioFormatFlagsNativeFloatPacked =
        kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked,
    kAudioFormatFlagsCanonical = kAudioFormatFlagsNativeFloatPacked, /* the former canonical format */
    /* The former canonical format with a buffer for each channel. */
    kAudioFormatFlagsAudioUnitCanonical = kAudioFormatFlagsCanonical | kAudioFormatFlagIsNonInterleaved
};

/* Returns whether a description is of linear PCM in the byte order of this machine. */
#define TestAudioFormatNativeEndian(f)            \
    (((f).mFormatID == kAudioFormatLinearPCM) &&  \
     (((f).mFormatFlags & kAudioFormatFlagIsBigEndian) == kAudioFormatFlagsNativeEndian))

#endif
