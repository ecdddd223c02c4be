/* SPDX-License-Identifier: MIT */

/* A connection to a sound server with its own loop, for the recorder and for the player. */
#ifndef BENCH_CONNECTION_H
#define BENCH_CONNECTION_H

#include <pulse/pulseaudio.h>

struct connection {
    pa_threaded_mainloop *loop;
    pa_context *context;
    pa_stream *stream;
    int is_locked; /* between connection_open() and connection_opened() */
};

/* Connects, and keeps the loop locked. Returns 0, or a negative error code of libpulse. */
int connection_open(struct connection *c, const char *server, const char *name);

/* Unlocks the loop after connection_open(), even if that failed. */
void connection_opened(struct connection *c);

/* Waits until the stream is ready; the loop must be locked. Returns 0, or a negative error code of libpulse. */
int connection_wait_for_stream(struct connection *c);

/* Returns whether the stream is ready. The caller must hold the lock, or run on the loop's thread. */
int connection_is_good(const struct connection *c);

/* Disconnects and stops the loop, which must not be locked. */
void connection_close(struct connection *c);

#endif
