/* Points in time, on several clocks at once. */
#ifndef AUDIO_TIME_STAMPS_H
#define AUDIO_TIME_STAMPS_H

#include "AudioDeclarationMacros.h"
#include "AudioScalarTypes.h"

AUDIO_ENUM(UInt32, SMPTETimeType) {
    kSMPTETimeType24 = 0,
    kSMPTETimeType25 = 1,
    kSMPTETimeType30Drop = 2,
    kSMPTETimeType30 = 3,
    kSMPTETimeType2997 = 4,
    kSMPTETimeType2997Drop = 5,
    kSMPTETimeType60 = 6,
    kSMPTETimeType5994 = 7,
    kSMPTETimeType60Drop = 8,
    kSMPTETimeType5994Drop = 9,
    kSMPTETimeType50 = 10,
    kSMPTETimeType2398 = 11
};

AUDIO_OPTIONS(UInt32, SMPTETimeFlags) {
    kSMPTETimeUnknown = 0,
    kSMPTETimeValid = 1U << 0,
    kSMPTETimeRunning = 1U << 1
};

typedef struct SMPTETime {
    SInt16 mSubframes;
    SInt16 mSubframeDivisor; /* subframes in a frame, usually 80 */
    UInt32 mCounter;
    SMPTETimeType mType;
    SMPTETimeFlags mFlags;
    SInt16 mHours;
    SInt16 mMinutes;
    SInt16 mSeconds;
    SInt16 mFrames;
} SMPTETime;

AUDIO_OPTIONS(UInt32, AudioTimeStampFlags) {
    kAudioTimeStampNothingValid = 0,
    kAudioTimeStampSampleTimeValid = 1U << 0,
    kAudioTimeStampHostTimeValid = 1U << 1,
    kAudioTimeStampRateScalarValid = 1U << 2,
    kAudioTimeStampWordClockTimeValid = 1U << 3,
    kAudioTimeStampSMPTETimeValid = 1U << 4,
    kAudioTimeStampSampleHostTimeValid = kAudioTimeStampSampleTimeValid | kAudioTimeStampHostTimeValid
};

typedef struct AudioTimeStamp {
    Float64 mSampleTime; /* frames */
    UInt64 mHostTime;    /* nanoseconds of CLOCK_MONOTONIC */
    Float64 mRateScalar; /* actual over nominal host ticks a frame */
    UInt64 mWordClockTime;
    SMPTETime mSMPTETime;
    AudioTimeStampFlags mFlags; /* which fields hold something */
    UInt32 mReserved;
} AudioTimeStamp;

#endif
