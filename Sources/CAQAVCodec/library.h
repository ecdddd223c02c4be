/* SPDX-License-Identifier: MIT */

/* libavcodec and libavutil as loaded at run time. */
#ifndef CAVCODEC_LIBRARY_H
#define CAVCODEC_LIBRARY_H

#include "CAQAVCodec.h"

/* Without the headers, the package is built without these codecs. */
#if __has_include(<libavcodec/avcodec.h>)
#define AQ_HAS_HEADERS 1

#include <libavcodec/avcodec.h>
#include <libavutil/buffer.h>
#include <libavutil/channel_layout.h>
#include <libavutil/frame.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>

/* FFmpeg 5.1 introduced layouts as structures, FFmpeg 7 removed the masks. */
#define AQ_HAS_LAYOUTS (LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 24, 100))

#define AQ_CODEC_FUNCTIONS(X)                                                                            \
    X(avcodec_find_decoder_by_name)                                                                      \
    X(avcodec_find_encoder_by_name)                                                                      \
    X(avcodec_alloc_context3)                                                                            \
    X(avcodec_free_context)                                                                              \
    X(avcodec_open2)                                                                                     \
    X(avcodec_send_packet)                                                                               \
    X(avcodec_receive_frame)                                                                             \
    X(avcodec_send_frame)                                                                                \
    X(avcodec_receive_packet)                                                                            \
    X(avcodec_flush_buffers)                                                                             \
    X(av_packet_alloc)                                                                                   \
    X(av_packet_free)                                                                                    \
    X(av_packet_unref)

#define AQ_UTILITY_FUNCTIONS(X)                                                                          \
    X(av_frame_alloc)                                                                                    \
    X(av_frame_free)                                                                                     \
    X(av_frame_unref)                                                                                    \
    X(av_frame_get_buffer)                                                                               \
    X(av_frame_is_writable)                                                                              \
    X(av_buffer_alloc)                                                                                   \
    X(av_buffer_unref)                                                                                   \
    X(av_buffer_is_writable)                                                                             \
    X(av_mallocz)                                                                                        \
    X(av_opt_set)                                                                                        \
    X(av_strerror)                                                                                       \
    AQ_LAYOUT_FUNCTIONS(X)

#if AQ_HAS_LAYOUTS
#define AQ_LAYOUT_FUNCTIONS(X) X(av_channel_layout_from_mask)
#else
#define AQ_LAYOUT_FUNCTIONS(X)
#endif

#define AQ_FUNCTION_POINTER(name) __typeof__(name) *name;

/* The functions under their own names: `av.avcodec_open2(…)`. All are set once aq_av_failure() has
   returned NULL. */
struct aq_av_library {
    AQ_CODEC_FUNCTIONS(AQ_FUNCTION_POINTER)
    AQ_UTILITY_FUNCTIONS(AQ_FUNCTION_POINTER)
};
extern struct aq_av_library av;

/* Returns the library's own codec, or NULL. Of external codecs only LAME is used, because the library
 * has no MP3 encoder of its own. */
const AVCodec *aq_find_decoder(int32_t codec);
const AVCodec *aq_find_encoder(int32_t codec);

/* Returns the library's planar format for a caller's sample format. */
enum AVSampleFormat aq_planar_format(int32_t sample);

/* Makes a context with the common settings of decoders and encoders; NULL if memory is
   insufficient. */
AVCodecContext *aq_make_context(const AVCodec *codec, const struct aq_av_settings *settings);

void aq_set_reason(char *reason, const char *text);
/* Writes the library's own text for a negative return value. */
void aq_set_reason_of(char *reason, int error);

#else
#define AQ_HAS_HEADERS 0
void aq_set_reason(char *reason, const char *text);
#endif

#endif
