/* SPDX-License-Identifier: MIT */

/* The part of Core Audio Format that programs need to read and write markers and regions. */
#ifndef CAF_FILE_H
#define CAF_FILE_H

#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/AudioScalarTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* Values of mSMPTE_TimeType in AudioFileMarkerList and AudioFileRegionList: those of SMPTETimeType plus 1. */
AUDIO_CONSTANTS(UInt32) {
    kCAF_SMPTE_TimeTypeNone = 0, /* no SMPTE time */
    kCAF_SMPTE_TimeType24 = 1, /* 24 frames a second */
    kCAF_SMPTE_TimeType25 = 2, /* 25 frames a second */
    kCAF_SMPTE_TimeType30Drop = 3, /* 30 frames a second, drop frame */
    kCAF_SMPTE_TimeType30 = 4, /* 30 frames a second */
    kCAF_SMPTE_TimeType2997 = 5, /* 30000 frames in 1001 seconds */
    kCAF_SMPTE_TimeType2997Drop = 6, /* 30000 frames in 1001 seconds, drop frame */
    kCAF_SMPTE_TimeType60 = 7, /* 60 frames a second */
    kCAF_SMPTE_TimeType5994 = 8, /* 60000 frames in 1001 seconds */
    kCAF_SMPTE_TimeType60Drop = 9, /* 60 frames a second, drop frame */
    kCAF_SMPTE_TimeType5994Drop = 10, /* 60000 frames in 1001 seconds, drop frame */
    kCAF_SMPTE_TimeType50 = 11, /* 50 frames a second */
    kCAF_SMPTE_TimeType2398 = 12 /* 24000 frames in 1001 seconds */
};

AUDIO_DECLARATIONS_END

#endif
