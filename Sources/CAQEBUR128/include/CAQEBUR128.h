/* SPDX-License-Identifier: MIT */

// Loudness as in EBU R 128 by libebur128, which is loaded on first use.
//
// This module is not linked against libebur128, because most runs of a tool measure no loudness. Its header is required
// to build, its library to measure: without the library, `aq_loudness_create` returns the loader's reason.

#ifndef CAQEBUR128_H
#define CAQEBUR128_H

#include <stdbool.h>
#include <stddef.h>

/// A measurement of a stream of interleaved 32-bit floats. Used by one thread at a time.
typedef struct aq_loudness aq_loudness;

/// The weight of a channel (ITU-R BS.1770, table 3).
typedef enum : unsigned char {
    /// Not measured: a channel of low frequencies.
    aq_loudness_none = 0,
    aq_loudness_front = 1,
    /// A channel at the side, which counts 1.5 dB more.
    aq_loudness_surround = 2,
} aq_loudness_weight;

/// Values of a measurement.
typedef struct {
    /// The integrated loudness in LUFS; minus infinity for silence.
    double integrated;
    /// The loudness range in LU.
    double range;
} aq_loudness_values;

/// Begins a measurement; NULL if that fails, and then `*reason` is the cause, a string that is never freed.
aq_loudness *_Nullable aq_loudness_create(unsigned channels, unsigned long sample_rate,
                                          const char *_Nullable *_Nonnull reason);

/// Sets the weight of a channel, before the first frame.
void aq_loudness_set_weight(aq_loudness *_Nonnull loudness, unsigned channel, aq_loudness_weight weight);

/// Adds frames. Returns false if memory is insufficient.
bool aq_loudness_add(aq_loudness *_Nonnull loudness, const float *_Nonnull frames, size_t count);

/// Returns the true peak of all channels, linear.
double aq_loudness_true_peak(const aq_loudness *_Nonnull loudness);

/// Ends the measurement and frees the memory for frames. Only `aq_loudness_measure` may follow.
void aq_loudness_end(aq_loudness *_Nonnull loudness);

/// Returns the values of several measurements, as of one stream. Returns false if memory is insufficient.
bool aq_loudness_measure(aq_loudness *_Nonnull const *_Nonnull loudnesses, size_t count,
                         aq_loudness_values *_Nonnull values);

/// Frees a measurement.
void aq_loudness_delete(aq_loudness *_Nullable loudness);

#endif
