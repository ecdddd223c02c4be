/* SPDX-License-Identifier: MIT */

/* OpenAL Soft, on its PulseAudio backend.
 *
 * Its streaming API is a source with a queue of buffers, which a thread of the program polls. The queue has --buffers
 * buffers of --buffer-frames frames, and is polled four times a buffer. The device's mixer follows the queue, with the
 * smallest size that it accepts: two periods of --buffer-frames frames, at least 64. The "callback" is the moment at
 * which the thread finds a used buffer. The prediction is the rest of the queue plus the latency, both from
 * AL_SAMPLE_OFFSET_LATENCY_SOFT. Capture is polled in the same way, and reports no latency. */
#define _GNU_SOURCE
#include "PeerKit.h"

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const peer_options *options;
static size_t buffer_bytes;
static float *samples;
static float *captured;

static ALCdevice *device;
static ALCcontext *context;
static ALuint source;
static ALuint buffers[64];
static LPALGETSOURCEI64VSOFT get_source_int64;

static ALCdevice *capture;

static atomic_bool is_playing;
static atomic_bool is_capturing;
static atomic_bool is_over;
static pthread_t threads[2];

static void check_al(const char *what) {
    ALenum error = alGetError();
    if (error != AL_NO_ERROR) peer_fail(what, alGetString(error));
}

static ALenum sample_format(void) {
    if (options->channels > 2) peer_fail("--channels", "this peer plays one or two");
    return options->channels == 1 ? AL_FORMAT_MONO_FLOAT32 : AL_FORMAT_STEREO_FLOAT32;
}

/* The mixer's periods can only be set in a configuration file. */
static void configure(void) {
    int file = memfd_create("alsoft.conf", 0);
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (file < 0
        || dprintf(file,
                   "[general]\nfrequency = %d\nperiod_size = %d\nperiods = 2\n"
                   "hrtf = false\noutput-limiter = false\n",
                   options->rate, options->buffer_frames < 64 ? 64 : options->buffer_frames) < 0)
        peer_fail("cannot configure", "no memory file");
    setenv("ALSOFT_CONF", path, 1);
    setenv("ALSOFT_DRIVERS", "pulse", 1);
}

/* Returns the time until a buffer that is enqueued now is audible, in nanoseconds. */
static int64_t prediction(void) {
    ALint queued;
    ALint64SOFT offset[2];
    if (get_source_int64 == NULL) return PEER_UNKNOWN;
    alGetSourcei(source, AL_BUFFERS_QUEUED, &queued);
    get_source_int64(source, AL_SAMPLE_OFFSET_LATENCY_SOFT, offset);
    if (alGetError() != AL_NO_ERROR) return PEER_UNKNOWN;
    double frames = (double)queued * options->buffer_frames - (double)offset[0] / 4294967296.0;
    return (int64_t)(frames / options->rate * 1e9) + offset[1];
}

static void fill(ALuint buffer, int64_t entry) {
    peer_play(peer_lane_of(0, PEER_OUTPUT), entry, prediction(), samples, (size_t)options->buffer_frames);
    alBufferData(buffer, sample_format(), samples, (ALsizei)buffer_bytes, options->rate);
    alSourceQueueBuffers(source, 1, &buffer);
    check_al("cannot enqueue a buffer");
}

static void rest(void) {
    int64_t nanoseconds = (int64_t)options->buffer_frames * 250000000 / options->rate;
    struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    nanosleep(&time, NULL);
}

static void *play(void *unused) {
    for (; !atomic_load(&is_over); rest()) {
        ALint used_up;
        ALint state;
        if (!atomic_load(&is_playing)) continue;
        int64_t entry = peer_now();
        alGetSourcei(source, AL_SOURCE_STATE, &state);
        alGetSourcei(source, AL_BUFFERS_PROCESSED, &used_up);
        for (; used_up > 0; used_up--) {
            ALuint buffer;
            alSourceUnqueueBuffers(source, 1, &buffer);
            fill(buffer, entry);
        }
        /* A source stops after an underrun, and must be started again. A source that the peer itself stopped stays
         * stopped. */
        if (state != AL_STOPPED || !atomic_load(&is_playing)) continue;
        peer_underrun();
        alSourcePlay(source);
    }
    return unused;
}

static void *record(void *unused) {
    for (; !atomic_load(&is_over); rest()) {
        ALCint frames = 0;
        if (!atomic_load(&is_capturing)) continue;
        int64_t entry = peer_now();
        alcGetIntegerv(capture, ALC_CAPTURE_SAMPLES, 1, &frames);
        for (; frames >= options->buffer_frames; frames -= options->buffer_frames) {
            alcCaptureSamples(capture, captured, options->buffer_frames);
            peer_record(peer_lane_of(0, PEER_INPUT), entry, PEER_UNKNOWN, captured, (size_t)options->buffer_frames);
        }
    }
    return unused;
}

static void make_output(void) {
    device = alcOpenDevice(NULL);
    if (device == NULL) peer_fail("cannot open the sink", "no device");
    context = alcCreateContext(device, (const ALCint[]){ALC_FREQUENCY, options->rate, 0});
    if (context == NULL || !alcMakeContextCurrent(context)) peer_fail("cannot open the sink", "no context");
    if (alIsExtensionPresent("AL_SOFT_source_latency"))
        get_source_int64 = (LPALGETSOURCEI64VSOFT)alGetProcAddress("alGetSourcei64vSOFT");
    alGenSources(1, &source);
    alGenBuffers(options->buffers, buffers);
    /* Plays the channels unchanged, without loudspeakers around a listener. */
    alSourcei(source, AL_DIRECT_CHANNELS_SOFT, AL_TRUE);
    check_al("cannot make a source");
    samples = calloc(1, buffer_bytes);
    if (samples == NULL) peer_fail("cannot make a source", "out of memory");
    for (int index = 0; index < options->buffers; index++) fill(buffers[index], peer_now());
    ALCint refresh = 0;
    alcGetIntegerv(device, ALC_REFRESH, 1, &refresh);
    peer_note("version", alGetString(AL_VERSION));
    peer_note_number("granted_refresh_hz", refresh);
}

static void make_input(void) {
    /* Space for a second, or for two long buffers, because the thread may be late. */
    ALCsizei frames = options->rate > options->buffer_frames ? options->rate : options->buffer_frames * 2;
    capture = alcCaptureOpenDevice(NULL, (ALCuint)options->rate, sample_format(), frames);
    if (capture == NULL) peer_fail("cannot open the source", "no device");
    captured = calloc(1, buffer_bytes);
    if (captured == NULL) peer_fail("cannot open the source", "out of memory");
}

static bool set_running(bool is_running) {
    if (capture != NULL && is_running) alcCaptureStart(capture);
    if (capture != NULL && !is_running) alcCaptureStop(capture);
    if (device != NULL && is_running) alSourcePlay(source);
    atomic_store(&is_playing, is_running && device != NULL);
    atomic_store(&is_capturing, is_running && capture != NULL);
    if (device != NULL && !is_running) alSourcePause(source);
    return device == NULL || alGetError() == AL_NO_ERROR;
}

static bool pause_all(void *unused) { (void)unused; return set_running(false); }
static bool resume_all(void *unused) { (void)unused; return set_running(true); }

static void start_threads(void) {
    void *(*const works[])(void *) = {play, record};
    for (int index = 0; index < 2; index++)
        if (pthread_create(&threads[index], NULL, works[index], NULL) != 0) peer_fail("cannot start", "no thread");
}

static void check_device(ALCdevice *used) {
    ALCint is_connected = ALC_TRUE;
    if (used == NULL) return;
    alcGetIntegerv(used, ALC_CONNECTED, 1, &is_connected);
    if (!is_connected) peer_fail("cannot go on", "the device was lost");
}

static void stop_all(void) {
    set_running(false);
    if (device != NULL) alSourceStop(source);
}

static void close_all(void) {
    atomic_store(&is_over, true);
    for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
    if (capture != NULL) alcCaptureCloseDevice(capture);
    alcMakeContextCurrent(NULL);
    if (context != NULL) alcDestroyContext(context);
    if (device != NULL) alcCloseDevice(device);
}

int main(int argc, char **argv) {
    options = peer_begin("peer-openal", PEER_ASKS_BOTH, PEER_DUPLEX, 1, argc, argv);
    peer_note("prediction", "AL_SAMPLE_OFFSET_LATENCY_SOFT");
    buffer_bytes = (size_t)options->buffer_frames * (size_t)options->channels * sizeof(float);
    peer_event("create");
    configure();
    if (options->mode & PEER_OUTPUT) make_output();
    if (options->mode & PEER_INPUT) make_input();
    peer_event("created");
    peer_start();
    if (!set_running(true)) peer_fail("cannot start", "the library refused");
    start_threads();
    peer_event("started");
    peer_wait(pause_all, resume_all, NULL);
    check_device(device);
    check_device(capture);
    peer_event("stop");
    stop_all();
    peer_stopped();
    close_all();
    return peer_end();
}
