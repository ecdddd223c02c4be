/* SPDX-License-Identifier: MIT */

/* libvorbis and libvorbisenc, loaded on first use. */
#ifndef CAQVORBIS_H
#define CAQVORBIS_H

#include <vorbis/vorbisenc.h>

#define AQ_VORBIS_FUNCTIONS(X)                                                                           \
    X(vorbis_info_init)                                                                                  \
    X(vorbis_info_clear)                                                                                 \
    X(vorbis_comment_init)                                                                               \
    X(vorbis_comment_clear)                                                                              \
    X(vorbis_block_init)                                                                                 \
    X(vorbis_block_clear)                                                                                \
    X(vorbis_dsp_clear)                                                                                  \
    X(vorbis_analysis_init)                                                                              \
    X(vorbis_analysis_headerout)                                                                         \
    X(vorbis_analysis_buffer)                                                                            \
    X(vorbis_analysis_wrote)                                                                             \
    X(vorbis_analysis_blockout)                                                                          \
    X(vorbis_analysis)                                                                                   \
    X(vorbis_bitrate_addblock)                                                                           \
    X(vorbis_bitrate_flushpacket)

#define AQ_VORBIS_ENCODE_FUNCTIONS(X)                                                                    \
    X(vorbis_encode_init_vbr)                                                                            \
    X(vorbis_encode_setup_managed)                                                                       \
    X(vorbis_encode_ctl)                                                                                 \
    X(vorbis_encode_setup_init)

#define AQ_VORBIS_POINTER(name) __typeof__(name) *_Nonnull name;

/* The functions under their own names. */
struct aq_vorbis_functions {
    AQ_VORBIS_FUNCTIONS(AQ_VORBIS_POINTER)
    AQ_VORBIS_ENCODE_FUNCTIONS(AQ_VORBIS_POINTER)
};

/* Returns NULL if the libraries cannot be loaded; `reason` then receives a string that is never freed. */
const struct aq_vorbis_functions *_Nullable aq_vorbis(const char *_Nullable *_Nonnull reason);

#endif
