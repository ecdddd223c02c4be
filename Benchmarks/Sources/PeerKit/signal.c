/* SPDX-License-Identifier: MIT */

/* The signals. Each sample is a function of its frame number, so that any recorded piece identifies its position. With
 * one stream, all values can be represented in 16 bits, so that a 16-bit sink plays them unchanged. */
#define _GNU_SOURCE
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static peer_options used;
static bool has_gaps;
/* One second of a sine at 1 Hz, which contains the samples of all sines of whole hertz. */
static float *second;

static float amplitude(int streams) { return 0.25f / (float)streams; }

/* The sines of several streams have whole periods in 50 ms, so that each can be analysed separately. */
static int frequency(int stream, int streams) { return streams == 1 ? 997 : 500 + 40 * stream; }

static float sine(int64_t step, int rate, int streams) {
    double value = sin(2 * M_PI * (double)step / rate) * (double)amplitude(streams);
    return (float)(streams == 1 ? rint(value * 32768) / 32768 : value);
}

/* Returns a pseudo-random number of 14 bits for each frame (the output function of splitmix64). The sequences of
 * different streams do not overlap. */
static int32_t noise(int stream, int64_t frame) {
    uint64_t mixed = ((uint64_t)stream << 40 | (uint64_t)frame) + 1;
    mixed *= 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return (int32_t)((mixed ^ mixed >> 31) & 0x3fff) - 8192;
}

void peer_reference(int signal, int rate, int stream, int streams, int64_t first_frame, float *out,
                    size_t frames) {
    float scale = amplitude(streams) / 8192;
    int hertz = frequency(stream, streams);
    for (size_t index = 0; index < frames; index++) {
        int64_t frame = first_frame + (int64_t)index;
        out[index] = signal == PEER_NOISE  ? (float)noise(stream, frame) * scale
                     : signal == PEER_SINE ? sine(frame % rate * hertz % rate, rate, streams)
                                           : 0;
    }
}

void peer_signal_prepare(const peer_command *command) {
    used = command->shown;
    has_gaps = command->fault == FAULT_GAP;
    if (used.signal != PEER_SINE) return;
    second = malloc((size_t)used.rate * sizeof *second);
    if (second == NULL) peer_fail("cannot prepare the signal", "out of memory");
    for (int step = 0; step < used.rate; step++) second[step] = sine(step, used.rate, used.streams);
}

static void write_frame(float *out, float value) {
    for (int channel = 0; channel < used.channels; channel++) out[channel] = value;
}

static void write_noise(int stream, int64_t first_frame, float *out, size_t frames) {
    float scale = amplitude(used.streams) / 8192;
    for (size_t index = 0; index < frames; index++, out += used.channels)
        write_frame(out, (float)noise(stream, first_frame + (int64_t)index) * scale);
}

static void write_sine(int stream, int64_t first_frame, float *out, size_t frames) {
    int64_t hertz = frequency(stream, used.streams);
    int64_t step = first_frame % used.rate * hertz % used.rate;
    for (size_t index = 0; index < frames; index++, out += used.channels) {
        write_frame(out, second[step]);
        step += hertz;
        if (step >= used.rate) step -= used.rate;
    }
}

static void leave_gaps(int64_t first_frame, float *out, size_t frames) {
    int64_t gap_frames = used.rate * 3 / 1000;
    for (size_t index = 0; index < frames; index++, out += used.channels) {
        int64_t frame = first_frame + (int64_t)index;
        if (frame >= used.rate && frame % used.rate < gap_frames) write_frame(out, 0);
    }
}

void peer_signal_write(int stream, int64_t first_frame, float *out, size_t frames) {
    switch (used.signal) {
    case PEER_NOISE: write_noise(stream, first_frame, out, frames); break;
    case PEER_SINE: write_sine(stream, first_frame, out, frames); break;
    default: memset(out, 0, frames * (size_t)used.channels * sizeof *out);
    }
    if (has_gaps) leave_gaps(first_frame, out, frames);
}

void peer_signal_describe(FILE *log) {
    static const char *const names[] = {"silence", "noise", "sine"};
    bool sounds = used.signal != PEER_SILENCE;
    fprintf(log, "signal\t%s\namplitude\t%.9g\n", names[used.signal], sounds ? (double)amplitude(used.streams) : 0);
    if (has_gaps) fprintf(log, "fault\tgap\n");
    if (used.signal != PEER_SINE) return;
    fprintf(log, "sine_hz\t%d\nsine_hz_step\t%d\n", frequency(0, used.streams), used.streams == 1 ? 0 : 40);
}
