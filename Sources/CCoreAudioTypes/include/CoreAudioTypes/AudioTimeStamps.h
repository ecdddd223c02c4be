/* Points in time, on several clocks at once. */
#ifndef AUDIO_TIME_STAMPS_H
#define AUDIO_TIME_STAMPS_H

#include "AudioDeclarationMacros.h"
#include "AudioScalarTypes.h"

/* How many frames a second of film or tape has. */
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

/* What is known of a time code. */
AUDIO_OPTIONS(UInt32, SMPTETimeFlags) {
    kSMPTETimeUnknown = 0,      /* nothing is known */
    kSMPTETimeValid = 1U << 0,  /* the fields hold a time */
    kSMPTETimeRunning = 1U << 1 /* the time goes on */
};

/* A time of day on film or tape. */
typedef struct SMPTETime {
    SInt16 mSubframes;       /* since the frame began */
    SInt16 mSubframeDivisor; /* subframes in a frame, usually 80 */
    UInt32 mCounter;         /* frames since the time code began */
    SMPTETimeType mType;     /* frames a second */
    SMPTETimeFlags mFlags;   /* whether the fields are valid */
    SInt16 mHours;           /* of the day */
    SInt16 mMinutes;         /* of the hour */
    SInt16 mSeconds;         /* of the minute */
    SInt16 mFrames;          /* of the second */
} SMPTETime;

/* Which fields of a time stamp hold something. */
AUDIO_OPTIONS(UInt32, AudioTimeStampFlags) {
    kAudioTimeStampNothingValid = 0,             /* no field */
    kAudioTimeStampSampleTimeValid = 1U << 0,    /* mSampleTime */
    kAudioTimeStampHostTimeValid = 1U << 1,      /* mHostTime */
    kAudioTimeStampRateScalarValid = 1U << 2,    /* mRateScalar */
    kAudioTimeStampWordClockTimeValid = 1U << 3, /* mWordClockTime */
    kAudioTimeStampSMPTETimeValid = 1U << 4,     /* mSMPTETime */
    /* MSampleTime and mHostTime. */
    kAudioTimeStampSampleHostTimeValid = kAudioTimeStampSampleTimeValid | kAudioTimeStampHostTimeValid
};

/* A point in time, on several clocks at once. */
typedef struct AudioTimeStamp {
    Float64 mSampleTime;        /* frames */
    UInt64 mHostTime;           /* nanoseconds of CLOCK_MONOTONIC */
    Float64 mRateScalar;        /* actual over nominal host ticks a frame */
    UInt64 mWordClockTime;      /* word clocks */
    SMPTETime mSMPTETime;       /* a time of day on tape */
    AudioTimeStampFlags mFlags; /* which fields hold something */
    UInt32 mReserved;           /* 0 */
} AudioTimeStamp;

#endif
