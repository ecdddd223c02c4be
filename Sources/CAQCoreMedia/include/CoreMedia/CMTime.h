/* SPDX-License-Identifier: MIT */

/* Times as fractions of a second, and their arithmetic. */
#ifndef CM_TIME_H
#define CM_TIME_H

#include <CoreMedia/CMBase.h>

AUDIO_DECLARATIONS_BEGIN

/* The numerator of a time. */
typedef int64_t CMTimeValue;
/* The denominator of a time: units in a second. It must be positive. */
typedef int32_t CMTimeScale;
/* Distinguishes times that cannot be subtracted, such as those of two runs of a player; 0 for durations. */
typedef int64_t CMTimeEpoch;

/* The largest denominator of a time. */
#define kCMTimeMaxTimescale 0x7fffffffL

/* The facts about a time. */
AUDIO_OPTIONS(UInt32, CMTimeFlags) {
    kCMTimeFlags_Valid = 1U << 0,                 /* not set in an invalid time */
    kCMTimeFlags_HasBeenRounded = 1U << 1,        /* the time is not exact */
    kCMTimeFlags_PositiveInfinity = 1U << 2,      /* later than every number */
    kCMTimeFlags_NegativeInfinity = 1U << 3,      /* earlier than every number */
    kCMTimeFlags_Indefinite = 1U << 4,            /* unknown, such as the duration of a broadcast */
    kCMTimeFlags_ImpliedValueFlagsMask = 7U << 2  /* set in times that are not a number */
};

#pragma pack(push, 4)
/* A time of value / timescale seconds, if the flags say that it is a number. */
typedef struct CMTime {
    CMTimeValue value;     /* the numerator */
    CMTimeScale timescale; /* the denominator */
    CMTimeFlags flags;     /* whether it is valid, exact, a number */
    CMTimeEpoch epoch;     /* the epoch */
} CMTime;
#pragma pack(pop)

/* The direction in which a time is rounded. */
AUDIO_ENUM(UInt32, CMTimeRoundingMethod) {
    kCMTimeRoundingMethod_RoundHalfAwayFromZero = 1, /* to the nearest; a half away from zero */
    kCMTimeRoundingMethod_RoundTowardZero = 2,       /* toward zero */
    kCMTimeRoundingMethod_RoundAwayFromZero = 3,     /* away from zero */
    /* Toward zero if the new timescale is smaller, otherwise away from zero; never a negative number to zero. */
    kCMTimeRoundingMethod_QuickTime = 4,
    kCMTimeRoundingMethod_RoundTowardPositiveInfinity = 5, /* up */
    kCMTimeRoundingMethod_RoundTowardNegativeInfinity = 6, /* down */
    /* The method of functions that have no parameter for it. */
    kCMTimeRoundingMethod_Default = kCMTimeRoundingMethod_RoundHalfAwayFromZero
};

/* An invalid time. */
extern const CMTime kCMTimeInvalid;
/* A valid time that is unknown. */
extern const CMTime kCMTimeIndefinite;
/* A time after every number. */
extern const CMTime kCMTimePositiveInfinity;
/* A time before every number. */
extern const CMTime kCMTimeNegativeInfinity;
/* 0. Other times are 0 too, so compare with CMTimeCompare. */
extern const CMTime kCMTimeZero;

/* Whether a time is valid. */
#define CMTIME_IS_VALID(time) ((Boolean)(((time).flags & kCMTimeFlags_Valid) != 0))
/* Whether a time is not valid. */
#define CMTIME_IS_INVALID(time) (!CMTIME_IS_VALID(time))
/* Whether a time is later than every number. */
#define CMTIME_IS_POSITIVE_INFINITY(time) \
    ((Boolean)(CMTIME_IS_VALID(time) && ((time).flags & kCMTimeFlags_PositiveInfinity) != 0))
/* The older spelling of CMTIME_IS_POSITIVE_INFINITY. */
#define CMTIME_IS_POSITIVEINFINITY(time) CMTIME_IS_POSITIVE_INFINITY(time)
/* Whether a time is earlier than every number. */
#define CMTIME_IS_NEGATIVE_INFINITY(time) \
    ((Boolean)(CMTIME_IS_VALID(time) && ((time).flags & kCMTimeFlags_NegativeInfinity) != 0))
/* The older spelling of CMTIME_IS_NEGATIVE_INFINITY. */
#define CMTIME_IS_NEGATIVEINFINITY(time) CMTIME_IS_NEGATIVE_INFINITY(time)
/* Whether a time is unknown. */
#define CMTIME_IS_INDEFINITE(time) \
    ((Boolean)(CMTIME_IS_VALID(time) && ((time).flags & kCMTimeFlags_Indefinite) != 0))
/* Whether a time is a number. */
#define CMTIME_IS_NUMERIC(time) \
    ((Boolean)(((time).flags & (kCMTimeFlags_Valid | kCMTimeFlags_ImpliedValueFlagsMask)) == kCMTimeFlags_Valid))
/* Whether a time is a number that is not exact. */
#define CMTIME_HAS_BEEN_ROUNDED(time) \
    ((Boolean)(CMTIME_IS_NUMERIC(time) && ((time).flags & kCMTimeFlags_HasBeenRounded) != 0))
/* Compares two times: CMTIME_COMPARE_INLINE(a, <=, b). */
#define CMTIME_COMPARE_INLINE(time1, comparator, time2) ((Boolean)(CMTimeCompare(time1, time2) comparator 0))

/* Returns value / timescale seconds, in epoch 0; an invalid time if the timescale is not positive. */
CMTime CMTimeMake(int64_t value, int32_t timescale) AUDIO_SWIFT_NAME(CMTimeMake(value:timescale:));

/* Returns value / timescale seconds in an epoch. */
CMTime CMTimeMakeWithEpoch(int64_t value, int32_t timescale, int64_t epoch)
    AUDIO_SWIFT_NAME(CMTimeMakeWithEpoch(value:timescale:epoch:));

/* Returns a number of seconds, with a smaller timescale if the value does not fit. */
CMTime CMTimeMakeWithSeconds(Float64 seconds, int32_t preferredTimescale)
    AUDIO_SWIFT_NAME(CMTimeMakeWithSeconds(_:preferredTimescale:));

/* Returns the seconds of a time, without its epoch; infinity for an infinite time, NAN for one that is unknown or
 * invalid. */
Float64 CMTimeGetSeconds(CMTime time);

/* Returns a time with another timescale. */
CMTime CMTimeConvertScale(CMTime time, int32_t newTimescale, CMTimeRoundingMethod method)
    AUDIO_SWIFT_NAME(CMTimeConvertScale(_:timescale:method:));

/* Returns the sum of two times. */
CMTime CMTimeAdd(CMTime lhs, CMTime rhs);

/* Returns the difference of two times. */
CMTime CMTimeSubtract(CMTime lhs, CMTime rhs);

/* Returns the product of a time and an integer. */
CMTime CMTimeMultiply(CMTime time, int32_t multiplier) AUDIO_SWIFT_NAME(CMTimeMultiply(_:multiplier:));

/* Returns the product of a time and a number, with a timescale of 65536 or more if the value fits. */
CMTime CMTimeMultiplyByFloat64(CMTime time, Float64 multiplier)
    AUDIO_SWIFT_NAME(CMTimeMultiplyByFloat64(_:multiplier:));

/* Returns -1, 0 or 1 if the first time is less than, equal to or greater than the second. The order is: negative
 * infinity, numbers by epoch and value, indefinite, positive infinity, invalid. */
int32_t CMTimeCompare(CMTime time1, CMTime time2);

/* Returns the lesser time, as CMTimeCompare orders them. */
CMTime CMTimeMinimum(CMTime time1, CMTime time2);

/* Returns the greater time, as CMTimeCompare orders them. */
CMTime CMTimeMaximum(CMTime time1, CMTime time2);

/* Returns a time without its sign. */
CMTime CMTimeAbsoluteValue(CMTime time);

/* Prints a time to standard error, for debugging. */
void CMTimeShow(CMTime time);

AUDIO_DECLARATIONS_END

#endif
