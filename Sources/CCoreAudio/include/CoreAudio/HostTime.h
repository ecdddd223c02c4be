/* The clock of host times, which here counts nanoseconds of CLOCK_MONOTONIC. */
#ifndef CORE_AUDIO_HOST_TIME_H
#define CORE_AUDIO_HOST_TIME_H

#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

AUDIO_DECLARATIONS_BEGIN

/* Tells the host time now. */
UInt64 AudioGetCurrentHostTime(void);

/* Tells how many ticks of host time a second has. */
Float64 AudioGetHostClockFrequency(void);

/* Tells the smallest number of ticks by which two host times that differ can differ. */
UInt32 AudioGetHostClockMinimumTimeDelta(void);

/* Converts ticks of host time to nanoseconds. */
UInt64 AudioConvertHostTimeToNanos(UInt64 inHostTime);

/* Converts nanoseconds to ticks of host time. */
UInt64 AudioConvertNanosToHostTime(UInt64 inNanos);

AUDIO_DECLARATIONS_END

#endif
