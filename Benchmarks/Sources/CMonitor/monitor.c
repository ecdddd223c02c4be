/* SPDX-License-Identifier: MIT */

#include "CMonitor.h"

#include "connection.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A peer's noise exceeds it in every fragment; dither never does. */
static const float silence_threshold = 0.0005f;

struct bench_monitor {
    struct connection connection;
    unsigned rate, channels;
    size_t max_frames, max_fragments;
    float *samples;
    struct bench_fragment *fragments;
    /* Written by the loop's thread, or while the loop is locked. */
    _Atomic size_t frames, fragment_count, frames_to_last_sound, holes;
    atomic_int is_running;
    int is_hurried;
};

static uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void append(bench_monitor *m, const float *piece, size_t frames, uint64_t arrival_ns) {
    size_t start = m->frames;
    if (frames > m->max_frames - start) frames = m->max_frames - start;
    if (frames == 0 || m->fragment_count == m->max_fragments) return;
    if (piece) {
        for (size_t i = 0; i < frames; i++) {
            float sample = piece[i * m->channels];
            m->samples[start + i] = sample;
            if (fabsf(sample) > silence_threshold) m->frames_to_last_sound = start + i + 1;
        }
    } else {
        memset(m->samples + start, 0, frames * sizeof(float));
        m->holes++;
    }
    m->fragments[m->fragment_count] = (struct bench_fragment){arrival_ns, start + frames};
    m->fragment_count++;
    m->frames = start + frames;
}

/* Arrival times are measured, so the thread that receives fragments requests real-time priority, below that of a
 * server, for runs beside busy processes. */
static void hurry(bench_monitor *m) {
    if (m->is_hurried) return;
    m->is_hurried = 1;
    struct sched_param priority = {.sched_priority = 1};
    /* Without permission, the recorder is less exact under load. The results contain the delay of its fragments. */
    (void)pthread_setschedparam(pthread_self(), SCHED_RR, &priority);
}

static void read_pieces(pa_stream *stream, size_t bytes, void *user) {
    (void)bytes;
    bench_monitor *m = user;
    hurry(m);
    /* One time for all pieces that wait: later pieces arrived together with the first, and are only read later. */
    uint64_t arrival_ns = now_ns();
    for (;;) {
        const void *piece;
        size_t length;
        if (pa_stream_peek(stream, &piece, &length) < 0) {
            m->is_running = 0;
            return;
        }
        if (length == 0) return;
        append(m, piece, length / (sizeof(float) * m->channels), arrival_ns);
        pa_stream_drop(stream);
    }
}

static void stream_changed(pa_stream *stream, void *user) {
    bench_monitor *m = user;
    if (!PA_STREAM_IS_GOOD(pa_stream_get_state(stream))) m->is_running = 0;
}

static pa_buffer_attr attributes(const bench_monitor *m, unsigned fragment_us) {
    pa_buffer_attr attr;
    memset(&attr, 0xff, sizeof attr);
    if (fragment_us != BENCH_LONGEST_FRAGMENT)
        attr.fragsize =
            (uint32_t)((uint64_t)m->rate * fragment_us / 1000000u * m->channels * sizeof(float));
    return attr;
}

static int connect_stream(bench_monitor *m, const char *server, const char *source, unsigned fragment_us) {
    int failure = connection_open(&m->connection, server, "benchmark recorder");
    if (failure < 0) return failure;
    pa_sample_spec spec = {
        .format = PA_SAMPLE_FLOAT32NE, .rate = m->rate, .channels = (uint8_t)m->channels};
    m->connection.stream = pa_stream_new(m->connection.context, "monitor", &spec, NULL);
    if (!m->connection.stream) return -pa_context_errno(m->connection.context);
    pa_stream_set_read_callback(m->connection.stream, read_pieces, m);
    pa_buffer_attr attr = attributes(m, fragment_us);
    pa_stream_flags_t flags = PA_STREAM_ADJUST_LATENCY | PA_STREAM_DONT_MOVE;
    if (pa_stream_connect_record(m->connection.stream, source, &attr, flags) < 0)
        return -pa_context_errno(m->connection.context);
    failure = connection_wait_for_stream(&m->connection);
    if (failure < 0) return failure;
    m->is_running = 1;
    pa_stream_set_state_callback(m->connection.stream, stream_changed, m);
    return 0;
}

bench_monitor *bench_monitor_open(
    const char *server, const char *source, unsigned rate, unsigned channels, size_t max_frames,
    unsigned fragment_us, const char **why) {
    bench_monitor *m = calloc(1, sizeof *m);
    *why = "out of memory";
    if (!m) return NULL;
    m->rate = rate;
    m->channels = channels;
    m->max_frames = max_frames;
    m->max_fragments = max_frames / 16 + 1024;
    m->samples = calloc(max_frames, sizeof *m->samples);
    m->fragments = calloc(m->max_fragments, sizeof *m->fragments);
    if (!m->samples || !m->fragments) {
        bench_monitor_close(m);
        return NULL;
    }
    int failure = connect_stream(m, server, source, fragment_us);
    connection_opened(&m->connection);
    if (failure == 0) return m;
    *why = pa_strerror(-failure);
    bench_monitor_close(m);
    return NULL;
}

static void changed(pa_stream *stream, int success, void *user) {
    (void)stream;
    (void)success;
    pa_threaded_mainloop_signal(user, 0);
}

int bench_monitor_set_fragment(bench_monitor *m, unsigned fragment_us) {
    pa_threaded_mainloop *loop = m->connection.loop;
    pa_threaded_mainloop_lock(loop);
    pa_buffer_attr attr = attributes(m, fragment_us);
    pa_operation *o = pa_stream_set_buffer_attr(m->connection.stream, &attr, changed, loop);
    int failure = o ? 0 : -pa_context_errno(m->connection.context);
    if (o) {
        while (pa_operation_get_state(o) == PA_OPERATION_RUNNING && connection_is_good(&m->connection))
            pa_threaded_mainloop_wait(loop);
        pa_operation_unref(o);
    }
    pa_threaded_mainloop_unlock(loop);
    return failure;
}

void bench_monitor_clear(bench_monitor *m) {
    pa_threaded_mainloop_lock(m->connection.loop);
    m->frames = 0;
    m->fragment_count = 0;
    m->frames_to_last_sound = 0;
    m->holes = 0;
    pa_threaded_mainloop_unlock(m->connection.loop);
}

size_t bench_monitor_frames(const bench_monitor *m) { return m->frames; }
size_t bench_monitor_frames_to_last_sound(const bench_monitor *m) { return m->frames_to_last_sound; }
size_t bench_monitor_fragment_count(const bench_monitor *m) { return m->fragment_count; }
size_t bench_monitor_holes(const bench_monitor *m) { return m->holes; }
int bench_monitor_is_running(const bench_monitor *m) { return m->is_running; }

void bench_monitor_copy(
    bench_monitor *m, float *samples, size_t *frames, struct bench_fragment *fragments,
    size_t *fragment_count) {
    pa_threaded_mainloop_lock(m->connection.loop);
    if (*fragment_count > m->fragment_count) *fragment_count = m->fragment_count;
    if (*frames > m->frames) *frames = m->frames;
    memcpy(samples, m->samples, *frames * sizeof *samples);
    memcpy(fragments, m->fragments, *fragment_count * sizeof *fragments);
    pa_threaded_mainloop_unlock(m->connection.loop);
}

void bench_monitor_close(bench_monitor *m) {
    connection_close(&m->connection);
    free(m->samples);
    free(m->fragments);
    free(m);
}
