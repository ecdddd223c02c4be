/* SPDX-License-Identifier: MIT */

/* The clock of host times. */
#ifndef CM_SYNC_H
#define CM_SYNC_H

#include <CoreMedia/CMTime.h>

AUDIO_DECLARATIONS_BEGIN
AUDIO_OBJECTS_BEGIN

/* A clock. */
typedef struct AUDIO_OBJECT OpaqueCMClock *CMClockRef;

/* Returns the type of clocks. */
CFTypeID CMClockGetTypeID(void);

/* Returns the clock of host times, the only one here. */
CMClockRef CMClockGetHostTimeClock(void);

/* Returns the current time of a clock. */
CMTime CMClockGetTime(CMClockRef clock);

/* Converts ticks of host time, such as mHostTime, to a time of the clock of host times. */
CMTime CMClockMakeHostTimeFromSystemUnits(uint64_t hostTime);

/* Converts a time of the clock of host times to ticks of host time. */
uint64_t CMClockConvertHostTimeToSystemUnits(CMTime hostTime);

AUDIO_OBJECTS_END
AUDIO_DECLARATIONS_END

#endif
