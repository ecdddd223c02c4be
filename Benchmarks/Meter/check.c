/* SPDX-License-Identifier: MIT */

/* Makes a known number of each call that the meter counts, on a thread named "counted". If CHECK_LIBRARY is defined,
 * this file is compiled as the library that the program calls, whose file name begins with "libpulse". */
#define _GNU_SOURCE
#include "AudioMeter.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

void *library_allocation(size_t bytes);

#ifdef CHECK_LIBRARY
void *library_allocation(size_t bytes) {
    /* Volatile, so that malloc() is not the last action: a jump would count as made by the caller. */
    void *volatile made = malloc(bytes);
    return made;
}
#else

/* Volatile, so that the compiler does not remove unused allocations. */
static void *volatile taken;

static void take_and_give_back(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pthread_rwlock_t other_lock = PTHREAD_RWLOCK_INITIALIZER;
    sem_t semaphore;
    void *aligned;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_rwlock_rdlock(&other_lock);
    pthread_rwlock_unlock(&other_lock);
    sem_init(&semaphore, 0, 1);
    sem_wait(&semaphore);
    taken = malloc(10);
    taken = realloc(taken, 10000);
    free(taken);
    taken = calloc(10, 10);
    free(taken);
    if (posix_memalign(&aligned, 64, 100) == 0) free(aligned);
    free(NULL);
    taken = library_allocation(10);
    free(taken);
    /* Here the C library itself allocates. */
    taken = strdup("a text");
    free(taken);
}

static void *run(void *unused) {
    pthread_setname_np(pthread_self(), "counted");
    take_and_give_back();
    audio_meter_begin();
    for (int round = 0; round < 7; round++) {
        audio_meter_callback();
        take_and_give_back();
    }
    audio_meter_end();
    take_and_give_back();
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, NULL) != 0 || pthread_join(thread, NULL) != 0) return 1;
    audio_meter_write(stdout);
    return 0;
}

#endif
