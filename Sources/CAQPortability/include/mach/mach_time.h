/* SPDX-License-Identifier: MIT */

/* The host clock under the names of Mach. Ticks are nanoseconds of CLOCK_MONOTONIC, like those of
   AudioGetCurrentHostTime. */
#ifndef MACH_MACH_TIME_H
#define MACH_MACH_TIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef KERN_SUCCESS
#define KERN_SUCCESS 0
#endif
typedef int kern_return_t;

/* The ratio of nanoseconds to ticks: numer divided by denom. */
struct mach_timebase_info {
    uint32_t numer;
    uint32_t denom;
};
typedef struct mach_timebase_info mach_timebase_info_data_t;
typedef struct mach_timebase_info *mach_timebase_info_t;

/* Writes the ratio of nanoseconds to ticks, 1 to 1. */
kern_return_t mach_timebase_info(mach_timebase_info_t info);
/* Returns the current time in ticks, which stops while the system is suspended. */
uint64_t mach_absolute_time(void);
/* Returns the current time in ticks, accurate to a few milliseconds. */
uint64_t mach_approximate_time(void);
/* Returns the current time in ticks, which advances while the system is suspended. */
uint64_t mach_continuous_time(void);
/* Waits until a time in ticks of mach_absolute_time. */
kern_return_t mach_wait_until(uint64_t deadline);

#ifdef __cplusplus
}
#endif

#endif
