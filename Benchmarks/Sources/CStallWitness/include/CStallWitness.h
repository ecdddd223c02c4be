/* Tells when the machine let nobody run: a thread on each processor, of a priority above everything that is
 * measured, sleeps for a short time again and again, and writes down when it woke too late. On a machine whose
 * processors are shared with others, those are the times that no program can be blamed for. */
#ifndef BENCH_C_STALL_WITNESS_H
#define BENCH_C_STALL_WITNESS_H

#include <stddef.h>
#include <stdint.h>

/* When a thread should have woken, and when it did: CLOCK_MONOTONIC. */
struct stall_witness_stall {
    uint64_t begin_ns;
    uint64_t end_ns;
};

typedef struct stall_witness stall_witness;

/* Starts to watch, each thread sleeping for period_ns at a time, for stalls of at least least_ns; NULL with *why set when that cannot be, as without the right to
 * real-time priority. */
stall_witness *_Nullable stall_witness_start(
    uint64_t period_ns, uint64_t least_ns, const char *_Nullable *_Nonnull why);

/* Ends the threads. What they saw is there afterwards, of one processor after the other. */
void stall_witness_end(stall_witness *_Nonnull witness);

/* How many stalls there were, of those that there was room for, and one of them. */
size_t stall_witness_count(const stall_witness *_Nonnull witness);
struct stall_witness_stall stall_witness_get(const stall_witness *_Nonnull witness, size_t index);

/* After its end. */
void stall_witness_free(stall_witness *_Nonnull witness);

#endif
