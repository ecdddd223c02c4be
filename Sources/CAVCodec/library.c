/* SPDX-License-Identifier: MIT */

/* For RTLD_LOCAL in <dlfcn.h>. */
#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

void aq_set_reason(char *reason, const char *text) {
    snprintf(reason, AQ_AV_REASON_BYTES, "%s", text);
}

#if AQ_HAS_HEADERS

/* Structures have the layout of the headers, so the library must have the same major version. */
#define AQ_CODEC_LIBRARY "libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR)
#define AQ_UTILITY_LIBRARY "libavutil.so." AV_STRINGIFY(LIBAVUTIL_VERSION_MAJOR)

struct aq_av_library av;
static char failure[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void keep_failure(const char *words) {
    if (!failure[0]) snprintf(failure, sizeof failure, "%s", words ? words : "unknown error");
}

static void *function_named(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (!function) keep_failure(dlerror());
    return function;
}

static void load(void) {
    /* Local, so that another version of the library in the same process keeps its own functions. */
    void *utility = dlopen(AQ_UTILITY_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!utility) return keep_failure(dlerror());
    void *codec = dlopen(AQ_CODEC_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!codec) {
        keep_failure(dlerror());
        dlclose(utility);
        return;
    }
#define AQ_FROM_CODEC(name) av.name = (__typeof__(name) *)function_named(codec, #name);
#define AQ_FROM_UTILITY(name) av.name = (__typeof__(name) *)function_named(utility, #name);
    AQ_CODEC_FUNCTIONS(AQ_FROM_CODEC)
    AQ_UTILITY_FUNCTIONS(AQ_FROM_UTILITY)
    /* Both libraries stay loaded, because decoders and encoders may be opened at any time. */
}

const char *aq_av_failure(void) {
    pthread_once(&once, load);
    return failure[0] ? failure : NULL;
}

const AVCodec *aq_find_decoder(int32_t codec) {
    if (aq_av_failure()) return NULL;
    switch (codec) {
    case AQ_AV_AAC: return av.avcodec_find_decoder_by_name("aac");
    case AQ_AV_ALAC: return av.avcodec_find_decoder_by_name("alac");
    case AQ_AV_IMA_QT: return av.avcodec_find_decoder_by_name("adpcm_ima_qt");
    default: return NULL;
    }
}

const AVCodec *aq_find_encoder(int32_t codec) {
    if (aq_av_failure()) return NULL;
    switch (codec) {
    case AQ_AV_AAC: return av.avcodec_find_encoder_by_name("aac");
    case AQ_AV_ALAC: return av.avcodec_find_encoder_by_name("alac");
    case AQ_AV_IMA_QT: return av.avcodec_find_encoder_by_name("adpcm_ima_qt");
    case AQ_AV_MP3: return av.avcodec_find_encoder_by_name("libmp3lame");
    default: return NULL;
    }
}

bool aq_av_has_decoder(int32_t codec) { return aq_find_decoder(codec) != NULL; }
bool aq_av_has_encoder(int32_t codec) { return aq_find_encoder(codec) != NULL; }

enum AVSampleFormat aq_planar_format(int32_t sample) {
    switch (sample) {
    case AQ_AV_S16: return AV_SAMPLE_FMT_S16P;
    case AQ_AV_S24:
    case AQ_AV_S32: return AV_SAMPLE_FMT_S32P;
    case AQ_AV_FLOAT: return AV_SAMPLE_FMT_FLTP;
    default: return AV_SAMPLE_FMT_NONE;
    }
}

AVCodecContext *aq_make_context(const AVCodec *codec, const struct aq_av_settings *settings) {
    AVCodecContext *context = av.avcodec_alloc_context3(codec);
    if (!context) return NULL;
    /* Silences only this context, because the global level may belong to the program. Levels are 0
     * to 56, and only their low byte counts. */
    context->log_level_offset = 128;
    context->thread_count = 1;
    context->sample_rate = settings->sample_rate;
#if AQ_HAS_LAYOUTS
    if (av.av_channel_layout_from_mask(&context->ch_layout, settings->channel_mask) < 0) {
        context->ch_layout.order = AV_CHANNEL_ORDER_UNSPEC;
        context->ch_layout.nb_channels = settings->channels;
    }
#else
    context->channels = settings->channels;
    context->channel_layout = settings->channel_mask;
#endif
    return context;
}

void aq_set_reason_of(char *reason, int error) {
    if (av.av_strerror(error, reason, AQ_AV_REASON_BYTES) < 0) {
        snprintf(reason, AQ_AV_REASON_BYTES, "unknown error");
    }
    size_t length = strlen(reason);
    snprintf(reason + length, AQ_AV_REASON_BYTES - length, " (libavcodec %d)", error);
}

#else

const char *aq_av_failure(void) { return "built without the headers of libavcodec"; }
bool aq_av_has_decoder(int32_t codec) { return false; }
bool aq_av_has_encoder(int32_t codec) { return false; }

#endif
