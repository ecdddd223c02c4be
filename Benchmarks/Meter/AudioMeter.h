/* SPDX-License-Identifier: MIT */

/* Counts, for each thread, calls that do not belong in a realtime thread: allocations, locks, waits, and changes of
 * reference counts.
 *
 * A library that is loaded before all others (LD_PRELOAD). Its functions count a call, and then call the function of
 * the same name in the C library or Swift's runtime. If the meter is loaded, a peer finds the functions below by name.
 */
#ifndef AUDIO_METER_H
#define AUDIO_METER_H

#include <stdio.h>

/* Begin and end the counting, once per process: counts are not reset. Both must be called from the same thread, which
 * must not be an audio thread. */
void audio_meter_begin(void);
void audio_meter_end(void);

/* Counts a callback of the calling thread. */
void audio_meter_callback(void);

/* Writes a line for each thread, with fields separated by tabs: "meter", identifier, callbacks; then the number of
 * allocations, of frees, of locks, of waits, and of retains and releases, first by the program and its library, then by
 * libpulse, then by the C library; last the thread's name. The line "meter_threads_lost" contains the number of threads
 * for which there was no slot. */
void audio_meter_write(FILE *log);

#endif
