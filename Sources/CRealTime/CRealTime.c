/* sem_clockwait and pthread_setname_np are extensions of the C library. */
#define _GNU_SOURCE
#include "CRealTime.h"

#include <pthread.h>

int aq_semaphore_wait_until(sem_t *semaphore, uint64_t nanoseconds) {
    struct timespec until = {.tv_sec = (time_t)(nanoseconds / 1000000000u),
                             .tv_nsec = (long)(nanoseconds % 1000000000u)};
    return sem_clockwait(semaphore, CLOCK_MONOTONIC, &until);
}

void aq_name_thread(const char *name) {
    char kept[16] = {0};
    strncpy(kept, name, sizeof kept - 1);
    pthread_setname_np(pthread_self(), kept);
}
