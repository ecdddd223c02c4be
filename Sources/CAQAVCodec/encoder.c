/* SPDX-License-Identifier: MIT */

#include "library.h"
#include "samples.h"

#include <stdlib.h>
#include <string.h>

#if AQ_HAS_HEADERS

struct aq_av_encoder {
    struct aq_av_settings settings;
    AVCodecContext *context;
    AVFrame *frame;
    AVPacket *packet;
    /* The number of frames passed to the codec. */
    int64_t frames;
};

/* The smallest number of frames to compress as ALAC. If a last packet has fewer, compressed audio may
 * exceed the room that libavcodec's encoder reserves, and the encoder would abort the process. */
#define FEWEST_COMPRESSED_FRAMES 64

static int open_context(struct aq_av_encoder *encoder, const AVCodec *codec) {
    const struct aq_av_settings *settings = &encoder->settings;
    av.avcodec_free_context(&encoder->context);
    AVCodecContext *context = encoder->context = aq_make_context(codec, settings);
    if (!context) return AVERROR(ENOMEM);
    context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    context->time_base = (AVRational){1, settings->sample_rate};
    context->sample_fmt = aq_planar_format(settings->sample);
    context->bits_per_raw_sample = settings->sample == AQ_AV_S24 ? 24 : 0;
    context->bit_rate = settings->bit_rate;
    if (settings->effort >= 0) context->compression_level = settings->effort;
    if (settings->search) {
        int error = av.av_opt_set(context->priv_data, "aac_coder", settings->search, 0);
        if (error < 0) return error;
    }
    return av.avcodec_open2(context, codec, NULL);
}

struct aq_av_encoder *aq_av_encoder_open(const struct aq_av_settings *settings, char *reason) {
    if (aq_av_failure()) return aq_set_reason(reason, aq_av_failure()), NULL;
    const AVCodec *codec = aq_find_encoder(settings->codec);
    if (!codec) return aq_set_reason(reason, "libavcodec has no encoder for it"), NULL;
    if (settings->channels < 1 || settings->channels > AQ_AV_CHANNELS || settings->sample_rate < 1 ||
        aq_sample_bytes(settings->sample) == 0) {
        return aq_set_reason(reason, "settings out of range"), NULL;
    }
    struct aq_av_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return aq_set_reason(reason, "out of memory"), NULL;
    encoder->settings = *settings;
    encoder->settings.extradata = NULL;
    encoder->frame = av.av_frame_alloc();
    encoder->packet = av.av_packet_alloc();
    int error = encoder->frame && encoder->packet ? open_context(encoder, codec) : AVERROR(ENOMEM);
    /* Frames are passed in packets, so a codec without a packet length cannot be used. */
    if (error >= 0 && encoder->context->frame_size < 1) error = AVERROR(EINVAL);
    if (error < 0) {
        aq_set_reason_of(reason, error);
        aq_av_encoder_close(encoder);
        return NULL;
    }
    return encoder;
}

void aq_av_encoder_close(struct aq_av_encoder *encoder) {
    if (!encoder) return;
    av.avcodec_free_context(&encoder->context);
    av.av_frame_free(&encoder->frame);
    av.av_packet_free(&encoder->packet);
    free(encoder);
}

int32_t aq_av_encoder_packet_frames(const struct aq_av_encoder *encoder) {
    return encoder->context->frame_size;
}

int32_t aq_av_encoder_priming_frames(const struct aq_av_encoder *encoder) {
    return encoder->context->initial_padding;
}

const uint8_t *aq_av_encoder_extradata(const struct aq_av_encoder *encoder, int32_t *bytes) {
    *bytes = encoder->context->extradata ? encoder->context->extradata_size : 0;
    return encoder->context->extradata;
}

/* Makes the frame writable, with the length of a packet. */
static int make_frame(struct aq_av_encoder *encoder) {
    AVFrame *frame = encoder->frame;
    if (frame->buf[0] && av.av_frame_is_writable(frame)) return 0;
    av.av_frame_unref(frame);
    frame->nb_samples = encoder->context->frame_size;
    frame->format = encoder->context->sample_fmt;
    frame->sample_rate = encoder->context->sample_rate;
#if AQ_HAS_LAYOUTS
    if (av.av_channel_layout_from_mask(&frame->ch_layout, encoder->settings.channel_mask) < 0) {
        return AVERROR(EINVAL);
    }
#else
    frame->channels = encoder->settings.channels;
    frame->channel_layout = encoder->settings.channel_mask;
#endif
    return av.av_frame_get_buffer(frame, 0);
}

int32_t aq_av_encoder_append(struct aq_av_encoder *encoder, const void *input, int32_t frames, char *reason) {
    const struct aq_av_settings *settings = &encoder->settings;
    int length = encoder->context->frame_size;
    if (frames < 1 || frames > length) return aq_set_reason(reason, "frames out of range"), AQ_AV_FAILED;
    int error = 0;
    if (settings->codec == AQ_AV_ALAC && frames < FEWEST_COMPRESSED_FRAMES) {
        /* Packets are independent, and none is pending: another encoder stores this
           packet uncompressed. */
        encoder->settings.effort = 0;
        error = open_context(encoder, aq_find_encoder(settings->codec));
    }
    if (error >= 0) error = make_frame(encoder);
    if (error >= 0) {
        uint8_t *const *planes = encoder->frame->extended_data;
        aq_deinterleave(settings->sample, settings->channels, frames, input, planes);
        size_t width = settings->sample == AQ_AV_S16 ? 2 : 4;
        for (int channel = 0; channel < settings->channels; channel++) {
            memset(planes[channel] + (size_t)frames * width, 0, (size_t)(length - frames) * width);
        }
        /* The encoder of IMA 4:1 assumes the constant packet length. */
        encoder->frame->nb_samples = settings->codec == AQ_AV_IMA_QT ? length : frames;
        encoder->frame->pts = encoder->frames;
        encoder->frames += frames;
        error = av.avcodec_send_frame(encoder->context, encoder->frame);
    }
    return error < 0 ? (aq_set_reason_of(reason, error), AQ_AV_FAILED) : AQ_AV_OK;
}

int32_t aq_av_encoder_finish(struct aq_av_encoder *encoder, char *reason) {
    int error = av.avcodec_send_frame(encoder->context, NULL);
    return error < 0 ? (aq_set_reason_of(reason, error), AQ_AV_FAILED) : AQ_AV_OK;
}

int32_t aq_av_encoder_next_packet(struct aq_av_encoder *encoder, const uint8_t **packet, size_t *bytes,
                                  char *reason) {
    av.av_packet_unref(encoder->packet);
    int error = av.avcodec_receive_packet(encoder->context, encoder->packet);
    if (error == AVERROR(EAGAIN)) return AQ_AV_AGAIN;
    if (error == AVERROR_EOF) return AQ_AV_END;
    if (error < 0) return aq_set_reason_of(reason, error), AQ_AV_FAILED;
    *packet = encoder->packet->data;
    *bytes = encoder->packet->size > 0 ? (size_t)encoder->packet->size : 0;
    return AQ_AV_OK;
}

#else

struct aq_av_encoder *aq_av_encoder_open(const struct aq_av_settings *settings, char *reason) {
    return aq_set_reason(reason, aq_av_failure()), NULL;
}
void aq_av_encoder_close(struct aq_av_encoder *encoder) {}
int32_t aq_av_encoder_packet_frames(const struct aq_av_encoder *encoder) { return 0; }
int32_t aq_av_encoder_priming_frames(const struct aq_av_encoder *encoder) { return 0; }
const uint8_t *aq_av_encoder_extradata(const struct aq_av_encoder *encoder, int32_t *bytes) {
    return *bytes = 0, NULL;
}
int32_t aq_av_encoder_append(struct aq_av_encoder *encoder, const void *input, int32_t frames, char *reason) {
    return aq_set_reason(reason, aq_av_failure()), AQ_AV_FAILED;
}
int32_t aq_av_encoder_finish(struct aq_av_encoder *encoder, char *reason) {
    return aq_set_reason(reason, aq_av_failure()), AQ_AV_FAILED;
}
int32_t aq_av_encoder_next_packet(struct aq_av_encoder *encoder, const uint8_t **packet, size_t *bytes,
                                  char *reason) {
    return aq_set_reason(reason, aq_av_failure()), AQ_AV_FAILED;
}

#endif
