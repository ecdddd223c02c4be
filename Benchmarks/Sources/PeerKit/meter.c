/* SPDX-License-Identifier: MIT */

/* Calls to the meter of Benchmarks/Meter, if it was loaded before this program. */
#define _GNU_SOURCE
#include "internal.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static void (*begin)(void);
static void (*end)(void);
static void (*callback)(void);
static void (*write_counts)(FILE *log);

/* POSIX permits the conversion from a data pointer to a function pointer; ISO C does not. */
static void find(const char *name, void *function) { *(void **)function = dlsym(RTLD_DEFAULT, name); }

void peer_meter_find(void) {
    find("audio_meter_begin", &begin);
    find("audio_meter_end", &end);
    find("audio_meter_callback", &callback);
    find("audio_meter_write", &write_counts);
}

void peer_meter_begin(void) { if (begin != NULL) begin(); }
void peer_meter_end(void) { if (end != NULL) end(); }
void peer_meter_callback(void) { if (callback != NULL) callback(); }
void peer_meter_write(FILE *log) { if (write_counts != NULL) write_counts(log); }

void peer_fault_of_memory(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    /* Volatile, so that the compiler does not remove the unused allocation. */
    static void *volatile taken;
    taken = malloc(64);
    free(taken);
    pthread_mutex_unlock(&lock);
}
