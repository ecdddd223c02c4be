/* Conversion between planar and interleaved samples. */
#ifndef CAVCODEC_SAMPLES_H
#define CAVCODEC_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

/* The size of a sample; 0 for a value other than AQ_AV_S16 and so on. */
size_t aq_sample_bytes(int32_t sample);

/* Interleaves planes of 16-bit integers, of 32-bit integers (AQ_AV_S24 uses their high bits), or of
 * floats, of any alignment. */
void aq_interleave(int32_t sample, int channels, int frames, uint8_t *const *planes, void *output);

/* The reverse. Floats are limited to the range that the encoders accept. */
void aq_deinterleave(int32_t sample, int channels, int frames, const void *input, uint8_t *const *planes);

#endif
