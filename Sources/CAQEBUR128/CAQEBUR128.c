/* SPDX-License-Identifier: MIT */

#include "CAQEBUR128.h"

#include <CAQLibraries.h>
#include <ebur128.h>
#include <pthread.h>
#include <stdlib.h>

static const struct aq_library names = {{"libebur128.so.1"}, "libebur128-1"};

static struct {
    __typeof__(&ebur128_init) init;
    __typeof__(&ebur128_destroy) destroy;
    __typeof__(&ebur128_set_channel) set_channel;
    __typeof__(&ebur128_change_parameters) change_parameters;
    __typeof__(&ebur128_add_frames_float) add_frames_float;
    __typeof__(&ebur128_loudness_global_multiple) loudness_global_multiple;
    __typeof__(&ebur128_loudness_range_multiple) loudness_range_multiple;
    __typeof__(&ebur128_true_peak) true_peak;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
// The reason why the library cannot be loaded; empty if it is loaded.
static char load_failure[AQ_FAILURE_BYTES];

static void load(void) {
    const struct aq_symbol symbols[] = {
        {"ebur128_init", (void **)&library.init},
        {"ebur128_destroy", (void **)&library.destroy},
        {"ebur128_set_channel", (void **)&library.set_channel},
        {"ebur128_change_parameters", (void **)&library.change_parameters},
        {"ebur128_add_frames_float", (void **)&library.add_frames_float},
        {"ebur128_loudness_global_multiple", (void **)&library.loudness_global_multiple},
        {"ebur128_loudness_range_multiple", (void **)&library.loudness_range_multiple},
        {"ebur128_true_peak", (void **)&library.true_peak},
    };
    aq_load_library(&names, symbols, sizeof symbols / sizeof symbols[0], load_failure);
}

struct aq_loudness {
    ebur128_state *state;
};

// The limits of libebur128 1.2, which refuses other values without a reason.
#define MOST_CHANNELS 64
#define LEAST_RATE 16
#define MOST_RATE 2822400

aq_loudness *aq_loudness_create(unsigned channels, unsigned long sample_rate, const char **reason) {
    pthread_once(&once, load);
    if (load_failure[0] != '\0') {
        *reason = load_failure;
        return NULL;
    }
    if (channels < 1 || channels > MOST_CHANNELS || sample_rate < LEAST_RATE || sample_rate > MOST_RATE) {
        *reason = "libebur128 does not support that rate or number of channels";
        return NULL;
    }
    *reason = "out of memory";
    aq_loudness *loudness = calloc(1, sizeof *loudness);
    if (loudness == NULL) {
        return NULL;
    }
    int mode = EBUR128_MODE_I | EBUR128_MODE_LRA | EBUR128_MODE_TRUE_PEAK;
    loudness->state = library.init(channels, sample_rate, mode);
    if (loudness->state == NULL) {
        free(loudness);
        return NULL;
    }
    return loudness;
}

void aq_loudness_set_weight(aq_loudness *loudness, unsigned channel, aq_loudness_weight weight) {
    static const int positions[] = {EBUR128_UNUSED, EBUR128_LEFT, EBUR128_LEFT_SURROUND};
    if (weight < sizeof positions / sizeof positions[0]) {
        library.set_channel(loudness->state, channel, positions[weight]);
    }
}

bool aq_loudness_add(aq_loudness *loudness, const float *frames, size_t count) {
    return library.add_frames_float(loudness->state, frames, count) == EBUR128_SUCCESS;
}

double aq_loudness_true_peak(const aq_loudness *loudness) {
    double most = 0;
    for (unsigned channel = 0; channel < loudness->state->channels; channel++) {
        double peak = 0;
        if (library.true_peak(loudness->state, channel, &peak) == EBUR128_SUCCESS && peak > most) {
            most = peak;
        }
    }
    return most;
}

void aq_loudness_end(aq_loudness *loudness) {
    // The memory depends on the rate and the channels. The measured blocks are kept. If this fails, the memory remains.
    library.change_parameters(loudness->state, 1, LEAST_RATE);
}

bool aq_loudness_measure(aq_loudness *const *loudnesses, size_t count, aq_loudness_values *values) {
    ebur128_state **states = calloc(count, sizeof *states);
    if (states == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        states[i] = loudnesses[i]->state;
    }
    bool is_measured =
        library.loudness_global_multiple(states, count, &values->integrated) == EBUR128_SUCCESS
        && library.loudness_range_multiple(states, count, &values->range) == EBUR128_SUCCESS;
    free(states);
    return is_measured;
}

void aq_loudness_delete(aq_loudness *loudness) {
    if (loudness == NULL) {
        return;
    }
    library.destroy(&loudness->state);
    free(loudness);
}
