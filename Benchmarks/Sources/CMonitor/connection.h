/* A connection with a loop of its own, as the recorder and the player have one each. */
#ifndef BENCH_CONNECTION_H
#define BENCH_CONNECTION_H

#include <pulse/pulseaudio.h>

struct connection {
    pa_threaded_mainloop *loop;
    pa_context *context;
    pa_stream *stream;
    int is_locked; /* while it is being opened */
};

/* Connects and leaves the loop locked; 0, or why not as a negative number of libpulse. */
int connection_open(struct connection *c, const char *server, const char *name);

/* Unlocks the loop that opening left locked, however far it came. */
void connection_opened(struct connection *c);

/* Waits, the loop being locked, until the stream runs: 0, or why not as a negative number of libpulse. */
int connection_wait_for_stream(struct connection *c);

/* Whether the stream runs. The loop must be locked, or this be its thread. */
int connection_is_good(const struct connection *c);

/* Ends all of it. The loop must not be locked. */
void connection_close(struct connection *c);

#endif
