/* SPDX-License-Identifier: MIT */

#include "library.h"

#include <CAQLibraries.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

void aq_set_reason(char *reason, const char *text) {
    snprintf(reason, AQ_AV_REASON_BYTES, "%s", text);
}

#if AQ_HAS_HEADERS

/* Structures have the layout of the headers, so the library must have the same major version. */
#define AQ_NAMES(name, major)                                                                                  \
    {{"lib" name ".so." AV_STRINGIFY(major)},                                                                 \
     "ffmpeg",                                                                                                \
     "this was built for lib" name " " AV_STRINGIFY(major) "; each release of Debian has another"}
static const struct aq_library codec_names = AQ_NAMES("avcodec", LIBAVCODEC_VERSION_MAJOR);
static const struct aq_library utility_names = AQ_NAMES("avutil", LIBAVUTIL_VERSION_MAJOR);

struct aq_av_library av;
static char failure[AQ_FAILURE_BYTES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define AQ_SYMBOL(name) {#name, (void **)&av.name},

static void load(void) {
    const struct aq_symbol codec[] = {AQ_CODEC_FUNCTIONS(AQ_SYMBOL)};
    const struct aq_symbol utility[] = {AQ_UTILITY_FUNCTIONS(AQ_SYMBOL)};
    /* The package of the codecs needs that of the utilities. */
    if (aq_load_library(&codec_names, codec, sizeof codec / sizeof codec[0], failure)) {
        aq_load_library(&utility_names, utility, sizeof utility / sizeof utility[0], failure);
    }
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
