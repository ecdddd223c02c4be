/* SPDX-License-Identifier: MIT */

/* Points in time, on several clocks at once. */
#ifndef AUDIO_TIME_STAMPS_H
#define AUDIO_TIME_STAMPS_H

#include "AudioDeclarationMacros.h"
#include "AudioScalarTypes.h"

/* The frames per second of film or tape. */
AUDIO_ENUM(UInt32, SMPTETimeType) {
    kSMPTETimeType24 = 0, /* 24 frames a second */
    kSMPTETimeType25 = 1, /* 25 frames a second */
    kSMPTETimeType30Drop = 2, /* 30 frames a second, drop frame */
    kSMPTETimeType30 = 3, /* 30 frames a second */
    kSMPTETimeType2997 = 4, /* 30000 frames in 1001 seconds */
    kSMPTETimeType2997Drop = 5, /* 30000 frames in 1001 seconds, drop frame */
    kSMPTETimeType60 = 6, /* 60 frames a second */
    kSMPTETimeType5994 = 7, /* 60000 frames in 1001 seconds */
    kSMPTETimeType60Drop = 8, /* 60 frames a second, drop frame */
    kSMPTETimeType5994Drop = 9, /* 60000 frames in 1001 seconds, drop frame */
    kSMPTETimeType50 = 10, /* 50 frames a second */
    kSMPTETimeType2398 = 11 /* 24000 frames in 1001 seconds */
};

/* The state of a time code. */
AUDIO_OPTIONS(UInt32, SMPTETimeFlags) {
    kSMPTETimeUnknown = 0,      /* unknown */
    kSMPTETimeValid = 1U << 0,  /* the fields hold a time */
    kSMPTETimeRunning = 1U << 1 /* the time advances */
};

/* A time of day on film or tape. */
typedef struct SMPTETime {
    SInt16 mSubframes;       /* subframes since the start of the frame */
    SInt16 mSubframeDivisor; /* subframes in a frame, usually 80 */
    UInt32 mCounter;         /* received messages; a full time has eight */
    SMPTETimeType mType;     /* frames a second */
    SMPTETimeFlags mFlags;   /* whether the fields are valid */
    SInt16 mHours;           /* hours of the day */
    SInt16 mMinutes;         /* minutes of the hour */
    SInt16 mSeconds;         /* seconds of the minute */
    SInt16 mFrames;          /* frames of the second */
} SMPTETime;

/* The valid fields of a time stamp. */
AUDIO_OPTIONS(UInt32, AudioTimeStampFlags) {
    kAudioTimeStampNothingValid = 0,             /* no field */
    kAudioTimeStampSampleTimeValid = 1U << 0,    /* mSampleTime */
    kAudioTimeStampHostTimeValid = 1U << 1,      /* mHostTime */
    kAudioTimeStampRateScalarValid = 1U << 2,    /* mRateScalar */
    kAudioTimeStampWordClockTimeValid = 1U << 3, /* mWordClockTime */
    kAudioTimeStampSMPTETimeValid = 1U << 4,     /* mSMPTETime */
    /* mSampleTime and mHostTime. */
    kAudioTimeStampSampleHostTimeValid = kAudioTimeStampSampleTimeValid | kAudioTimeStampHostTimeValid
};

/* A point in time, on several clocks at once. */
typedef struct AudioTimeStamp {
    Float64 mSampleTime;        /* frames */
    UInt64 mHostTime;           /* nanoseconds of CLOCK_MONOTONIC */
    Float64 mRateScalar;        /* the ratio of actual to nominal host ticks a frame */
    UInt64 mWordClockTime;      /* word clocks */
    SMPTETime mSMPTETime;       /* a time of day on tape */
    AudioTimeStampFlags mFlags; /* the valid fields */
    UInt32 mReserved;           /* 0 */
} AudioTimeStamp;

#endif
