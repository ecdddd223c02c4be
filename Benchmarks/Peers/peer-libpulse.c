/* SPDX-License-Identifier: MIT */

/* libpulse, PulseAudio's client library, with its options for low latency: the lower limit for all libraries that use
 * it.
 *
 * tlength is --buffers times --buffer-frames and includes the sink's share (PA_STREAM_ADJUST_LATENCY); minreq and
 * fragsize are --buffer-frames. The callback is libpulse's write callback, which writes directly into memory that is
 * shared with the server. The prediction is pa_stream_get_latency, interpolated. */
#include "PeerKit.h"

#include <pulse/pulseaudio.h>

typedef struct {
    peer_lane *lane;
    pa_stream *stream;
} side;

static const peer_options *options;
static pa_threaded_mainloop *loop;
static pa_context *context;
static side outputs[PEER_STREAMS_MAX];
static side inputs[PEER_STREAMS_MAX];
static size_t frame_bytes;

_Noreturn static void fail(const char *what) { peer_fail(what, pa_strerror(pa_context_errno(context))); }

static int64_t latency(pa_stream *stream) {
    pa_usec_t microseconds;
    int is_negative;
    if (pa_stream_get_latency(stream, &microseconds, &is_negative) < 0) return PEER_UNKNOWN;
    return (is_negative ? -1 : 1) * (int64_t)microseconds * 1000;
}

static void on_write(pa_stream *stream, size_t bytes, void *userdata) {
    side *output = userdata;
    int64_t entry = peer_now();
    while (bytes >= frame_bytes) {
        size_t given = bytes;
        void *data;
        if (pa_stream_begin_write(stream, &data, &given) < 0) fail("cannot write");
        if (given > bytes) given = bytes;
        given -= given % frame_bytes;
        peer_play(output->lane, entry, latency(stream), data, given / frame_bytes);
        if (pa_stream_write(stream, data, given, NULL, 0, PA_SEEK_RELATIVE) < 0) fail("cannot write");
        bytes -= given;
    }
}

static void on_read(pa_stream *stream, size_t bytes, void *userdata) {
    side *input = userdata;
    int64_t entry = peer_now();
    while (pa_stream_readable_size(stream) > 0) {
        const void *data;
        if (pa_stream_peek(stream, &data, &bytes) < 0) fail("cannot read");
        if (bytes == 0) return;
        peer_record(input->lane, entry, latency(stream), data, bytes / frame_bytes);
        pa_stream_drop(stream);
    }
}

static void on_trouble(pa_stream *stream, void *userdata) {
    (void)stream;
    (void)userdata;
    peer_underrun();
}

static void on_state(pa_stream *stream, void *userdata) {
    (void)userdata;
    if (pa_stream_get_state(stream) == PA_STREAM_FAILED) fail("the stream failed");
    pa_threaded_mainloop_signal(loop, 0);
}

static void on_context_state(pa_context *changed, void *userdata) {
    (void)changed;
    (void)userdata;
    pa_threaded_mainloop_signal(loop, 0);
}

static pa_stream *make_stream(const char *name) {
    pa_sample_spec spec = {
        .format = PA_SAMPLE_FLOAT32NE, .rate = (uint32_t)options->rate, .channels = (uint8_t)options->channels};
    pa_stream *stream = pa_stream_new(context, name, &spec, NULL);
    if (stream == NULL) fail("cannot make a stream");
    pa_stream_set_state_callback(stream, on_state, NULL);
    return stream;
}

/* Streams are created corked, so that creation and start can be timed separately. */
static const pa_stream_flags_t flags = PA_STREAM_START_CORKED | PA_STREAM_ADJUST_LATENCY
                                       | PA_STREAM_AUTO_TIMING_UPDATE | PA_STREAM_INTERPOLATE_TIMING;

static void make_output(int index) {
    side *output = &outputs[index];
    uint32_t period = (uint32_t)((size_t)options->buffer_frames * frame_bytes);
    pa_buffer_attr asked = {.maxlength = UINT32_MAX, .tlength = period * (uint32_t)options->buffers,
                            .prebuf = UINT32_MAX, .minreq = period, .fragsize = UINT32_MAX};
    output->lane = peer_lane_of(index, PEER_OUTPUT);
    output->stream = make_stream("peer-libpulse");
    pa_stream_set_write_callback(output->stream, on_write, output);
    pa_stream_set_underflow_callback(output->stream, on_trouble, NULL);
    if (pa_stream_connect_playback(output->stream, peer_sink_of(index), &asked, flags, NULL, NULL) < 0)
        fail("cannot connect to the sink");
}

static void make_input(int index) {
    side *input = &inputs[index];
    uint32_t period = (uint32_t)((size_t)options->buffer_frames * frame_bytes);
    pa_buffer_attr asked = {.maxlength = UINT32_MAX, .tlength = UINT32_MAX, .prebuf = UINT32_MAX,
                            .minreq = UINT32_MAX, .fragsize = period};
    input->lane = peer_lane_of(index, PEER_INPUT);
    input->stream = make_stream("peer-libpulse");
    pa_stream_set_read_callback(input->stream, on_read, input);
    pa_stream_set_overflow_callback(input->stream, on_trouble, NULL);
    if (pa_stream_connect_record(input->stream, options->source, &asked, flags) < 0)
        fail("cannot connect to the source");
}

static void wait_for(const side *one) {
    if (one->stream == NULL) return;
    while (pa_stream_get_state(one->stream) != PA_STREAM_READY) pa_threaded_mainloop_wait(loop);
}

static void make_streams(void) {
    for (int index = 0; index < options->streams; index++) {
        if (options->mode & PEER_OUTPUT) make_output(index);
        if (options->mode & PEER_INPUT) make_input(index);
    }
    for (int index = 0; index < options->streams; index++) {
        wait_for(&outputs[index]);
        wait_for(&inputs[index]);
    }
}

static void connect_to_server(void) {
    loop = pa_threaded_mainloop_new();
    context = pa_context_new(pa_threaded_mainloop_get_api(loop), "peer-libpulse");
    pa_context_set_state_callback(context, on_context_state, NULL);
    if (pa_context_connect(context, NULL, PA_CONTEXT_NOFLAGS, NULL) < 0) fail("cannot connect");
    pa_threaded_mainloop_lock(loop);
    if (pa_threaded_mainloop_start(loop) < 0) peer_fail("cannot connect", "no thread");
    while (pa_context_get_state(context) != PA_CONTEXT_READY) {
        if (!PA_CONTEXT_IS_GOOD(pa_context_get_state(context))) fail("cannot connect");
        pa_threaded_mainloop_wait(loop);
    }
}

static void note_granted(void) {
    const pa_buffer_attr *granted;
    if (outputs[0].stream != NULL) {
        granted = pa_stream_get_buffer_attr(outputs[0].stream);
        peer_note_number("granted_total_frames", (double)(granted->tlength / frame_bytes));
        peer_note_number("granted_period_frames", (double)(granted->minreq / frame_bytes));
        peer_note_number("granted_prebuffer_frames", (double)(granted->prebuf / frame_bytes));
    }
    if (inputs[0].stream != NULL) {
        granted = pa_stream_get_buffer_attr(inputs[0].stream);
        peer_note_number("granted_fragment_frames", (double)(granted->fragsize / frame_bytes));
    }
}

static void cork(const side *one, int is_corked) {
    if (one->stream == NULL) return;
    pa_operation *operation = pa_stream_cork(one->stream, is_corked, NULL, NULL);
    if (operation == NULL) fail("cannot cork");
    pa_operation_unref(operation);
}

static bool cork_all(int is_corked) {
    pa_threaded_mainloop_lock(loop);
    for (int index = 0; index < options->streams; index++) {
        cork(&outputs[index], is_corked);
        cork(&inputs[index], is_corked);
    }
    pa_threaded_mainloop_unlock(loop);
    return true;
}

static bool pause_all(void *unused) { (void)unused; return cork_all(1); }
static bool resume_all(void *unused) { (void)unused; return cork_all(0); }

/* Disconnects the streams, and keeps the connection to the server. */
static void stop_all(void) {
    pa_threaded_mainloop_lock(loop);
    for (int index = 0; index < options->streams; index++) {
        if (outputs[index].stream != NULL) pa_stream_disconnect(outputs[index].stream);
        if (inputs[index].stream != NULL) pa_stream_disconnect(inputs[index].stream);
    }
    pa_threaded_mainloop_unlock(loop);
}

int main(int argc, char **argv) {
    options = peer_begin("peer-libpulse", PEER_ASKS_BOTH, PEER_DUPLEX, PEER_STREAMS_MAX, argc, argv);
    peer_note("version", pa_get_library_version());
    peer_note("prediction", "pa_stream_get_latency");
    frame_bytes = (size_t)options->channels * sizeof(float);
    peer_event("create");
    connect_to_server();
    make_streams();
    note_granted();
    pa_threaded_mainloop_unlock(loop);
    peer_event("created");
    peer_start();
    cork_all(0);
    peer_event("started");
    peer_wait(pause_all, resume_all, NULL);
    peer_event("stop");
    stop_all();
    peer_stopped();
    return peer_end();
}
