/* SPDX-License-Identifier: MIT */

/* Ranges of times. */
#ifndef CM_TIME_RANGE_H
#define CM_TIME_RANGE_H

#include <CoreMedia/CMTime.h>

AUDIO_DECLARATIONS_BEGIN

#pragma pack(push, 4)
/* The times from start to before start + duration. */
typedef struct CMTimeRange {
    CMTime start;    /* the first time */
    CMTime duration; /* 0 or more, of epoch 0 */
} CMTimeRange;
#pragma pack(pop)

/* The empty range at 0. */
extern const CMTimeRange kCMTimeRangeZero;
/* An invalid range. */
extern const CMTimeRange kCMTimeRangeInvalid;

/* Whether a range is valid. */
#define CMTIMERANGE_IS_VALID(range)                                                      \
    ((Boolean)(CMTIME_IS_VALID((range).start) && CMTIME_IS_VALID((range).duration) &&    \
               (range).duration.epoch == 0 && (range).duration.value >= 0))
/* Whether a range is not valid. */
#define CMTIMERANGE_IS_INVALID(range) (!CMTIMERANGE_IS_VALID(range))
/* Whether the start or duration of a range is unknown. */
#define CMTIMERANGE_IS_INDEFINITE(range)  \
    ((Boolean)(CMTIMERANGE_IS_VALID(range) && \
               (CMTIME_IS_INDEFINITE((range).start) || CMTIME_IS_INDEFINITE((range).duration))))
/* Whether a range has the duration 0. */
#define CMTIMERANGE_IS_EMPTY(range) \
    ((Boolean)(CMTIMERANGE_IS_VALID(range) && CMTIME_COMPARE_INLINE((range).duration, ==, kCMTimeZero)))

/* Returns a range; an invalid one if the duration has an epoch. */
CMTimeRange CMTimeRangeMake(CMTime start, CMTime duration) AUDIO_SWIFT_NAME(CMTimeRangeMake(start:duration:));

/* Returns the range from a time to another. */
CMTimeRange CMTimeRangeFromTimeToTime(CMTime start, CMTime end)
    AUDIO_SWIFT_NAME(CMTimeRangeFromTimeToTime(start:end:));

/* Returns the first time after a range. */
CMTime CMTimeRangeGetEnd(CMTimeRange range);

/* Returns the smallest range that contains both ranges; an invalid one if one of them is invalid. */
CMTimeRange CMTimeRangeGetUnion(CMTimeRange range, CMTimeRange otherRange)
    AUDIO_SWIFT_NAME(CMTimeRangeGetUnion(_:otherRange:));

/* Returns the times that both ranges contain; kCMTimeRangeZero if there are none. */
CMTimeRange CMTimeRangeGetIntersection(CMTimeRange range, CMTimeRange otherRange)
    AUDIO_SWIFT_NAME(CMTimeRangeGetIntersection(_:otherRange:));

/* Returns whether two ranges have equal starts and durations. */
Boolean CMTimeRangeEqual(CMTimeRange range1, CMTimeRange range2);

/* Returns whether a range contains a time. */
Boolean CMTimeRangeContainsTime(CMTimeRange range, CMTime time) AUDIO_SWIFT_NAME(CMTimeRangeContainsTime(_:time:));

/* Returns whether a range contains another. */
Boolean CMTimeRangeContainsTimeRange(CMTimeRange range, CMTimeRange otherRange)
    AUDIO_SWIFT_NAME(CMTimeRangeContainsTimeRange(_:otherRange:));

AUDIO_DECLARATIONS_END

#endif
