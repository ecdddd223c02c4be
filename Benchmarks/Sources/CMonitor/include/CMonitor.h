/* What the benchmarks need of libpulse themselves: a recorder of a sink's monitor that tells when every
 * fragment came in, and a player of known samples for recorders under test. */
#ifndef BENCH_C_MONITOR_H
#define BENCH_C_MONITOR_H

#include <stddef.h>
#include <stdint.h>

/* Frames that came in together. */
struct bench_fragment {
    uint64_t arrival_ns; /* CLOCK_MONOTONIC when libpulse told of it */
    uint64_t end_frame;  /* frames up to its end, counted from the recording's first */
};

/* The longest that a server takes as a fragment: it then renders as the streams that play want it. */
#define BENCH_LONGEST_FRAGMENT 0u

typedef struct bench_monitor bench_monitor;

/* Records the first channel of a source, up to max_frames frames; NULL with *why set when that cannot be. */
bench_monitor *_Nullable bench_monitor_open(
    const char *_Nonnull server, const char *_Nonnull source, unsigned rate, unsigned channels,
    size_t max_frames, unsigned fragment_us, const char *_Nullable *_Nonnull why);

/* Asks for other fragments: 0, or why not as a negative number of libpulse. */
int bench_monitor_set_fragment(bench_monitor *_Nonnull monitor, unsigned fragment_us);

/* Forgets what was recorded. */
void bench_monitor_clear(bench_monitor *_Nonnull monitor);

/* Frames so far; those up to the last that sounds; whether the recording still runs. */
size_t bench_monitor_frames(const bench_monitor *_Nonnull monitor);
size_t bench_monitor_frames_to_last_sound(const bench_monitor *_Nonnull monitor);
int bench_monitor_is_running(const bench_monitor *_Nonnull monitor);

/* Holes in the recording: when there are any, nothing else is to be trusted. */
size_t bench_monitor_holes(const bench_monitor *_Nonnull monitor);

/* Copies what was recorded so far; the arguments hold at most how many, and then how many there are. */
void bench_monitor_copy(
    bench_monitor *_Nonnull monitor, float *_Nonnull samples, size_t *_Nonnull frames,
    struct bench_fragment *_Nonnull fragments, size_t *_Nonnull fragment_count);
size_t bench_monitor_fragment_count(const bench_monitor *_Nonnull monitor);

void bench_monitor_close(bench_monitor *_Nonnull monitor);

typedef struct bench_player bench_player;

/* Plays mono samples on all channels of a sink, from the first to the last, from the server's longest buffer.
 * The samples are not copied: they must outlive the player. */
bench_player *_Nullable bench_player_open(
    const char *_Nonnull server, const char *_Nonnull sink, unsigned rate, unsigned channels,
    const float *_Nonnull samples, size_t frames, const char *_Nullable *_Nonnull why);
void bench_player_close(bench_player *_Nonnull player);

#endif
