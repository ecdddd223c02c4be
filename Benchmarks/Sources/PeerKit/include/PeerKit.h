/* SPDX-License-Identifier: MIT */

/* The parts that all peers share: command line, signal, log.
 *
 * A peer plays or records through one library for some seconds, keeps a record in memory, and writes it to the log at
 * the end. Peers differ only in the library, so that their logs can be compared. Benchmarks/Peers/README.md documents
 * the formats of the signal and the log.
 *
 * Samples are 32-bit float, interleaved, the same in every channel. Times are in nanoseconds of CLOCK_MONOTONIC. */
#ifndef PEER_KIT_H
#define PEER_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Clang's annotations for Swift, which GCC does not have. */
#ifndef __clang__
#define _Nonnull
#define _Nullable
#endif

enum { PEER_OUTPUT = 1, PEER_INPUT = 2, PEER_DUPLEX = PEER_OUTPUT | PEER_INPUT };
enum { PEER_SILENCE, PEER_NOISE, PEER_SINE };

/* The sizes that a library accepts: --buffer-frames, --buffers times --buffer-frames, or both. If it accepts only one
 * of them, settings that differ in the other are equal. */
enum { PEER_ASKS_PERIOD = 1, PEER_ASKS_TOTAL = 2, PEER_ASKS_BOTH = PEER_ASKS_PERIOD | PEER_ASKS_TOTAL };

/* A latency that a library does not report. */
#define PEER_UNKNOWN INT64_MIN

/* The largest value of --scale. */
#define PEER_STREAMS_MAX 256

typedef struct {
    int mode;
    int signal;
    int rate;
    int channels;
    int buffer_frames;
    int buffers;
    /* --scale: the number of streams in the process. */
    int streams;
    double seconds;
    /* The first sink, and the source; NULL for the server's default. Their names are also in PULSE_SINK and
     * PULSE_SOURCE, for libraries that cannot select a device themselves. */
    const char *_Nullable sink;
    const char *_Nullable source;
    /* --files: the folder of the files 0.wav, 1.wav..., one for each stream; NULL for none. They have --rate and
     * --channels, 16 bits, and a header of 44 bytes. */
    const char *_Nullable files;
    /* --events: pause after 2 s, resume after 3 s. */
    bool events;
} peer_options;

/* One direction of one stream. Only one thread at a time may use it. */
typedef struct peer_lane peer_lane;

/* An action of a peer during the run. Returns whether it succeeded. */
typedef bool (*peer_action)(void *_Nullable context);

/* Reads the command line, and allocates memory for the log. Must be called first; ends the process with status 64 for
 * wrong usage. `asks` is one of PEER_ASKS_..., `modes` are the supported modes, `streams` is the largest number of
 * streams. */
const peer_options *_Nonnull peer_begin(const char *_Nonnull name, int asks, int modes, int streams, int argc,
                                        char *_Nullable const *_Nonnull argv);

/* Returns the sink of a stream; NULL for the server's default. PulseAudio mixes at most 32 streams in a sink, and more
 * streams need several sinks. */
const char *_Nullable peer_sink_of(int stream);

/* Adds a line to the log, such as a requested size, a granted size or a version. There can be at most 63. */
void peer_note(const char *_Nonnull key, const char *_Nonnull value);
void peer_note_number(const char *_Nonnull key, double value);

/* Records the time of an event, such as "create", "created", "started" or "stop". */
void peer_event(const char *_Nonnull name);

/* Records the event "stopped", and waits while a fade is audible: the exit of the process would cut it off. */
void peer_stopped(void);

/* Waits for --start-delay, and records the event "start". */
void peer_start(void);

int64_t peer_now(void);

/* Writes the signal of stream `stream` of `streams`, mono, from any frame on. It is the reference for the search in a
 * recording. */
void peer_reference(int signal, int rate, int stream, int streams, int64_t first_frame, float *_Nonnull out,
                    size_t frames);

/* Returns the lane of a stream, counted from 0, in the direction PEER_OUTPUT or PEER_INPUT. */
peer_lane *_Nonnull peer_lane_of(int stream, int direction);

/* Returns the number of the lane's next frame. */
int64_t peer_lane_frame(const peer_lane *_Nonnull lane);

/* Writes the next `frames` frames of the lane's signal, and records the callback. It can run on an audio thread: it
 * does not allocate, lock or make a system call.
 *   entry_ns      the time at which the callback was entered
 *   predicted_ns  the time from entry until the first of these frames is audible, as reported by the library */
void peer_play(peer_lane *_Nonnull lane, int64_t entry_ns, int64_t predicted_ns, float *_Nonnull out,
               size_t frames);

/* Stores `frames` captured frames, NULL for a hole, and records the callback.
 *   predicted_ns  the time from the capture of the first of these frames until entry, as reported by the library */
void peer_record(peer_lane *_Nonnull lane, int64_t entry_ns, int64_t predicted_ns, const float *_Nullable in,
                 size_t frames);

/* Counts an underrun or overrun that the library reports. May be called on any thread. */
void peer_underrun(void);

/* Sleeps until the end of the run, counted from peer_start. Meanwhile, records processor time and threads. With
 * --events, calls `pause` and `resume`; both are NULL if the library does not support them. */
void peer_wait(peer_action _Nullable pause, peer_action _Nullable resume, void *_Nullable context);

/* Writes the log. Returns the exit status of the process. */
int peer_end(void);

/* Prints "peer-NAME: what: why" to standard error, and ends the process with status 1. */
_Noreturn void peer_fail(const char *_Nonnull what, const char *_Nonnull why);

#endif
