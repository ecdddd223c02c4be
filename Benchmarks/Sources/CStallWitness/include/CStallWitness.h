/* SPDX-License-Identifier: MIT */

/* Detects stalls of the machine. On each processor a thread with a higher priority than all measured programs sleeps
 * for short times, and records each late wake-up. Processors may be shared with other machines, and no program can
 * prevent the resulting stalls. */
#ifndef BENCH_C_STALL_WITNESS_H
#define BENCH_C_STALL_WITNESS_H

#include <stddef.h>
#include <stdint.h>

/* The time at which a thread should have woken up, and the time at which it did, in nanoseconds of CLOCK_MONOTONIC. */
struct stall_witness_stall {
    uint64_t begin_ns;
    uint64_t end_ns;
};

typedef struct stall_witness stall_witness;

/* Starts the threads, which sleep for period_ns at a time and record stalls of at least least_ns. Returns NULL on
 * failure, for example if real-time priority is not permitted, with the reason in *why. */
stall_witness *_Nullable stall_witness_start(
    uint64_t period_ns, uint64_t least_ns, const char *_Nullable *_Nonnull why);

/* Ends the threads. The stalls can be read afterwards, in the order of the processors. */
void stall_witness_end(stall_witness *_Nonnull witness);

/* The number of recorded stalls, and one of them. Stalls that did not fit into the memory are missing. */
size_t stall_witness_count(const stall_witness *_Nonnull witness);
struct stall_witness_stall stall_witness_get(const stall_witness *_Nonnull witness, size_t index);

/* Frees the memory, after stall_witness_end(). */
void stall_witness_free(stall_witness *_Nonnull witness);

#endif
