/* Flags of linear PCM and of the lossless formats. */
#ifndef AUDIO_FORMAT_FLAGS_H
#define AUDIO_FORMAT_FLAGS_H

#include "AudioDeclarationMacros.h"
#include "AudioScalarTypes.h"

typedef UInt32 AudioFormatFlags;

AUDIO_CONSTANTS(AudioFormatFlags) {
    kAudioFormatFlagIsFloat = 1U << 0,
    kAudioFormatFlagIsBigEndian = 1U << 1,
    kAudioFormatFlagIsSignedInteger = 1U << 2,
    kAudioFormatFlagIsPacked = 1U << 3,
    kAudioFormatFlagIsAlignedHigh = 1U << 4,
    kAudioFormatFlagIsNonInterleaved = 1U << 5,
    kAudioFormatFlagIsNonMixable = 1U << 6,
    /* Says "no flags" where 0 would mean "any flags". */
    kAudioFormatFlagsAreAllClear = 0x80000000U,

    kLinearPCMFormatFlagIsFloat = kAudioFormatFlagIsFloat,
    kLinearPCMFormatFlagIsBigEndian = kAudioFormatFlagIsBigEndian,
    kLinearPCMFormatFlagIsSignedInteger = kAudioFormatFlagIsSignedInteger,
    kLinearPCMFormatFlagIsPacked = kAudioFormatFlagIsPacked,
    kLinearPCMFormatFlagIsAlignedHigh = kAudioFormatFlagIsAlignedHigh,
    kLinearPCMFormatFlagIsNonInterleaved = kAudioFormatFlagIsNonInterleaved,
    kLinearPCMFormatFlagIsNonMixable = kAudioFormatFlagIsNonMixable,
    /* Six bits that count the fraction bits of fixed-point samples. */
    kLinearPCMFormatFlagsSampleFractionShift = 7,
    kLinearPCMFormatFlagsSampleFractionMask = 0x3FU << kLinearPCMFormatFlagsSampleFractionShift,
    kLinearPCMFormatFlagsAreAllClear = kAudioFormatFlagsAreAllClear,

    /* The depth of the source, an enumerated value. */
    kAppleLosslessFormatFlag_16BitSourceData = 1,
    kAppleLosslessFormatFlag_20BitSourceData = 2,
    kAppleLosslessFormatFlag_24BitSourceData = 3,
    kAppleLosslessFormatFlag_32BitSourceData = 4
};

AUDIO_CONSTANTS(AudioFormatFlags) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    kAudioFormatFlagsNativeEndian = kAudioFormatFlagIsBigEndian,
#else
    kAudioFormatFlagsNativeEndian = 0,
#endif
    kAudioFormatFlagsNativeFloatPacked =
        kAudioFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked,
    kAudioFormatFlagsCanonical = kAudioFormatFlagsNativeFloatPacked,
    kAudioFormatFlagsAudioUnitCanonical = kAudioFormatFlagsCanonical | kAudioFormatFlagIsNonInterleaved
};

#define TestAudioFormatNativeEndian(f)            \
    (((f).mFormatID == kAudioFormatLinearPCM) &&  \
     (((f).mFormatFlags & kAudioFormatFlagIsBigEndian) == kAudioFormatFlagsNativeEndian))

#endif
