/* SPDX-License-Identifier: MIT */

#include "samples.h"

#include "CAQAVCodec.h"

/* Words at any address, which may alias samples of any type. */
typedef uint16_t __attribute__((aligned(1), may_alias)) word16;
typedef uint32_t __attribute__((aligned(1), may_alias)) word32;
typedef float __attribute__((aligned(1), may_alias)) word_float;

/* The largest magnitude of a sample: 24 dB above full scale. */
#define LIMIT 16.0f

size_t aq_sample_bytes(int32_t sample) {
    switch (sample) {
    case AQ_AV_S16: return 2;
    case AQ_AV_S24: return 3;
    case AQ_AV_S32:
    case AQ_AV_FLOAT: return 4;
    default: return 0;
    }
}

/* Two channels have a loop of their own, which compilers vectorize. */
#define INTERLEAVE(word)                                                                                 \
    do {                                                                                                 \
        word *to = output;                                                                               \
        if (channels == 2) {                                                                             \
            const word *left = (const word *)planes[0], *right = (const word *)planes[1];                \
            for (int frame = 0; frame < frames; frame++) {                                               \
                to[2 * frame] = left[frame];                                                             \
                to[2 * frame + 1] = right[frame];                                                        \
            }                                                                                            \
            return;                                                                                      \
        }                                                                                                \
        for (int channel = 0; channel < channels; channel++) {                                           \
            const word *from = (const word *)planes[channel];                                            \
            for (int frame = 0; frame < frames; frame++) to[frame * channels + channel] = from[frame];   \
        }                                                                                                \
    } while (0)

static void interleave24(int channels, int frames, uint8_t *const *planes, uint8_t *output) {
    for (int channel = 0; channel < channels; channel++) {
        const word32 *from = (const word32 *)planes[channel];
        uint8_t *to = output + 3 * channel;
        for (int frame = 0; frame < frames; frame++, to += 3 * channels) {
            uint32_t sample = from[frame];
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            to[0] = (uint8_t)(sample >> 8), to[1] = (uint8_t)(sample >> 16), to[2] = (uint8_t)(sample >> 24);
#else
            to[2] = (uint8_t)(sample >> 8), to[1] = (uint8_t)(sample >> 16), to[0] = (uint8_t)(sample >> 24);
#endif
        }
    }
}

void aq_interleave(int32_t sample, int channels, int frames, uint8_t *const *planes, void *output) {
    switch (sample) {
    case AQ_AV_S16: INTERLEAVE(word16); break;
    case AQ_AV_S24: interleave24(channels, frames, planes, output); break;
    case AQ_AV_S32:
    case AQ_AV_FLOAT: INTERLEAVE(word32); break;
    default: break;
    }
}

static void deinterleave_floats(int channels, int frames, const word_float *input, uint8_t *const *planes) {
    for (int channel = 0; channel < channels; channel++) {
        const word_float *from = input + channel;
        float *to = (float *)planes[channel];
        for (int frame = 0; frame < frames; frame++) {
            float sample = from[frame * channels];
            /* Encoders fail or crash on NaN. */
            sample = sample == sample ? sample : 0;
            sample = sample > LIMIT ? LIMIT : sample;
            to[frame] = sample < -LIMIT ? -LIMIT : sample;
        }
    }
}

static void deinterleave24(int channels, int frames, const uint8_t *input, uint8_t *const *planes) {
    for (int channel = 0; channel < channels; channel++) {
        const uint8_t *from = input + 3 * channel;
        uint32_t *to = (uint32_t *)planes[channel];
        for (int frame = 0; frame < frames; frame++, from += 3 * channels) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            to[frame] = (uint32_t)from[0] << 8 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 24;
#else
            to[frame] = (uint32_t)from[2] << 8 | (uint32_t)from[1] << 16 | (uint32_t)from[0] << 24;
#endif
        }
    }
}

#define DEINTERLEAVE(word)                                                                               \
    do {                                                                                                 \
        const word *from = input;                                                                        \
        for (int channel = 0; channel < channels; channel++) {                                           \
            word *to = (word *)planes[channel];                                                          \
            for (int frame = 0; frame < frames; frame++) to[frame] = from[frame * channels + channel];   \
        }                                                                                                \
    } while (0)

void aq_deinterleave(int32_t sample, int channels, int frames, const void *input, uint8_t *const *planes) {
    switch (sample) {
    case AQ_AV_S16: DEINTERLEAVE(word16); break;
    case AQ_AV_S24: deinterleave24(channels, frames, input, planes); break;
    case AQ_AV_S32: DEINTERLEAVE(word32); break;
    case AQ_AV_FLOAT: deinterleave_floats(channels, frames, input, planes); break;
    default: break;
    }
}
