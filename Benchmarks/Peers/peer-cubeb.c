/* SPDX-License-Identifier: MIT */

/* cubeb, Firefox's library, on its PulseAudio backend.
 *
 * The library accepts one latency, --buffers times --buffer-frames, which it requests as tlength. Its callback runs
 * every quarter of that. A duplex stream has one callback for both directions. The predictions are
 * cubeb_stream_get_latency and cubeb_stream_get_input_latency. */
#include "PeerKit.h"

#include <cubeb/cubeb.h>
#include <string.h>

static const peer_options *options;
static cubeb *context;
static cubeb_stream *streams[PEER_STREAMS_MAX];

static void check(int status, const char *what) {
    static const char *const reasons[] = {"error", "invalid format", "invalid parameter", "not supported",
                                          "device unavailable"};
    if (status == CUBEB_OK) return;
    peer_fail(what, status <= -1 && status >= -5 ? reasons[-status - 1] : "unknown error");
}

static int64_t nanoseconds(uint32_t frames) { return (int64_t)frames * 1000000000 / options->rate; }

static int64_t output_latency(cubeb_stream *stream) {
    uint32_t frames;
    return cubeb_stream_get_latency(stream, &frames) == CUBEB_OK ? nanoseconds(frames) : PEER_UNKNOWN;
}

static int64_t input_latency(cubeb_stream *stream) {
    uint32_t frames;
    return cubeb_stream_get_input_latency(stream, &frames) == CUBEB_OK ? nanoseconds(frames) : PEER_UNKNOWN;
}

static long on_data(cubeb_stream *stream, void *userdata, const void *in, void *out, long frames) {
    int64_t entry = peer_now();
    int index = (int)(intptr_t)userdata;
    if (in != NULL)
        peer_record(peer_lane_of(index, PEER_INPUT), entry, input_latency(stream), in, (size_t)frames);
    if (out != NULL)
        peer_play(peer_lane_of(index, PEER_OUTPUT), entry, output_latency(stream), out, (size_t)frames);
    return frames;
}

static void on_state(cubeb_stream *stream, void *userdata, cubeb_state state) {
    (void)stream;
    (void)userdata;
    if (state == CUBEB_STATE_ERROR) peer_fail("cannot go on", "the stream failed");
}

/* Returns the identifier of a device, which is its name; NULL for the server's default. The collections are kept,
 * because they own the identifiers. */
static cubeb_devid device_named(const char *name, cubeb_device_type type) {
    static cubeb_device_collection collections[2];
    if (name == NULL) return NULL;
    cubeb_device_collection *found = &collections[type == CUBEB_DEVICE_TYPE_INPUT];
    if (found->device == NULL) check(cubeb_enumerate_devices(context, type, found), "cannot list devices");
    for (size_t index = 0; index < found->count; index++)
        if (strcmp(found->device[index].device_id, name) == 0) return found->device[index].devid;
    peer_fail(name, "no such device");
}

static void make_stream(int index) {
    cubeb_devid source = device_named(options->source, CUBEB_DEVICE_TYPE_INPUT);
    cubeb_devid sink = device_named(peer_sink_of(index), CUBEB_DEVICE_TYPE_OUTPUT);
    cubeb_stream_params format = {.format = CUBEB_SAMPLE_FLOAT32NE, .rate = (uint32_t)options->rate,
                                  .channels = (uint32_t)options->channels, .layout = CUBEB_LAYOUT_UNDEFINED};
    cubeb_stream_params *in = options->mode & PEER_INPUT ? &format : NULL;
    cubeb_stream_params *out = options->mode & PEER_OUTPUT ? &format : NULL;
    uint32_t latency_frames = (uint32_t)(options->buffers * options->buffer_frames);
    check(cubeb_stream_init(context, &streams[index], "peer-cubeb", source, in, sink, out, latency_frames, on_data,
                            on_state, (void *)(intptr_t)index),
          "cannot make a stream");
}

static bool start_all(void *unused) {
    (void)unused;
    for (int index = 0; index < options->streams; index++)
        if (cubeb_stream_start(streams[index]) != CUBEB_OK) return false;
    return true;
}

static bool stop_all(void *unused) {
    (void)unused;
    for (int index = 0; index < options->streams; index++)
        if (cubeb_stream_stop(streams[index]) != CUBEB_OK) return false;
    return true;
}

int main(int argc, char **argv) {
    options = peer_begin("peer-cubeb", PEER_ASKS_TOTAL, PEER_DUPLEX, PEER_STREAMS_MAX, argc, argv);
    /* The library does not report its version, so the makefile defines it. */
    peer_note("version", PEER_LIBRARY_VERSION);
    peer_note("prediction", "cubeb_stream_get_latency, cubeb_stream_get_input_latency");
    peer_event("create");
    check(cubeb_init(&context, "peer-cubeb", "pulse"), "cannot connect");
    for (int index = 0; index < options->streams; index++) make_stream(index);
    peer_event("created");
    peer_note("backend", cubeb_get_backend_id(context));
    peer_start();
    if (!start_all(NULL)) peer_fail("cannot start", "the library refused");
    peer_event("started");
    peer_wait(stop_all, start_all, NULL);
    peer_event("stop");
    stop_all(NULL);
    peer_stopped();
    for (int index = 0; index < options->streams; index++) cubeb_stream_destroy(streams[index]);
    cubeb_destroy(context);
    return peer_end();
}
