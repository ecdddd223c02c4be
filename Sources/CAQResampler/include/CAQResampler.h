/* SPDX-License-Identifier: MIT */

// Sample-rate conversion by one finite filter, without a library.
//
// Each frame of the output is available as soon as half of the filter's length follows its position in the input, so
// the delay is the same for every frame.

#ifndef CAQRESAMPLER_H
#define CAQRESAMPLER_H

#include <stdbool.h>
#include <stddef.h>

/// A rate conversion of a stream of interleaved 32-bit floats. Used by one thread at a time.
typedef struct aq_resampler aq_resampler;

/// The low-pass filter of a conversion. Frequencies are relative to half of the lower rate.
typedef struct {
    /// The highest frequency that passes, below 1. Frequencies above 1 are removed.
    double pass_band;
    /// The level of what is removed, in decibels below that of the input: 90 to 200.
    double attenuation;
    /// Whether the filter is as early as possible. Its phase is then not linear: only low frequencies are in time.
    bool is_minimum_phase;
} aq_resampler_filter;

/// Makes a converter; NULL if memory is insufficient.
///
/// Both rates are more than 0, and at most 2^20 apart and 2^20 Hz. There are 1 to 1024 channels. All memory is
/// allocated here.
aq_resampler *_Nullable aq_resampler_create(double input_rate, double output_rate, size_t channels,
                                            aq_resampler_filter filter);

/// The number of input frames that must follow the position of an output frame.
size_t aq_resampler_delay(const aq_resampler *_Nonnull resampler);

/// Drops all input, and begins a stream with a number of silent frames, at most those of the delay.
void aq_resampler_begin(aq_resampler *_Nonnull resampler, size_t silent_frames);

/// Takes input frames, and outputs the frames that are ready and fit, without a wait or an allocation.
///
/// Takes all frames unless the output is full. An input of NULL is silence.
void aq_resampler_process(aq_resampler *_Nonnull resampler, const float *_Nullable input, size_t input_frames,
                          size_t *_Nonnull frames_taken, float *_Nonnull output, size_t output_frames,
                          size_t *_Nonnull frames_given);

/// Frees a converter.
void aq_resampler_delete(aq_resampler *_Nullable resampler);

#endif
