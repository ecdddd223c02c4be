/* Between samples of one plane a channel and interleaved ones. */
#ifndef CAVCODEC_SAMPLES_H
#define CAVCODEC_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a sample; 0 for none of AQ_AV_S16 and so on. */
size_t aq_sample_bytes(int32_t sample);

/* Planes of 16-bit integers, of 32-bit integers (AQ_AV_S24 has its bits high in them), or of floats, of any
 * alignment, to `output`. */
void aq_interleave(int32_t sample, int channels, int frames, uint8_t *const *planes, void *output);

/* The way back. Floats are limited to what the encoders take. */
void aq_deinterleave(int32_t sample, int channels, int frames, const void *input, uint8_t *const *planes);

#endif
