/* SPDX-License-Identifier: MIT */

/* Primitives that Swift does not offer. Those declared free of locks and allocation may be called by
 * code that the compiler checks with @_noLocks, on the audio thread. */
#ifndef C_REAL_TIME_H
#define C_REAL_TIME_H

#include <semaphore.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#define AQ_RT_SAFE __attribute__((swift_attr("@_noLocks")))

/* Posts a semaphore. Never blocks, and enters the kernel only if a thread waits. */
AQ_RT_SAFE static inline void aq_semaphore_post(sem_t *_Nonnull semaphore) { sem_post(semaphore); }

AQ_RT_SAFE static inline void aq_copy(void *_Nonnull to, const void *_Nonnull from, size_t bytes) {
    memcpy(to, from, bytes);
}

AQ_RT_SAFE static inline void aq_zero(void *_Nonnull to, size_t bytes) { memset(to, 0, bytes); }

AQ_RT_SAFE static inline void aq_fill(void *_Nonnull to, int byte, size_t bytes) { memset(to, byte, bytes); }

/* Rounds to the nearest whole number, and halves to the even one. */
AQ_RT_SAFE static inline float aq_round(float value) { return __builtin_rintf(value); }
AQ_RT_SAFE static inline double aq_round_wide(double value) { return __builtin_rint(value); }

/* Returns the host time: CLOCK_MONOTONIC in nanoseconds. */
AQ_RT_SAFE static inline uint64_t aq_host_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Returns the nanoseconds since a time of CLOCK_REALTIME, in the form of servers' time stamps. */
AQ_RT_SAFE static inline int64_t aq_age(int64_t seconds, int64_t microseconds) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return ((int64_t)now.tv_sec - seconds) * 1000000000 + ((int64_t)now.tv_nsec - microseconds * 1000);
}

/* Waits for a post until a host time. Returns 0 if posted, otherwise -1 with errno. Not for the audio
 * thread. */
int aq_semaphore_wait_until(sem_t *_Nonnull semaphore, uint64_t nanoseconds);

/* Makes a timer, a descriptor that can be read when it has expired. Returns -1 with errno if there is none left. */
int aq_timer_make(void);

/* Makes a timer expire once after a time, at least a nanosecond, instead of any time set before. Does not wait. */
void aq_timer_set(int timer, uint64_t nanoseconds);

/* Makes an expired timer wait for its next setting. */
void aq_timer_clear(int timer);

/* Gives the calling thread a real-time priority, a POSIX number. Returns 0, or an error number. */
int aq_schedule_in_real_time(int priority);

/* Ends the real-time priority of the calling thread. Returns 0, or an error number. */
int aq_schedule_as_usual(void);

/* Ends the real-time priority of a thread of this process. Returns 0, or an error number. */
int aq_schedule_thread_as_usual(pid_t thread);

/* Returns the number of times the calling thread has waited. Each wait ends a turn of real-time work. */
AQ_RT_SAFE long aq_waits_of_thread(void);

/* Sets the nice value of the calling thread, not of threads that it starts, and ends its real-time
 * priority. Returns 0, or an error number. */
int aq_set_nice_value(int value);

/* Requests time slices of a length, at least 0.1 ms, for the calling thread. From Linux 6.12 on, a
 * woken thread with short slices precedes busy threads at once, not only at the end of their slice of
 * some milliseconds. No permission is required. Returns 0, or an error number. Older kernels return 0
 * and change nothing. */
int aq_ask_for_short_slices(uint64_t nanoseconds);

/* Names the calling thread for debuggers. At most 15 bytes are kept. */
void aq_name_thread(const char *_Nonnull name);

#endif
