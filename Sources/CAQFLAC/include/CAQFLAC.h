/* SPDX-License-Identifier: MIT */

/* libFLAC, loaded on first use. The header of the build describes every version that is loaded: 1.4 (file 12) and 1.5
 * (file 14) have the same functions and structures, and 1.5 adds enumerators only at the ends. */
#ifndef CAQFLAC_H
#define CAQFLAC_H

#include <FLAC/stream_decoder.h>
#include <FLAC/stream_encoder.h>

#define AQ_FLAC_FUNCTIONS(X)                                                                             \
    X(stream_decoder_new)                                                                                \
    X(stream_decoder_delete)                                                                             \
    X(stream_decoder_init_stream)                                                                        \
    X(stream_decoder_process_until_end_of_metadata)                                                      \
    X(stream_decoder_process_single)                                                                     \
    X(stream_decoder_get_decode_position)                                                                \
    X(stream_decoder_finish)                                                                             \
    X(stream_encoder_new)                                                                                \
    X(stream_encoder_delete)                                                                             \
    X(stream_encoder_set_sample_rate)                                                                    \
    X(stream_encoder_set_channels)                                                                       \
    X(stream_encoder_set_bits_per_sample)                                                                \
    X(stream_encoder_set_compression_level)                                                              \
    X(stream_encoder_set_streamable_subset)                                                              \
    X(stream_encoder_set_blocksize)                                                                      \
    X(stream_encoder_set_total_samples_estimate)                                                         \
    X(stream_encoder_init_stream)                                                                        \
    X(stream_encoder_get_blocksize)                                                                      \
    X(stream_encoder_process_interleaved)                                                                \
    X(stream_encoder_get_resolved_state_string)                                                          \
    X(stream_encoder_finish)

#define AQ_FLAC_POINTER(name) __typeof__(FLAC__##name) *_Nonnull name;

/* The functions under their own names, without `FLAC__`. */
struct aq_flac_functions {
    AQ_FLAC_FUNCTIONS(AQ_FLAC_POINTER)
    /* The library's name for comments. */
    const char *_Nonnull const *_Nonnull vendor;
};

/* Returns NULL if the library cannot be loaded; `reason` then receives a string that is never freed. */
const struct aq_flac_functions *_Nullable aq_flac(const char *_Nullable *_Nonnull reason);

#endif
