/* SPDX-License-Identifier: MIT */

// Playback at variable rates by libsoxr, which is loaded on first use.
//
// This module is not linked against libsoxr, because most runs of a tool change no rate. Its header is required to
// build, its library to convert: without the library, `aq_soxr_failure` returns the loader's reason.

#ifndef CAQSOXR_H
#define CAQSOXR_H

#include <stddef.h>

/// The reason why libsoxr, which is loaded by the first call, is not available; empty if it is. Never freed.
const char *_Nonnull aq_soxr_failure(void);

/// A conversion of a stream of interleaved 32-bit floats without an end, whose ratio of input to output may change at any
/// time. Used by one thread at a time.
typedef struct soxr aq_soxr;

/// Makes a converter for ratios up to `maximum_ratio`; NULL if libsoxr or memory is missing.
aq_soxr *_Nullable aq_soxr_create(double maximum_ratio, unsigned channels);

/// Takes all input frames, and outputs none.
///
/// Returns NULL, or the reason why no further frame can be converted.
const char *_Nullable aq_soxr_put(aq_soxr *_Nonnull converter, const float *_Nonnull input,
                                  size_t input_frames);

/// Sets the ratio of input to output for the next output frames.
///
/// Returns NULL, or the reason why the ratio cannot be set.
const char *_Nullable aq_soxr_set_ratio(aq_soxr *_Nonnull converter, double ratio);

/// Outputs the frames that are ready and fit.
///
/// Returns NULL, or the reason why no further frame can be converted.
const char *_Nullable aq_soxr_take(aq_soxr *_Nonnull converter, float *_Nonnull output,
                                   size_t output_frames, size_t *_Nonnull frames_given);

/// Frees a converter.
void aq_soxr_delete(aq_soxr *_Nullable converter);

#endif
