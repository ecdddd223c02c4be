/* SPDX-License-Identifier: MIT */

/* libopus, loaded on first use. */
#ifndef CAQOPUS_H
#define CAQOPUS_H

#include <opus/opus_multistream.h>

#define AQ_OPUS_FUNCTIONS(X)                                                                             \
    X(opus_multistream_surround_encoder_create)                                                          \
    X(opus_multistream_encoder_destroy)                                                                  \
    X(opus_multistream_encode_float)                                                                     \
    X(opus_multistream_decoder_create)                                                                   \
    X(opus_multistream_decoder_destroy)                                                                  \
    X(opus_multistream_decode_float)                                                                     \
    X(opus_packet_get_nb_samples)                                                                        \
    X(opus_get_version_string)

#define AQ_OPUS_POINTER(name) __typeof__(name) *_Nonnull name;

/* The functions under their own names. */
struct aq_opus_functions {
    AQ_OPUS_FUNCTIONS(AQ_OPUS_POINTER)

    /* Swift cannot call functions with variable arguments, so these are made of two. */

    /* Sets the bit rate in bits per second, without a limit for single packets. Returns a status. */
    int (*_Nonnull set_bit_rate)(OpusMSEncoder *_Nonnull encoder, opus_int32 bit_rate);
    /* Returns the delay of the encoder in frames of its sample rate; a negative status after a failure. */
    opus_int32 (*_Nonnull lookahead)(OpusMSEncoder *_Nonnull encoder);
    /* Sets the gain of the output, in decibels times 256. Returns a status. */
    int (*_Nonnull set_gain)(OpusMSDecoder *_Nonnull decoder, opus_int32 gain);
    /* Drops the history of previous packets. Returns a status. */
    int (*_Nonnull reset)(OpusMSDecoder *_Nonnull decoder);
};

/* Returns NULL if the library cannot be loaded; `reason` then receives a string that is never freed. */
const struct aq_opus_functions *_Nullable aq_opus(const char *_Nullable *_Nonnull reason);

#endif
