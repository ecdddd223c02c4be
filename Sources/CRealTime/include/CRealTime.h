/* Primitives that Swift code checked with @_noLocks cannot call: each is declared free of locks and
 * allocation, so that the compiler accepts it on the audio thread. */
#ifndef C_REAL_TIME_H
#define C_REAL_TIME_H

#include <semaphore.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#define AQ_RT_SAFE __attribute__((swift_attr("@_noLocks")))

/* sem_post never blocks; it enters the kernel only if a thread waits. */
AQ_RT_SAFE static inline void aq_semaphore_post(sem_t *_Nonnull semaphore) { sem_post(semaphore); }

AQ_RT_SAFE static inline void aq_copy(void *_Nonnull to, const void *_Nonnull from, size_t bytes) {
    memcpy(to, from, bytes);
}

AQ_RT_SAFE static inline void aq_zero(void *_Nonnull to, size_t bytes) { memset(to, 0, bytes); }

AQ_RT_SAFE static inline void aq_fill(void *_Nonnull to, int byte, size_t bytes) { memset(to, byte, bytes); }

/* Rounds to the nearest whole number, halves to the even one. */
AQ_RT_SAFE static inline float aq_round(float value) { return __builtin_rintf(value); }
AQ_RT_SAFE static inline double aq_round_wide(double value) { return __builtin_rint(value); }

/* CLOCK_MONOTONIC in nanoseconds: the host time of every time stamp. */
AQ_RT_SAFE static inline uint64_t aq_host_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Nanoseconds since a time of CLOCK_REALTIME, in the form of servers' time stamps. */
AQ_RT_SAFE static inline int64_t aq_age(int64_t seconds, int64_t microseconds) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return ((int64_t)now.tv_sec - seconds) * 1000000000 + ((int64_t)now.tv_nsec - microseconds * 1000);
}

/* Waits until posted or until `nanoseconds` of CLOCK_MONOTONIC; 0 when posted. Not for the audio thread. */
int aq_semaphore_wait_until(sem_t *_Nonnull semaphore, uint64_t nanoseconds);

/* Gives the calling thread a real-time priority, by its POSIX number; 0, or an error number. */
int aq_schedule_in_real_time(int priority);

/* Reverses the function above; 0, or an error number. */
int aq_schedule_as_usual(void);

/* The same for another thread of this process, by the kernel's number. */
int aq_schedule_thread_as_usual(pid_t thread);

/* The number of times the calling thread has waited, each of which ends a turn of real-time work. */
AQ_RT_SAFE long aq_waits_of_thread(void);

/* Sets the nice value of the calling thread, not of those that it starts; 0, or an error number. */
int aq_set_nice_value(int value);

/* Requests slices of this length for the calling thread, of 0.1 ms at least. From Linux 6.12 on a
 * woken thread with short slices precedes busy ones at once, and not only when their slice of some
 * milliseconds ends. No permission is needed. 0, or an error number; older kernels return 0 and
 * change nothing. */
int aq_ask_for_short_slices(uint64_t nanoseconds);

/* Names the calling thread for debuggers; at most 15 bytes are kept. */
void aq_name_thread(const char *_Nonnull name);

#endif
