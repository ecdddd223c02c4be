/* SPDX-License-Identifier: MIT */

/* SDL2_mixer: each file is a chunk in memory, which is played again and again on a channel of its own.
 *
 * Chunks are converted when they are loaded, and mixed in the format of the device: its default of 16 bits, or 32-bit
 * float with MIX_FLOAT in the environment. */
#define _GNU_SOURCE
#include "PeerKit.h"

#include <SDL2/SDL.h>
#include <SDL2/SDL_mixer.h>
#include <stdio.h>
#include <stdlib.h>

static void play(const peer_options *options, int index) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%d.wav", options->files, index);
    Mix_Chunk *chunk = Mix_LoadWAV(path);
    if (chunk == NULL) peer_fail(path, Mix_GetError());
    if (Mix_PlayChannel(index, chunk, -1) < 0) peer_fail("cannot start", Mix_GetError());
}

int main(int argc, char **argv) {
    const peer_options *options = peer_begin("mix-sdl2mixer", PEER_ASKS_PERIOD, PEER_OUTPUT, PEER_STREAMS_MAX, argc, argv);
    const SDL_version *version = Mix_Linked_Version();
    char text[32];
    SDL_snprintf(text, sizeof text, "%d.%d.%d", version->major, version->minor, version->patch);
    peer_note("version", text);
    if (options->files == NULL) peer_fail("--files", "no folder");
    setenv("SDL_AUDIODRIVER", "pulseaudio", 1);
    peer_event("create");
    if (SDL_Init(SDL_INIT_AUDIO) < 0) peer_fail("cannot connect", SDL_GetError());
    Uint16 format = getenv("MIX_FLOAT") != NULL ? AUDIO_F32SYS : MIX_DEFAULT_FORMAT;
    if (Mix_OpenAudioDevice(options->rate, format, options->channels, options->buffer_frames, NULL, 0) < 0)
        peer_fail("cannot open the device", Mix_GetError());
    if (Mix_AllocateChannels(options->streams) != options->streams) peer_fail("cannot make channels", Mix_GetError());
    peer_event("created");
    peer_start();
    for (int index = 0; index < options->streams; index++) play(options, index);
    peer_event("started");
    peer_wait(NULL, NULL, NULL);
    peer_event("stop");
    Mix_CloseAudio();
    peer_stopped();
    int status = peer_end();
    SDL_Quit();
    return status;
}
