/* What the kit's own files share. */
#ifndef PEER_KIT_INTERNAL_H
#define PEER_KIT_INTERNAL_H

#include "PeerKit.h"

#include <stdatomic.h>
#include <stdio.h>

enum { PEER_SINKS_MAX = 64 };

typedef enum {
    FAULT_NONE,
    /* Silence in place of 3 ms of every second. */
    FAULT_GAP,
    /* Every callback takes memory and a lock, once. */
    FAULT_ALLOC,
} peer_fault;

/* The command line, with what only the kit needs. */
typedef struct {
    peer_options shown;
    const char *log_path;
    /* None for the server's default. */
    const char *sinks[PEER_SINKS_MAX];
    int sinks_count;
    double start_delay_seconds;
    /* Keep sums instead of callbacks and samples: for measures of memory, and of many streams. */
    bool aggregate;
    /* What each peer does wrong on command, for checking who measures it. */
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
    /* Callbacks and samples kept, and how many found no room. Both are null where sums are enough. */
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

/* What the process has used up so far, and its threads as they are now. */
void peer_usage_take(const char *name);
void peer_threads_take(void);
void peer_usage_write(FILE *log);

/* The counting of allocations and locks, if somebody does count. */
void peer_meter_find(void);
void peer_meter_begin(void);
void peer_meter_end(void);
void peer_meter_callback(void);
void peer_meter_write(FILE *log);
/* Takes memory and a lock, once, and gives both back. */
void peer_fault_of_memory(void);

/* What messages begin with. */
extern const char *peer_name;

#endif
