/* SPDX-License-Identifier: MIT */

/* The clock of host times, which here counts nanoseconds of CLOCK_MONOTONIC. */
#ifndef CORE_AUDIO_HOST_TIME_H
#define CORE_AUDIO_HOST_TIME_H

#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* Returns the current host time in ticks. */
UInt64 AudioGetCurrentHostTime(void);

/* Returns the number of ticks of host time in a second. */
Float64 AudioGetHostClockFrequency(void);

/* Returns the smallest difference of two host times, in ticks. */
UInt32 AudioGetHostClockMinimumTimeDelta(void);

/* Converts ticks of host time to nanoseconds. */
UInt64 AudioConvertHostTimeToNanos(UInt64 inHostTime);

/* Converts nanoseconds to ticks of host time. */
UInt64 AudioConvertNanosToHostTime(UInt64 inNanos);

AUDIO_DECLARATIONS_END

#endif
