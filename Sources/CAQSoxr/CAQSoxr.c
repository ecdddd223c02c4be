/* SPDX-License-Identifier: MIT */

#include "CAQSoxr.h"

#include <CAQLibraries.h>
#include <pthread.h>
#include <soxr.h>

static const struct aq_library names = {{"libsoxr.so.0"}, "libsoxr0"};

static struct {
    __typeof__(&soxr_create) create;
    __typeof__(&soxr_process) process;
    __typeof__(&soxr_delete) delete;
    __typeof__(&soxr_io_spec) io_spec;
    __typeof__(&soxr_quality_spec) quality_spec;
    __typeof__(&soxr_runtime_spec) runtime_spec;
    __typeof__(&soxr_set_io_ratio) set_io_ratio;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
// The reason why the library cannot be loaded; empty if it is loaded.
static char load_failure[AQ_FAILURE_BYTES];

static void load(void) {
    const struct aq_symbol symbols[] = {
        {"soxr_create", (void **)&library.create},
        {"soxr_process", (void **)&library.process},
        {"soxr_delete", (void **)&library.delete},
        {"soxr_io_spec", (void **)&library.io_spec},
        {"soxr_quality_spec", (void **)&library.quality_spec},
        {"soxr_runtime_spec", (void **)&library.runtime_spec},
        {"soxr_set_io_ratio", (void **)&library.set_io_ratio},
    };
    aq_load_library(&names, symbols, sizeof symbols / sizeof symbols[0], load_failure);
}

const char *aq_soxr_failure(void) {
    pthread_once(&once, load);
    return load_failure;
}

// QUIRK: for the first resampler, libsoxr 0.1.3 fills common tables without a lock.
static pthread_mutex_t creation = PTHREAD_MUTEX_INITIALIZER;

aq_soxr *aq_soxr_create(double maximum_ratio, unsigned channels) {
    if (aq_soxr_failure()[0] != '\0') {
        return NULL;
    }
    soxr_io_spec_t io = library.io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    soxr_quality_spec_t quality = library.quality_spec(SOXR_HQ, SOXR_VR);
    soxr_runtime_spec_t runtime = library.runtime_spec(1);
    soxr_error_t error = NULL;
    pthread_mutex_lock(&creation);
    soxr_t resampler = library.create(maximum_ratio, 1, channels, &error, &io, &quality, &runtime);
    pthread_mutex_unlock(&creation);
    if (resampler != NULL && error != NULL) {
        library.delete(resampler);
        resampler = NULL;
    }
    return resampler;
}

const char *aq_soxr_put(aq_soxr *converter, const float *input, size_t input_frames) {
    // If the pointer for the number of taken frames is NULL, the library takes all frames. QUIRK: it crashes on an
    // output of NULL, even for no frames.
    return library.process(converter, input, input_frames, NULL, (float *)input, 0, NULL);
}

const char *aq_soxr_set_ratio(aq_soxr *converter, double ratio) { return library.set_io_ratio(converter, ratio, 0); }

const char *aq_soxr_take(aq_soxr *converter, float *output, size_t output_frames, size_t *frames_given) {
    size_t taken = 0;
    *frames_given = 0;
    // An input of NULL would end the stream, so this passes a pointer to no frames.
    return library.process(converter, output, 0, &taken, output, output_frames, frames_given);
}

void aq_soxr_delete(aq_soxr *converter) {
    if (converter != NULL) {
        library.delete(converter);
    }
}
