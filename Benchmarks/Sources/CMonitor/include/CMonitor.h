/* SPDX-License-Identifier: MIT */

/* The parts of the benchmarks that use libpulse: a recorder of a sink's monitor that stores the time at which every
 * fragment arrived, and a player of known samples for recorders under test. */
#ifndef BENCH_C_MONITOR_H
#define BENCH_C_MONITOR_H

#include <stddef.h>
#include <stdint.h>

/* Frames that arrived together. */
struct bench_fragment {
    uint64_t arrival_ns; /* CLOCK_MONOTONIC when libpulse reported it */
    uint64_t end_frame;  /* its end, in frames from the start of the recording */
};

/* The longest fragment that a server accepts, so that the streams that play determine the sink's period. */
#define BENCH_LONGEST_FRAGMENT 0u

typedef struct bench_monitor bench_monitor;

/* Records the first channel of a source, at most max_frames frames, in fragments of fragment_us microseconds. Returns
 * NULL on failure, with the reason in *why. */
bench_monitor *_Nullable bench_monitor_open(
    const char *_Nonnull server, const char *_Nonnull source, unsigned rate, unsigned channels,
    size_t max_frames, unsigned fragment_us, const char *_Nullable *_Nonnull why);

/* Requests another length of fragments in microseconds. Returns 0, or a negative error code of libpulse. */
int bench_monitor_set_fragment(bench_monitor *_Nonnull monitor, unsigned fragment_us);

/* Discards the recording so far. */
void bench_monitor_clear(bench_monitor *_Nonnull monitor);

/* The number of recorded frames; the number of frames up to the last audible one; whether the recording still runs. */
size_t bench_monitor_frames(const bench_monitor *_Nonnull monitor);
size_t bench_monitor_frames_to_last_sound(const bench_monitor *_Nonnull monitor);
int bench_monitor_is_running(const bench_monitor *_Nonnull monitor);

/* The number of holes in the recording. If there are any, its times are wrong. */
size_t bench_monitor_holes(const bench_monitor *_Nonnull monitor);

/* Copies the recording so far. On entry *frames and *fragment_count are the capacities, on return the numbers copied.
 */
void bench_monitor_copy(
    bench_monitor *_Nonnull monitor, float *_Nonnull samples, size_t *_Nonnull frames,
    struct bench_fragment *_Nonnull fragments, size_t *_Nonnull fragment_count);
size_t bench_monitor_fragment_count(const bench_monitor *_Nonnull monitor);

void bench_monitor_close(bench_monitor *_Nonnull monitor);

typedef struct bench_player bench_player;

/* Plays mono samples once on all channels of a sink, with the server's longest buffer. The samples are not copied, and
 * must outlive the player. Returns NULL on failure, with the reason in *why. */
bench_player *_Nullable bench_player_open(
    const char *_Nonnull server, const char *_Nonnull sink, unsigned rate, unsigned channels,
    const float *_Nonnull samples, size_t frames, const char *_Nullable *_Nonnull why);
void bench_player_close(bench_player *_Nonnull player);

#endif
