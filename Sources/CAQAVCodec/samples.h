/* SPDX-License-Identifier: MIT */

/* Conversions between planar and interleaved samples. */
#ifndef CAVCODEC_SAMPLES_H
#define CAVCODEC_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

/* Returns the size of a sample in bytes; 0 for a value other than AQ_AV_S16 and so on. */
size_t aq_sample_bytes(int32_t sample);

/* Interleaves planes of 16-bit integers, 32-bit integers (of which AQ_AV_S24 uses the high bits) or
 * floats. Any alignment is allowed. */
void aq_interleave(int32_t sample, int channels, int frames, uint8_t *const *planes, void *output);

/* Separates interleaved samples into planes. Floats are limited to the range that encoders accept. */
void aq_deinterleave(int32_t sample, int channels, int frames, const void *input, uint8_t *const *planes);

#endif
