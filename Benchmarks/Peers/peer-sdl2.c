/* SPDX-License-Identifier: MIT */

/* SDL 2, on its PulseAudio driver.
 *
 * The library accepts the frames of a callback, --buffer-frames; --buffers has no effect. It reports no latency. Input
 * and output are two devices, each with a callback. */
#define _GNU_SOURCE
#include "PeerKit.h"

#include <SDL2/SDL.h>
#include <stdlib.h>
#include <string.h>

static const peer_options *options;
static size_t frame_bytes;
static SDL_AudioDeviceID outputs[PEER_STREAMS_MAX];
static SDL_AudioDeviceID inputs[PEER_STREAMS_MAX];

static void on_output(void *userdata, Uint8 *out, int bytes) {
    peer_play(userdata, peer_now(), PEER_UNKNOWN, (float *)(void *)out, (size_t)bytes / frame_bytes);
}

static void on_input(void *userdata, Uint8 *in, int bytes) {
    peer_record(userdata, peer_now(), PEER_UNKNOWN, (const float *)(const void *)in, (size_t)bytes / frame_bytes);
}

static SDL_AudioDeviceID open_device(int index, int direction) {
    bool is_input = direction == PEER_INPUT;
    SDL_AudioSpec granted;
    SDL_AudioSpec asked = {.freq = options->rate, .format = AUDIO_F32SYS, .channels = (Uint8)options->channels,
                           .samples = (Uint16)options->buffer_frames, .callback = is_input ? on_input : on_output,
                           .userdata = peer_lane_of(index, direction)};
    /* SDL's device names differ from the server's. Without a name, libpulse selects the device in PULSE_SINK or
     * PULSE_SOURCE. */
    SDL_AudioDeviceID device = SDL_OpenAudioDevice(NULL, is_input, &asked, &granted, 0);
    if (device == 0) peer_fail("cannot open the device", SDL_GetError());
    if (index == 0) peer_note_number(is_input ? "granted_fragment_frames" : "granted_period_frames", granted.samples);
    return device;
}

static bool set_paused(int is_paused) {
    for (int index = 0; index < options->streams; index++) {
        if (outputs[index] != 0) SDL_PauseAudioDevice(outputs[index], is_paused);
        if (inputs[index] != 0) SDL_PauseAudioDevice(inputs[index], is_paused);
    }
    return true;
}

static bool pause_all(void *unused) { (void)unused; return set_paused(1); }
static bool resume_all(void *unused) { (void)unused; return set_paused(0); }

/* Ends the process if a device has stopped, because SDL reports no error if it loses its server. */
static void check_device(SDL_AudioDeviceID device) {
    if (device != 0 && SDL_GetAudioDeviceStatus(device) != SDL_AUDIO_PLAYING)
        peer_fail("cannot go on", "the device stopped by itself");
}

static void close_all(void) {
    for (int index = 0; index < options->streams; index++) {
        if (outputs[index] != 0) SDL_CloseAudioDevice(outputs[index]);
        if (inputs[index] != 0) SDL_CloseAudioDevice(inputs[index]);
    }
}

static void note_version(void) {
    SDL_version version;
    char text[32];
    SDL_GetVersion(&version);
    SDL_snprintf(text, sizeof text, "%d.%d.%d", version.major, version.minor, version.patch);
    peer_note("version", text);
}

int main(int argc, char **argv) {
    /* SDL opens at most 16 output devices and 16 input devices. */
    options = peer_begin("peer-sdl2", PEER_ASKS_PERIOD, PEER_DUPLEX, 16, argc, argv);
    if (options->buffer_frames > UINT16_MAX) peer_fail("--buffer-frames", "more than SDL takes");
    note_version();
    frame_bytes = (size_t)options->channels * sizeof(float);
    setenv("SDL_AUDIODRIVER", "pulseaudio", 1);
    peer_event("create");
    if (SDL_Init(SDL_INIT_AUDIO) < 0) peer_fail("cannot connect", SDL_GetError());
    for (int index = 0; index < options->streams; index++) {
        if (options->mode & PEER_OUTPUT) outputs[index] = open_device(index, PEER_OUTPUT);
        if (options->mode & PEER_INPUT) inputs[index] = open_device(index, PEER_INPUT);
    }
    peer_event("created");
    peer_note("backend", SDL_GetCurrentAudioDriver());
    peer_start();
    set_paused(0);
    peer_event("started");
    peer_wait(pause_all, resume_all, NULL);
    for (int index = 0; index < options->streams; index++) {
        check_device(outputs[index]);
        check_device(inputs[index]);
    }
    peer_event("stop");
    close_all();
    peer_stopped();
    int status = peer_end();
    SDL_Quit();
    return status;
}
