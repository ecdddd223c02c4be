/* SPDX-License-Identifier: MIT */

#include "CAQResampler.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"
#include "product.h"

/// The most fractions that have a row each: more rows take milliseconds to make, and do not fit a cache.
#define MOST_PHASES 640
/// The frames for which there is memory besides the filter's length.
#define BLOCK_FRAMES 2048

struct aq_resampler {
    aq_filter_table table;
    aq_product product;
    /// A row that was interpolated; NULL if each fraction has a row.
    float *row;
    size_t channels;
    /// The input, one channel after the other, each of `capacity` samples.
    float *history;
    size_t capacity;
    /// The first frame of the next output frame's product, and the number of frames from there.
    size_t start;
    size_t count;
    /// The position of the next output frame after an input frame, as a fraction: numerator < denominator.
    int64_t numerator;
    int64_t denominator;
    /// The distance of output frames: whole input frames, and the rest of the fraction.
    int64_t step_frames;
    int64_t step_numerator;
};

static int64_t common_divisor(int64_t one, int64_t other) {
    while (other != 0) {
        int64_t rest = one % other;
        one = other;
        other = rest;
    }
    return one;
}

aq_resampler *aq_resampler_create(double input_rate, double output_rate, size_t channels,
                                  aq_resampler_filter filter) {
    aq_resampler *resampler = calloc(1, sizeof *resampler);
    if (resampler == NULL) {
        return NULL;
    }
    // Exact for rates with up to 20 binary digits after the point.
    int64_t input = llround(ldexp(input_rate, 20));
    int64_t output = llround(ldexp(output_rate, 20));
    input = input > 0 ? input : 1;
    output = output > 0 ? output : 1;
    int64_t divisor = common_divisor(input, output);
    input /= divisor;
    output /= divisor;
    resampler->denominator = output;
    resampler->step_frames = input / output;
    resampler->step_numerator = input % output;
    resampler->channels = channels;
    resampler->product = aq_product_for_processor();
    double decimation = fmax(1, (double)input / (double)output);
    size_t phases = output <= MOST_PHASES ? (size_t)output : 0;
    bool is_made = aq_filter_make(&resampler->table, filter, decimation, phases);
    if (is_made && phases == 0) {
        resampler->row = aligned_alloc(64, resampler->table.length * sizeof(float));
        is_made = resampler->row != NULL;
    }
    // Twice the filter's length, so that frames are seldom moved.
    resampler->capacity = 2 * resampler->table.length + BLOCK_FRAMES;
    if (is_made) {
        resampler->history = malloc(resampler->capacity * channels * sizeof(float));
        is_made = resampler->history != NULL;
    }
    if (!is_made) {
        aq_resampler_delete(resampler);
        return NULL;
    }
    aq_resampler_begin(resampler, 0);
    return resampler;
}

size_t aq_resampler_delay(const aq_resampler *resampler) { return resampler->table.following; }

void aq_resampler_begin(aq_resampler *resampler, size_t silent_frames) {
    size_t most = resampler->table.following;
    resampler->start = 0;
    // The first output frame is at the first input frame, before which there is silence.
    resampler->count = resampler->table.length - most - 1 + (silent_frames < most ? silent_frames : most);
    resampler->numerator = 0;
    for (size_t channel = 0; channel < resampler->channels; channel++) {
        memset(resampler->history + channel * resampler->capacity, 0, resampler->count * sizeof(float));
    }
}

/// Takes as many frames as there is memory for, and returns their number.
static size_t take(aq_resampler *resampler, const float *input, size_t frames) {
    size_t channels = resampler->channels;
    size_t capacity = resampler->capacity;
    if (resampler->start + resampler->count + frames > capacity) {
        for (size_t channel = 0; channel < channels; channel++) {
            float *samples = resampler->history + channel * capacity;
            memmove(samples, samples + resampler->start, resampler->count * sizeof(float));
        }
        resampler->start = 0;
    }
    size_t room = capacity - resampler->start - resampler->count;
    frames = frames < room ? frames : room;
    for (size_t channel = 0; channel < channels; channel++) {
        float *samples = resampler->history + channel * capacity + resampler->start + resampler->count;
        if (input == NULL) {
            memset(samples, 0, frames * sizeof(float));
            continue;
        }
        for (size_t frame = 0; frame < frames; frame++) {
            samples[frame] = input[frame * channels + channel];
        }
    }
    resampler->count += frames;
    return frames;
}

/// The coefficients for the position of the next output frame.
static const float *coefficients(aq_resampler *resampler) {
    const aq_filter_table *table = &resampler->table;
    if (resampler->row == NULL) {
        return table->coefficients + (size_t)resampler->numerator * table->length;
    }
    double position = (double)resampler->numerator / (double)resampler->denominator * (double)table->phases;
    size_t row = (size_t)position;
    row = row < table->phases ? row : table->phases - 1;
    float x = (float)(position - (double)row);
    // The cubic through four rows, of which the second is at x = 0.
    float weights[4] = {-x * (x - 1) * (x - 2) / 6, (x + 1) * (x - 1) * (x - 2) / 2, -(x + 1) * x * (x - 2) / 2,
                        (x + 1) * x * (x - 1) / 6};
    aq_weighted_sum(table->coefficients + row * table->length, weights, resampler->row, table->length);
    return resampler->row;
}

/// Outputs the next frame, and moves to the one after it. The frames of the product must be there.
static void give(aq_resampler *resampler, float *output) {
    const float *row = coefficients(resampler);
    const float *samples = resampler->history + resampler->start;
    size_t capacity = resampler->capacity;
    for (size_t channel = 0; channel < resampler->channels; channel += 2) {
        size_t channels = resampler->channels - channel < 2 ? 1 : 2;
        resampler->product(row, samples + channel * capacity, channels == 2 ? capacity : 0,
                           resampler->table.length, output + channel);
    }
    resampler->numerator += resampler->step_numerator;
    size_t step = (size_t)resampler->step_frames;
    if (resampler->numerator >= resampler->denominator) {
        resampler->numerator -= resampler->denominator;
        step += 1;
    }
    // A step is shorter than the filter, which has at least twenty frames of the lower rate.
    resampler->start += step;
    resampler->count -= step;
}

void aq_resampler_process(aq_resampler *resampler, const float *input, size_t input_frames, size_t *frames_taken,
                          float *output, size_t output_frames, size_t *frames_given) {
    size_t taken = 0;
    size_t given = 0;
    for (;;) {
        while (given < output_frames && resampler->count >= resampler->table.length) {
            give(resampler, output + given * resampler->channels);
            given++;
        }
        if (given == output_frames || taken == input_frames) {
            break;
        }
        taken += take(resampler, input == NULL ? NULL : input + taken * resampler->channels, input_frames - taken);
    }
    *frames_taken = taken;
    *frames_given = given;
}

void aq_resampler_delete(aq_resampler *resampler) {
    if (resampler == NULL) {
        return;
    }
    free(resampler->table.coefficients);
    free(resampler->row);
    free(resampler->history);
    free(resampler);
}
