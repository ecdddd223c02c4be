/* The part of Core Audio Format that programs need to read and write markers and regions. */
#ifndef CAF_FILE_H
#define CAF_FILE_H

#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/AudioScalarTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* Values of mSMPTE_TimeType in AudioFileMarkerList and AudioFileRegionList: SMPTETimeType and one. */
AUDIO_CONSTANTS(UInt32) {
    kCAF_SMPTE_TimeTypeNone = 0,
    kCAF_SMPTE_TimeType24 = 1,
    kCAF_SMPTE_TimeType25 = 2,
    kCAF_SMPTE_TimeType30Drop = 3,
    kCAF_SMPTE_TimeType30 = 4,
    kCAF_SMPTE_TimeType2997 = 5,
    kCAF_SMPTE_TimeType2997Drop = 6,
    kCAF_SMPTE_TimeType60 = 7,
    kCAF_SMPTE_TimeType5994 = 8,
    kCAF_SMPTE_TimeType60Drop = 9,
    kCAF_SMPTE_TimeType5994Drop = 10,
    kCAF_SMPTE_TimeType50 = 11,
    kCAF_SMPTE_TimeType2398 = 12
};

AUDIO_DECLARATIONS_END

#endif
