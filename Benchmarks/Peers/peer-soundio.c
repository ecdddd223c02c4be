/* SPDX-License-Identifier: MIT */

/* libsoundio, on its PulseAudio backend.
 *
 * The library accepts one latency: --buffers times --buffer-frames for output, and --buffer-frames for input. Its
 * callback gets the number of frames that fit, and writes all of them. Input and output are two streams. The
 * predictions are soundio_outstream_get_latency and soundio_instream_get_latency. */
#include "PeerKit.h"

#include <soundio/soundio.h>
#include <string.h>

static const peer_options *options;
static struct SoundIo *soundio;
static struct SoundIoOutStream *output;
static struct SoundIoInStream *input;

static void check(int status, const char *what) {
    if (status != SoundIoErrorNone) peer_fail(what, soundio_strerror(status));
}

static int64_t nanoseconds(int status, double seconds) {
    return status == SoundIoErrorNone ? (int64_t)(seconds * 1e9) : PEER_UNKNOWN;
}

static void on_write(struct SoundIoOutStream *stream, int least, int most) {
    (void)least;
    int64_t entry = peer_now();
    while (most > 0) {
        struct SoundIoChannelArea *areas;
        int frames = most;
        double seconds = 0;
        check(soundio_outstream_begin_write(stream, &areas, &frames), "cannot write");
        if (frames == 0) return;
        int status = soundio_outstream_get_latency(stream, &seconds);
        /* The areas of the PulseAudio backend are one interleaved block, which begins at the first area. */
        peer_play(peer_lane_of(0, PEER_OUTPUT), entry, nanoseconds(status, seconds), (float *)(void *)areas[0].ptr,
                  (size_t)frames);
        check(soundio_outstream_end_write(stream), "cannot write");
        most -= frames;
    }
}

static void on_read(struct SoundIoInStream *stream, int least, int most) {
    (void)least;
    int64_t entry = peer_now();
    while (most > 0) {
        struct SoundIoChannelArea *areas;
        int frames = most;
        double seconds = 0;
        check(soundio_instream_begin_read(stream, &areas, &frames), "cannot read");
        if (frames == 0) return;
        int status = soundio_instream_get_latency(stream, &seconds);
        peer_record(peer_lane_of(0, PEER_INPUT), entry, nanoseconds(status, seconds),
                    areas == NULL ? NULL : (const float *)(const void *)areas[0].ptr, (size_t)frames);
        check(soundio_instream_end_read(stream), "cannot read");
        most -= frames;
    }
}

static void on_underflow(struct SoundIoOutStream *stream) { (void)stream; peer_underrun(); }
static void on_overflow(struct SoundIoInStream *stream) { (void)stream; peer_underrun(); }

static void on_output_error(struct SoundIoOutStream *stream, int status) {
    (void)stream;
    check(status, "cannot go on");
}

static void on_input_error(struct SoundIoInStream *stream, int status) {
    (void)stream;
    check(status, "cannot go on");
}

static struct SoundIoDevice *device_of(bool is_input, const char *name) {
    int count = is_input ? soundio_input_device_count(soundio) : soundio_output_device_count(soundio);
    int usual = is_input ? soundio_default_input_device_index(soundio) : soundio_default_output_device_index(soundio);
    for (int index = 0; index < count; index++) {
        struct SoundIoDevice *device =
            is_input ? soundio_get_input_device(soundio, index) : soundio_get_output_device(soundio, index);
        if (name == NULL ? index == usual : strcmp(device->id, name) == 0) return device;
        soundio_device_unref(device);
    }
    peer_fail(name == NULL ? "default" : name, "no such device");
}

static void make_output(double latency_seconds) {
    struct SoundIoDevice *device = device_of(false, options->sink);
    output = soundio_outstream_create(device);
    if (output == NULL) peer_fail("cannot make a stream", "out of memory");
    output->name = "peer-soundio";
    output->format = SoundIoFormatFloat32NE;
    output->sample_rate = options->rate;
    output->layout = *soundio_channel_layout_get_default(options->channels);
    output->software_latency = latency_seconds;
    output->write_callback = on_write;
    output->underflow_callback = on_underflow;
    output->error_callback = on_output_error;
    check(soundio_outstream_open(output), "cannot open the sink");
    check(output->layout_error, "cannot play so many channels");
    peer_note_number("granted_total_frames", output->software_latency * options->rate);
    soundio_device_unref(device);
}

static void make_input(double latency_seconds) {
    struct SoundIoDevice *device = device_of(true, options->source);
    input = soundio_instream_create(device);
    if (input == NULL) peer_fail("cannot make a stream", "out of memory");
    input->name = "peer-soundio";
    input->format = SoundIoFormatFloat32NE;
    input->sample_rate = options->rate;
    input->layout = *soundio_channel_layout_get_default(options->channels);
    input->software_latency = latency_seconds;
    input->read_callback = on_read;
    input->overflow_callback = on_overflow;
    input->error_callback = on_input_error;
    check(soundio_instream_open(input), "cannot open the source");
    check(input->layout_error, "cannot record so many channels");
    peer_note_number("granted_fragment_frames", input->software_latency * options->rate);
    soundio_device_unref(device);
}

static bool set_paused(bool is_paused) {
    return (output == NULL || soundio_outstream_pause(output, is_paused) == SoundIoErrorNone)
           && (input == NULL || soundio_instream_pause(input, is_paused) == SoundIoErrorNone);
}

static bool pause_all(void *unused) { (void)unused; return set_paused(true); }
static bool resume_all(void *unused) { (void)unused; return set_paused(false); }

int main(int argc, char **argv) {
    options = peer_begin("peer-soundio", PEER_ASKS_TOTAL, PEER_DUPLEX, 1, argc, argv);
    peer_note("version", soundio_version_string());
    peer_note("prediction", "soundio_outstream_get_latency, soundio_instream_get_latency");
    double period_seconds = (double)options->buffer_frames / options->rate;
    peer_event("create");
    soundio = soundio_create();
    if (soundio == NULL) peer_fail("cannot connect", "out of memory");
    soundio->app_name = "peer-soundio";
    check(soundio_connect_backend(soundio, SoundIoBackendPulseAudio), "cannot connect");
    soundio_flush_events(soundio);
    if (options->mode & PEER_OUTPUT) make_output(period_seconds * options->buffers);
    if (options->mode & PEER_INPUT) make_input(period_seconds);
    peer_event("created");
    peer_start();
    if (output != NULL) check(soundio_outstream_start(output), "cannot start");
    if (input != NULL) check(soundio_instream_start(input), "cannot start");
    peer_event("started");
    peer_wait(pause_all, resume_all, NULL);
    peer_event("stop");
    if (output != NULL) soundio_outstream_destroy(output);
    if (input != NULL) soundio_instream_destroy(input);
    peer_stopped();
    soundio_destroy(soundio);
    return peer_end();
}
