/* SPDX-License-Identifier: MIT */

/* LAME, loaded on first use. */
#ifndef CAQLAME_H
#define CAQLAME_H

/* Without the header, the package is built without the trait MPEGAudio. */
#if __has_include(<lame/lame.h>)

/* `lame.h` uses these without including their headers. */
#include <stdarg.h>
#include <stdio.h>

#include <lame/lame.h>

#define AQ_LAME_FUNCTIONS(X)                                                                             \
    X(lame_init)                                                                                         \
    X(lame_close)                                                                                        \
    X(lame_set_in_samplerate)                                                                            \
    X(lame_set_out_samplerate)                                                                           \
    X(lame_set_num_channels)                                                                             \
    X(lame_set_mode)                                                                                     \
    X(lame_set_bWriteVbrTag)                                                                             \
    X(lame_set_brate)                                                                                    \
    X(lame_set_VBR)                                                                                      \
    X(lame_set_VBR_quality)                                                                              \
    X(lame_init_params)                                                                                  \
    X(lame_get_encoder_delay)                                                                            \
    X(lame_encode_buffer_ieee_float)                                                                     \
    X(lame_encode_buffer_interleaved_ieee_float)                                                         \
    X(lame_encode_flush)                                                                                 \
    X(get_lame_very_short_version)

#define AQ_LAME_POINTER(name) __typeof__(name) *_Nonnull name;

/* The functions under their own names. */
struct aq_lame_functions {
    AQ_LAME_FUNCTIONS(AQ_LAME_POINTER)
};

/* Returns NULL if the library cannot be loaded; `reason` then receives a string that is never freed. */
const struct aq_lame_functions *_Nullable aq_lame(const char *_Nullable *_Nonnull reason);

#endif

#endif
