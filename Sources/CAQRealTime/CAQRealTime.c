/* SPDX-License-Identifier: MIT */

/* For the extensions sem_clockwait and pthread_setname_np. */
#define _GNU_SOURCE
#include "CAQRealTime.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int aq_semaphore_wait_until(sem_t *semaphore, uint64_t nanoseconds) {
    struct timespec until = {.tv_sec = (time_t)(nanoseconds / 1000000000u),
                             .tv_nsec = (long)(nanoseconds % 1000000000u)};
    return sem_clockwait(semaphore, CLOCK_MONOTONIC, &until);
}

int aq_timer_make(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

void aq_timer_set(int timer, uint64_t nanoseconds) {
    struct itimerspec setting = {
        .it_value = {.tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)}};
    timerfd_settime(timer, 0, &setting, NULL);
}

void aq_timer_clear(int timer) {
    uint64_t expirations;
    /* Fails only if the timer was set again meanwhile. */
    if (read(timer, &expirations, sizeof expirations) < 0) return;
}

int aq_schedule_in_real_time(int priority) {
    struct sched_param parameters = {.sched_priority = priority};
    /* Children must not inherit the priority. */
    return pthread_setschedparam(pthread_self(), SCHED_RR | SCHED_RESET_ON_FORK, &parameters);
}

int aq_schedule_thread_as_usual(pid_t thread) {
    struct sched_param parameters = {.sched_priority = 0};
    /* The flag stays set: any process may set it, but only root may clear it. */
    return sched_setscheduler(thread, SCHED_OTHER | SCHED_RESET_ON_FORK, &parameters) == 0 ? 0 : errno;
}

int aq_schedule_as_usual(void) { return aq_schedule_thread_as_usual(0); }

long aq_waits_of_thread(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nvcsw : 0;
}

int aq_set_nice_value(int value) {
    struct sched_param parameters = {.sched_priority = 0};
    /* Threads and processes that this thread starts must not inherit the priority. */
    if (sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &parameters) != 0) {
        return errno;
    }
    /* On Linux nice values belong to threads, in spite of POSIX. */
    return setpriority(PRIO_PROCESS, (id_t)gettid(), value) == 0 ? 0 : errno;
}

int aq_ask_for_short_slices(uint64_t nanoseconds) {
    /* struct sched_attr of sched_setattr(2), which the C library does not declare. */
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {0};
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return errno;
    if (attributes.policy != SCHED_OTHER) return EINVAL;
    attributes.size = sizeof attributes;
    attributes.runtime = nanoseconds;
    return syscall(SYS_sched_setattr, 0, &attributes, 0) == 0 ? 0 : errno;
}

void aq_name_thread(const char *name) {
    char kept[16] = {0};
    strncpy(kept, name, sizeof kept - 1);
    pthread_setname_np(pthread_self(), kept);
}

/* Declared in CAQPulse, whose calls it serves. */
int aq_poll_handshake(struct pollfd *descriptors, unsigned long count, int timeout_milliseconds, void *ended);

int aq_poll_handshake(struct pollfd *descriptors, unsigned long count, int timeout_milliseconds, void *ended) {
    int ready = poll(descriptors, count, timeout_milliseconds);
    for (unsigned long i = 0; ready > 0 && i < count; i++) {
        if (!(descriptors[i].revents & (POLLHUP | POLLERR))) continue;
        descriptors[i].revents = 0;
        *(bool *)ended = true;
    }
    return ready;
}
