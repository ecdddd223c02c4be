/* What every peer shares: one command line, one signal, one log.
 *
 * A peer plays or records through one library for a number of seconds, keeps in memory what happened, and
 * writes it down at the end. Peers differ in nothing but the library, so that their logs can be compared.
 * The formats of signal and log are described in Benchmarks/Peers/README.md.
 *
 * Samples are 32-bit float, interleaved, the same in every channel. Times are CLOCK_MONOTONIC in nanoseconds. */
#ifndef PEER_KIT_H
#define PEER_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For Swift, which imports this; GCC does not know them. */
#ifndef __clang__
#define _Nonnull
#define _Nullable
#endif

enum { PEER_OUTPUT = 1, PEER_INPUT = 2, PEER_DUPLEX = PEER_OUTPUT | PEER_INPUT };
enum { PEER_SILENCE, PEER_NOISE, PEER_SINE };

/* Which of --buffer-frames and --buffers a library can be asked for: with only one of the two, runs that
 * differ in the other are the same run. */
enum { PEER_ASKS_PERIOD = 1, PEER_ASKS_TOTAL = 2, PEER_ASKS_BOTH = PEER_ASKS_PERIOD | PEER_ASKS_TOTAL };

/* A latency that a library does not tell. */
#define PEER_UNKNOWN INT64_MIN

/* The largest --scale. */
#define PEER_STREAMS_MAX 256

typedef struct {
    int mode;
    int signal;
    int rate;
    int channels;
    int buffer_frames;
    int buffers;
    /* --scale: streams in one process. */
    int streams;
    double seconds;
    /* The first sink, and the source; null for the server's default. They are also put into PULSE_SINK and
     * PULSE_SOURCE, for libraries that leave the choice to libpulse. */
    const char *_Nullable sink;
    const char *_Nullable source;
    /* --events: pause after 2 s, go on after 3 s. */
    bool events;
} peer_options;

/* One direction of one stream. Used by one thread at a time. */
typedef struct peer_lane peer_lane;

/* What a peer can do on command: each returns whether it did. */
typedef bool (*peer_action)(void *_Nullable context);

/* Reads the command line and makes room for the log. Called first; ends the process with status 64 for wrong
 * usage. `asks` is one of PEER_ASKS_…, `modes` what the peer offers, `streams` the most it can play at once. */
const peer_options *_Nonnull peer_begin(const char *_Nonnull name, int asks, int modes, int streams, int argc,
                                        char *_Nullable const *_Nonnull argv);

/* The sink of a stream, null for the server's default. PulseAudio mixes 32 streams a sink and never takes from the
 * others, so that many streams need several sinks. */
const char *_Nullable peer_sink_of(int stream);

/* Adds a line to the log: what was asked for, what was granted, a version. At most 63 in all. */
void peer_note(const char *_Nonnull key, const char *_Nonnull value);
void peer_note_number(const char *_Nonnull key, double value);

/* Notes that something begins or ends now: "create", "created", "started", "stop". */
void peer_event(const char *_Nonnull name);

/* Notes that the library has been told to stop, and stays while what it lets fade is heard: a process that ends cuts
 * its sound. */
void peer_stopped(void);

/* Notes that the library is told to start, now or after --start-delay. */
void peer_start(void);

int64_t peer_now(void);

/* The signal as it is handed to the library by stream `stream` of `streams`: mono, from any frame on. For who
 * looks for it in what was heard. */
void peer_reference(int signal, int rate, int stream, int streams, int64_t first_frame, float *_Nonnull out,
                    size_t frames);

/* The lane of a stream, from 0, and of PEER_OUTPUT or PEER_INPUT. */
peer_lane *_Nonnull peer_lane_of(int stream, int direction);

/* Where the lane stands: the number of the next frame that it hands over. */
int64_t peer_lane_frame(const peer_lane *_Nonnull lane);

/* Writes the next `frames` frames of the lane's signal, and remembers the callback. On the audio thread: no
 * allocation, lock or system call.
 *   entry_ns      when the callback was entered
 *   predicted_ns  how long from then until the first of these frames is heard, as the library says */
void peer_play(peer_lane *_Nonnull lane, int64_t entry_ns, int64_t predicted_ns, float *_Nonnull out,
               size_t frames);

/* Keeps `frames` captured frames, null for a hole, and remembers the callback.
 *   predicted_ns  how long before entry the first of these frames was captured, as the library says */
void peer_record(peer_lane *_Nonnull lane, int64_t entry_ns, int64_t predicted_ns, const float *_Nullable in,
                 size_t frames);

/* Counts an underrun or overrun that the library reports. From any thread. */
void peer_underrun(void);

/* Sleeps until the run is over, counted from peer_start. Meanwhile takes account of processor time and
 * threads, and, with --events, pauses and goes on; null for a library that cannot. */
void peer_wait(peer_action _Nullable pause, peer_action _Nullable resume, void *_Nullable context);

/* Writes the log. The return value is the process's exit status. */
int peer_end(void);

/* Says what went wrong, and ends the process with status 1: "peer-NAME: what: why". */
_Noreturn void peer_fail(const char *_Nonnull what, const char *_Nonnull why);

#endif
