/* SPDX-License-Identifier: MIT */

/* PortAudio. Debian's build has no PulseAudio backend. As other programs do there, the peer uses ALSA's device "pulse",
 * the PulseAudio client of alsa-plugins.
 *
 * The library accepts the frames of a callback, --buffer-frames, and a latency, --buffers times as many frames. A
 * duplex stream has one callback for both directions. The predictions are computed from the callback's time
 * information: outputBufferDacTime minus currentTime, and currentTime minus inputBufferAdcTime. */
#define _GNU_SOURCE
#include "PeerKit.h"

#include <portaudio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const peer_options *options;

static void check(PaError status, const char *what) {
    if (status != paNoError) peer_fail(what, Pa_GetErrorText(status));
}

static int64_t nanoseconds(double seconds) { return (int64_t)(seconds * 1e9); }

static int on_data(const void *in, void *out, unsigned long frames, const PaStreamCallbackTimeInfo *time,
                   PaStreamCallbackFlags flags, void *userdata) {
    (void)userdata;
    int64_t entry = peer_now();
    if (flags & (paOutputUnderflow | paInputOverflow)) peer_underrun();
    if (options->mode & PEER_INPUT)
        peer_record(peer_lane_of(0, PEER_INPUT), entry, nanoseconds(time->currentTime - time->inputBufferAdcTime), in,
                    frames);
    if (options->mode & PEER_OUTPUT)
        peer_play(peer_lane_of(0, PEER_OUTPUT), entry, nanoseconds(time->outputBufferDacTime - time->currentTime),
                  out, frames);
    return paContinue;
}

/* Returns the index of ALSA's device "pulse", or ends the process. */
static PaDeviceIndex pulse_device(void) {
    for (PaDeviceIndex index = 0; index < Pa_GetDeviceCount(); index++) {
        const PaDeviceInfo *device = Pa_GetDeviceInfo(index);
        if (device != NULL && strcmp(device->name, "pulse") == 0) return index;
    }
    peer_fail("cannot open ALSA's device 'pulse'", "no such device");
}

/* Initializes the library, which prints messages to standard error while it searches for sound cards. These are
 * discarded: standard error is for the peer's own messages. */
static void initialize_quietly(void) {
    fflush(stderr);
    int kept = dup(STDERR_FILENO);
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere != NULL) dup2(fileno(nowhere), STDERR_FILENO);
    PaError status = Pa_Initialize();
    if (kept >= 0) dup2(kept, STDERR_FILENO);
    if (kept >= 0) close(kept);
    if (nowhere != NULL) fclose(nowhere);
    check(status, "cannot connect");
}

static PaStream *open_stream(void) {
    double period_seconds = (double)options->buffer_frames / options->rate;
    PaStreamParameters format = {.device = pulse_device(), .channelCount = options->channels,
                                 .sampleFormat = paFloat32, .suggestedLatency = period_seconds * options->buffers};
    PaStream *stream;
    check(Pa_OpenStream(&stream, options->mode & PEER_INPUT ? &format : NULL,
                        options->mode & PEER_OUTPUT ? &format : NULL, options->rate,
                        (unsigned long)options->buffer_frames, paNoFlag, on_data, NULL),
          "cannot open a stream");
    const PaStreamInfo *info = Pa_GetStreamInfo(stream);
    if (info != NULL) {
        peer_note_number("granted_total_frames", info->outputLatency * options->rate);
        peer_note_number("granted_fragment_frames", info->inputLatency * options->rate);
    }
    return stream;
}

static bool stop(void *stream) { return Pa_AbortStream(stream) == paNoError; }
static bool start(void *stream) { return Pa_StartStream(stream) == paNoError; }

int main(int argc, char **argv) {
    options = peer_begin("peer-portaudio", PEER_ASKS_BOTH, PEER_DUPLEX, 1, argc, argv);
    peer_note("version", Pa_GetVersionText());
    peer_note("prediction", "PaStreamCallbackTimeInfo");
    peer_note("backend", "ALSA, device pulse");
    peer_event("create");
    initialize_quietly();
    PaStream *stream = open_stream();
    peer_event("created");
    peer_start();
    check(Pa_StartStream(stream), "cannot start");
    peer_event("started");
    /* The library has no pause: the stream is stopped and started again. */
    peer_wait(stop, start, stream);
    if (Pa_IsStreamActive(stream) != 1) peer_fail("cannot go on", "the stream ended by itself");
    peer_event("stop");
    stop(stream);
    peer_stopped();
    check(Pa_CloseStream(stream), "cannot close the stream");
    Pa_Terminate();
    return peer_end();
}
