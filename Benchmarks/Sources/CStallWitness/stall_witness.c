/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE
#include "CStallWitness.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Higher than the priorities of PulseAudio, PipeWire and the libraries. */
#define PRIORITY 90
/* A machine with more stalls in a run gives no valid results. */
#define MOST_STALLS 16384u

struct watch {
    pthread_t thread;
    const stall_witness *witness;
    size_t count;
    struct stall_witness_stall *stalls;
};

struct stall_witness {
    uint64_t period_ns;
    uint64_t least_ns;
    atomic_int is_ending;
    size_t watches;
    struct watch watch[CPU_SETSIZE];
};

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void *watch(void *context) {
    struct watch *self = context;
    uint64_t due = now_ns();
    while (!atomic_load_explicit(&self->witness->is_ending, memory_order_relaxed)) {
        due += self->witness->period_ns;
        struct timespec until = {.tv_sec = (time_t)(due / 1000000000u), .tv_nsec = (long)(due % 1000000000u)};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {}
        uint64_t woken = now_ns();
        if (woken - due < self->witness->least_ns) continue;
        if (self->count < MOST_STALLS) {
            self->stalls[self->count++] = (struct stall_witness_stall){.begin_ns = due, .end_ns = woken};
        }
        due = woken;
    }
    return NULL;
}

/* Starts the thread of a processor. Returns 0 or an error number. */
static int start(stall_witness *witness, int processor) {
    struct watch *self = &witness->watch[witness->watches];
    self->witness = witness;
    self->stalls = malloc(MOST_STALLS * sizeof *self->stalls);
    if (!self->stalls) return ENOMEM;
    /* Written here, so that the thread has no page faults. */
    memset(self->stalls, 0, MOST_STALLS * sizeof *self->stalls);

    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (!error) {
        cpu_set_t own;
        CPU_ZERO(&own);
        CPU_SET(processor, &own);
        struct sched_param parameters = {.sched_priority = PRIORITY};
        error = pthread_attr_setaffinity_np(&attributes, sizeof own, &own);
        if (!error) error = pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
        if (!error) error = pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
        if (!error) error = pthread_attr_setschedparam(&attributes, &parameters);
        if (!error) error = pthread_create(&self->thread, &attributes, watch, self);
        pthread_attr_destroy(&attributes);
    }
    if (error) {
        free(self->stalls);
        return error;
    }
    witness->watches++;
    return 0;
}

stall_witness *stall_witness_start(uint64_t period_ns, uint64_t least_ns, const char **why) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        *why = strerror(errno);
        return NULL;
    }
    stall_witness *witness = calloc(1, sizeof *witness);
    if (!witness) {
        *why = strerror(ENOMEM);
        return NULL;
    }
    witness->period_ns = period_ns;
    witness->least_ns = least_ns;
    for (int processor = 0; processor < CPU_SETSIZE; processor++) {
        if (!CPU_ISSET(processor, &allowed)) continue;
        int error = start(witness, processor);
        if (error) {
            *why = strerror(error);
            stall_witness_end(witness);
            stall_witness_free(witness);
            return NULL;
        }
    }
    return witness;
}

void stall_witness_end(stall_witness *witness) {
    atomic_store_explicit(&witness->is_ending, 1, memory_order_relaxed);
    for (size_t index = 0; index < witness->watches; index++) pthread_join(witness->watch[index].thread, NULL);
}

size_t stall_witness_count(const stall_witness *witness) {
    size_t count = 0;
    for (size_t index = 0; index < witness->watches; index++) count += witness->watch[index].count;
    return count;
}

struct stall_witness_stall stall_witness_get(const stall_witness *witness, size_t index) {
    size_t first = 0;
    for (size_t at = 0; at < witness->watches; at++) {
        const struct watch *one = &witness->watch[at];
        if (index - first < one->count) return one->stalls[index - first];
        first += one->count;
    }
    return (struct stall_witness_stall){0};
}

void stall_witness_free(stall_witness *witness) {
    for (size_t index = 0; index < witness->watches; index++) free(witness->watch[index].stalls);
    free(witness);
}
