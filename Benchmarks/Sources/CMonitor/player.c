/* SPDX-License-Identifier: MIT */

#include "CMonitor.h"

#include "connection.h"

#include <stdlib.h>
#include <string.h>

struct bench_player {
    struct connection connection;
    unsigned channels;
    const float *samples;
    size_t frames, next_frame;
};

static void write_pieces(pa_stream *stream, size_t bytes, void *user) {
    bench_player *p = user;
    while (bytes > 0 && p->next_frame < p->frames) {
        void *piece;
        size_t length = bytes;
        if (pa_stream_begin_write(stream, &piece, &length) < 0 || !piece) return;
        size_t frames = length / (sizeof(float) * p->channels);
        if (frames > p->frames - p->next_frame) frames = p->frames - p->next_frame;
        float *out = piece;
        for (size_t i = 0; i < frames; i++)
            for (unsigned c = 0; c < p->channels; c++) *out++ = p->samples[p->next_frame + i];
        p->next_frame += frames;
        length = frames * sizeof(float) * p->channels;
        if (length == 0 || pa_stream_write(stream, piece, length, NULL, 0, PA_SEEK_RELATIVE) < 0) return;
        bytes = bytes > length ? bytes - length : 0;
    }
}

static int connect_stream(bench_player *p, const char *server, const char *sink, unsigned rate) {
    int failure = connection_open(&p->connection, server, "benchmark player");
    if (failure < 0) return failure;
    pa_sample_spec spec = {.format = PA_SAMPLE_FLOAT32NE, .rate = rate, .channels = (uint8_t)p->channels};
    p->connection.stream = pa_stream_new(p->connection.context, "noise", &spec, NULL);
    if (!p->connection.stream) return -pa_context_errno(p->connection.context);
    pa_stream_set_write_callback(p->connection.stream, write_pieces, p);
    /* The longest buffer, so that the recorder under test determines the sink's period. */
    pa_buffer_attr attr;
    memset(&attr, 0xff, sizeof attr);
    pa_stream_flags_t flags = PA_STREAM_ADJUST_LATENCY | PA_STREAM_DONT_MOVE;
    if (pa_stream_connect_playback(p->connection.stream, sink, &attr, flags, NULL, NULL) < 0)
        return -pa_context_errno(p->connection.context);
    return connection_wait_for_stream(&p->connection);
}

bench_player *bench_player_open(
    const char *server, const char *sink, unsigned rate, unsigned channels, const float *samples,
    size_t frames, const char **why) {
    bench_player *p = calloc(1, sizeof *p);
    *why = "out of memory";
    if (!p) return NULL;
    p->channels = channels;
    p->samples = samples;
    p->frames = frames;
    int failure = connect_stream(p, server, sink, rate);
    connection_opened(&p->connection);
    if (failure == 0) return p;
    *why = pa_strerror(-failure);
    bench_player_close(p);
    return NULL;
}

void bench_player_close(bench_player *p) {
    connection_close(&p->connection);
    free(p);
}
