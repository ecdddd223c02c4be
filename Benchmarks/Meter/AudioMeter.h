/* Counts, for each thread, what does not belong on one that plays: allocations, locks, waits, reference counts.
 *
 * A library that is loaded before all others (LD_PRELOAD), whose functions stand before those of the C library and
 * of Swift's runtime. A peer finds the functions below, if they are there, by their names. */
#ifndef AUDIO_METER_H
#define AUDIO_METER_H

#include <stdio.h>

/* Begins to count, from zero; ends. Neither is for an audio thread, and both are for one thread alone. */
void audio_meter_begin(void);
void audio_meter_end(void);

/* The calling thread has run a callback. */
void audio_meter_callback(void);

/* Writes a line for each thread that was seen, of fields split by tabs: "meter", identifier, callbacks; then for
 * the program and its library, for libpulse and for the C library each: allocations, frees, locks, waits, retains
 * and releases; then the thread's name. And a line "meter_threads_lost" with the number of threads that there was
 * no room for. */
void audio_meter_write(FILE *log);

#endif
