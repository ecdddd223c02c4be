/* SPDX-License-Identifier: MIT */

/* Declarations for the files of the kit. */
#ifndef PEER_KIT_INTERNAL_H
#define PEER_KIT_INTERNAL_H

#include "PeerKit.h"

#include <stdatomic.h>
#include <stdio.h>

enum { PEER_SINKS_MAX = 64 };

typedef enum {
    FAULT_NONE,
    /* 3 ms of silence in every second except the first. */
    FAULT_GAP,
    /* One allocation and one lock in every callback. */
    FAULT_ALLOC,
} peer_fault;

/* The command line, including the options that only the kit uses. */
typedef struct {
    peer_options shown;
    const char *log_path;
    /* Empty for the server's default. */
    const char *sinks[PEER_SINKS_MAX];
    int sinks_count;
    double start_delay_seconds;
    /* Keep sums instead of callbacks and samples, to measure memory and many streams. */
    bool aggregate;
    /* A fault that the peer makes on request, to check the measuring code. */
    peer_fault fault;
} peer_command;

typedef struct {
    int64_t entry_ns;
    int64_t first_frame;
    int64_t predicted_ns;
    int64_t frames;
} peer_callback;

struct peer_lane {
    int stream;
    int direction;
    int64_t next_frame;
    int64_t callbacks;
    int64_t first_ns;
    int64_t last_ns;
    int64_t longest_interval_ns;
    /* Stored callbacks and samples, and the number that did not fit. Both pointers are NULL if only sums are kept. */
    peer_callback *kept;
    size_t kept_count;
    size_t kept_capacity;
    size_t callbacks_lost;
    float *samples;
    size_t samples_count;
    size_t samples_capacity;
    size_t samples_lost;
};

void peer_parse(peer_command *command, int modes, int streams, int argc, char *const *argv);

void peer_signal_prepare(const peer_command *command);
void peer_signal_write(int stream, int64_t first_frame, float *out, size_t frames);
void peer_signal_describe(FILE *log);

/* Record the resources that the process has used so far, and its current threads. */
void peer_usage_take(const char *name);
void peer_threads_take(void);
void peer_usage_write(FILE *log);

/* Calls to the meter of allocations and locks, if it is loaded. */
void peer_meter_find(void);
void peer_meter_begin(void);
void peer_meter_end(void);
void peer_meter_callback(void);
void peer_meter_write(FILE *log);
/* Allocates and frees memory once, under a lock. */
void peer_fault_of_memory(void);

/* The prefix of messages. */
extern const char *peer_name;

#endif
