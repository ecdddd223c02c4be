/* SPDX-License-Identifier: MIT */

#include "filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "minimum_phase.h"

/// The number of rows for an interpolation, at decimation 1: the error of the cubic is below -180 dB.
#define INTERPOLATION_PHASES 256

/// The modified Bessel function of order 0 of the root of a number, which may be negative.
static double bessel(double square) {
    double sum = 1;
    double term = 1;
    for (int k = 1; fabs(term) > sum * 1e-17; k++) {
        term *= square / 4 / ((double)k * k);
        sum += term;
    }
    return sum;
}

/// The number of intervals in a table of the window, whose cubic has an error below -190 dB.
#define WINDOW_INTERVALS 1024

/// A sinc with a Kaiser window.
typedef struct {
    double cutoff;
    double half_width;
    /// The window as a function of 1 - x², x from 0 in the middle to 1 at the ends. The first entry is before 0.
    double window[WINDOW_INTERVALS + 3];
} kernel;

/// The weights of a cubic through values at -1, 0, 1 and 2.
static void cubic(double x, double weights[4]) {
    weights[0] = -x * (x - 1) * (x - 2) / 6;
    weights[1] = (x + 1) * (x - 1) * (x - 2) / 2;
    weights[2] = -(x + 1) * x * (x - 2) / 2;
    weights[3] = (x + 1) * x * (x - 1) / 6;
}

static void make_window(kernel *kernel, double beta) {
    double peak = bessel(beta * beta);
    for (int index = 0; index < WINDOW_INTERVALS + 3; index++) {
        kernel->window[index] = bessel(beta * beta * (index - 1) / WINDOW_INTERVALS) / peak;
    }
}

static double value(const kernel *kernel, double x) {
    double relative = x / kernel->half_width;
    double inside = 1 - relative * relative;
    if (inside <= 0) {
        return 0;
    }
    int index = (int)(inside * WINDOW_INTERVALS);
    index = index < WINDOW_INTERVALS ? index : WINDOW_INTERVALS - 1;
    double weights[4];
    cubic(inside * WINDOW_INTERVALS - index, weights);
    double window = 0;
    for (int i = 0; i < 4; i++) {
        window += weights[i] * kernel->window[index + i];
    }
    double angle = M_PI * kernel->cutoff * x;
    return window * (fabs(angle) < 1e-9 ? 1 : sin(angle) / angle);
}

/// The samples of a response of minimum phase for each frame of the lower rate.
#define SAMPLES_PER_FRAME 4

/// The response of a filter at a distance of the position from an input frame.
typedef struct {
    kernel kernel;
    /// The samples of a response that is not symmetric; NULL for the kernel alone, which otherwise interpolates them.
    double *samples;
    size_t count;
    /// The number of samples for each input frame.
    double density;
    /// The sample that is at the position.
    double middle;
} response;

static double response_value(const response *response, double x) {
    if (response->samples == NULL) {
        return value(&response->kernel, x);
    }
    double position = x * response->density + response->middle;
    double half = response->kernel.half_width;
    long first = (long)fmax(0, ceil(position - half));
    long last = (long)fmin((double)response->count - 1, floor(position + half));
    double sum = 0;
    for (long index = first; index <= last; index++) {
        sum += response->samples[index] * value(&response->kernel, position - (double)index);
    }
    return sum;
}

/// Replaces a symmetric kernel by one of minimum phase, and outputs the frames before and after the position.
static bool make_minimum_phase(response *response, double decimation, double attenuation, double *before,
                               double *after) {
    double half_width = response->kernel.half_width;
    response->density = SAMPLES_PER_FRAME / decimation;
    response->count = 2 * (size_t)ceil(half_width * response->density) + 1;
    response->samples = malloc(response->count * sizeof(double));
    if (response->samples == NULL) {
        return false;
    }
    for (size_t index = 0; index < response->count; index++) {
        double distance = (double)index - (double)(response->count / 2);
        response->samples[index] = value(&response->kernel, distance / response->density);
    }
    if (!aq_make_minimum_phase(response->samples, response->count, pow(10, -(attenuation + 12) / 20))) {
        return false;
    }
    double sum = 0;
    double moment = 0;
    for (size_t index = 0; index < response->count; index++) {
        sum += response->samples[index];
        moment += (double)index * response->samples[index];
    }
    // The delay of low frequencies, so that these are in time.
    response->middle = moment / sum;
    // Between samples there is a kernel that removes the images of the response above the lower rate's half.
    response->kernel.cutoff = 1;
    response->kernel.half_width = 7;
    make_window(&response->kernel, 0.1102 * (160 - 8.7));
    double margin = response->kernel.half_width;
    *before = ((double)response->count - response->middle + margin) / response->density;
    *after = (response->middle + margin) / response->density;
    return true;
}

/// The number of coefficients of the design of Kaiser, which follows from the attenuation and the transition.
static double taps(aq_resampler_filter filter, double decimation) {
    return (filter.attenuation - 7.95) / (2.285 * M_PI * (1 - filter.pass_band) / decimation);
}

bool aq_filter_make(aq_filter_table *table, aq_resampler_filter filter, double decimation, size_t phases) {
    double half_width = taps(filter, decimation) / 2;
    response response = {
        .kernel = {.cutoff = (1 + filter.pass_band) / 2 / decimation, .half_width = half_width},
        .samples = NULL,
    };
    make_window(&response.kernel, 0.1102 * (filter.attenuation - 8.7));
    double before = half_width;
    double after = half_width;
    bool is_symmetric = !filter.is_minimum_phase;
    if (!is_symmetric && !make_minimum_phase(&response, decimation, filter.attenuation, &before, &after)) {
        free(response.samples);
        return false;
    }
    table->length = ((size_t)ceil(before + after) + 15) / 16 * 16;
    table->following = is_symmetric ? table->length / 2 : (size_t)ceil(after);
    if (table->following + (size_t)ceil(before) > table->length) {
        table->length += 16;
    }
    if (phases > 0) {
        table->phases = phases;
        table->rows = phases;
        table->first_row = 0;
    } else {
        // A longer filter changes less from frame to frame.
        table->phases = (size_t)ceil(INTERPOLATION_PHASES / decimation);
        table->rows = table->phases + 3;
        table->first_row = 1;
    }
    size_t length = table->length;
    table->coefficients = aligned_alloc(64, table->rows * length * sizeof(float));
    double *row = malloc(length * sizeof(double));
    if (table->coefficients == NULL || row == NULL) {
        free(table->coefficients);
        free(row);
        free(response.samples);
        table->coefficients = NULL;
        return false;
    }
    for (size_t index = 0; index < table->rows; index++) {
        float *target = table->coefficients + index * length;
        // A symmetric kernel: the row for the rest of a frame has the same coefficients in reverse.
        size_t mirror = table->phases + 2 * table->first_row - index;
        if (is_symmetric && mirror < index) {
            const float *source = table->coefficients + mirror * length;
            for (size_t tap = 0; tap < length; tap++) {
                target[tap] = source[length - 1 - tap];
            }
            continue;
        }
        double fraction = ((double)index - (double)table->first_row) / (double)table->phases;
        double sum = 0;
        for (size_t tap = 0; tap < length; tap++) {
            row[tap] = response_value(&response, fraction + (double)(length - table->following) - 1 - (double)tap);
            sum += row[tap];
        }
        // Each row has the same gain, so that a constant remains one.
        for (size_t tap = 0; tap < length; tap++) {
            target[tap] = (float)(row[tap] / sum);
        }
    }
    free(row);
    free(response.samples);
    return true;
}
