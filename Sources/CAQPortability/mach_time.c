/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE
#include "mach/mach_time.h"

#include <errno.h>
#include <time.h>

static uint64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

kern_return_t mach_timebase_info(mach_timebase_info_t info) {
    info->numer = 1;
    info->denom = 1;
    return KERN_SUCCESS;
}

uint64_t mach_absolute_time(void) { return now(CLOCK_MONOTONIC); }
uint64_t mach_approximate_time(void) { return now(CLOCK_MONOTONIC_COARSE); }
uint64_t mach_continuous_time(void) { return now(CLOCK_BOOTTIME); }

kern_return_t mach_wait_until(uint64_t deadline) {
    struct timespec time = {.tv_sec = (time_t)(deadline / 1000000000u), .tv_nsec = (long)(deadline % 1000000000u)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {}
    return KERN_SUCCESS;
}
