/* SPDX-License-Identifier: MIT */

/* OpenAL Soft: each file is a buffer, which a source of its own plays again and again.
 *
 * The channels are played unchanged, without loudspeakers around a listener, and the mixer has two periods of
 * --buffer-frames frames. */
#define _GNU_SOURCE
#include "PeerKit.h"

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { HEADER_BYTES = 44 };

static ALuint sources[PEER_STREAMS_MAX];

static void check(const char *what) {
    ALenum error = alGetError();
    if (error != AL_NO_ERROR) peer_fail(what, alGetString(error));
}

/* The mixer's periods can only be set in a configuration file. */
static void configure(const peer_options *options) {
    int file = memfd_create("alsoft.conf", 0);
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (file < 0
        || dprintf(file, "[general]\nfrequency = %d\nperiod_size = %d\nperiods = 2\nhrtf = false\n"
                         "output-limiter = false\n", options->rate, options->buffer_frames) < 0)
        peer_fail("cannot configure", "no memory file");
    setenv("ALSOFT_CONF", path, 1);
    setenv("ALSOFT_DRIVERS", "pulse", 1);
}

static ALuint load(const peer_options *options, int index) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%d.wav", options->files, index);
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) peer_fail(path, "cannot be read");
    long bytes = ftell(file) - HEADER_BYTES;
    void *samples = bytes > 0 ? malloc((size_t)bytes) : NULL;
    if (samples == NULL || fseek(file, HEADER_BYTES, SEEK_SET) != 0
        || fread(samples, 1, (size_t)bytes, file) != (size_t)bytes)
        peer_fail(path, "cannot be read");
    fclose(file);
    ALuint buffer;
    alGenBuffers(1, &buffer);
    alBufferData(buffer, options->channels == 1 ? AL_FORMAT_MONO16 : AL_FORMAT_STEREO16, samples, (ALsizei)bytes,
                 options->rate);
    check(path);
    free(samples);
    return buffer;
}

int main(int argc, char **argv) {
    const peer_options *options = peer_begin("mix-openal", PEER_ASKS_PERIOD, PEER_OUTPUT, PEER_STREAMS_MAX, argc, argv);
    if (options->files == NULL) peer_fail("--files", "no folder");
    if (options->channels > 2) peer_fail("--channels", "this peer plays one or two");
    peer_event("create");
    configure(options);
    ALCdevice *device = alcOpenDevice(NULL);
    ALCcontext *context = device == NULL ? NULL : alcCreateContext(device, (const ALCint[]){ALC_FREQUENCY, options->rate, 0});
    if (context == NULL || !alcMakeContextCurrent(context)) peer_fail("cannot open the sink", "no context");
    peer_note("version", alGetString(AL_VERSION));
    alGenSources(options->streams, sources);
    for (int index = 0; index < options->streams; index++) {
        alSourcei(sources[index], AL_DIRECT_CHANNELS_SOFT, AL_TRUE);
        alSourcei(sources[index], AL_LOOPING, AL_TRUE);
        alSourcei(sources[index], AL_BUFFER, (ALint)load(options, index));
    }
    check("cannot make sources");
    peer_event("created");
    peer_start();
    alSourcePlayv(options->streams, sources);
    check("cannot start");
    peer_event("started");
    peer_wait(NULL, NULL, NULL);
    peer_event("stop");
    alSourceStopv(options->streams, sources);
    peer_stopped();
    alcMakeContextCurrent(NULL);
    alcDestroyContext(context);
    alcCloseDevice(device);
    return peer_end();
}
