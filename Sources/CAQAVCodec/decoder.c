/* SPDX-License-Identifier: MIT */

#include "library.h"
#include "samples.h"

#include <stdlib.h>
#include <string.h>

#if AQ_HAS_HEADERS

struct aq_av_decoder {
    struct aq_av_settings settings;
    const AVCodec *codec;
    AVCodecContext *context;
    AVFrame *frame;
    AVPacket *packet;
    /* The copy of a packet, with the padding that decoders read beyond it. */
    AVBufferRef *input;
    /* Whether packets have changed the state in which the context was opened. */
    bool is_spoilt;
    uint8_t extradata[];
};

/* The largest number of codec frames after the first in a packet, beyond which the decoder is reset. */
#define EXTRA_FRAMES 8

static int open_context(struct aq_av_decoder *decoder) {
    const struct aq_av_settings *settings = &decoder->settings;
    av.avcodec_free_context(&decoder->context);
    AVCodecContext *context = decoder->context = aq_make_context(decoder->codec, settings);
    if (!context) return AVERROR(ENOMEM);
    /* The caller trims the priming. */
    context->flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL;
    /* A limit for all channels together. The decoder of AAC requests room for 2048 frames before it
       knows their number. */
    int frames = settings->packet_frames < 2048 ? 2048 : settings->packet_frames;
    context->max_samples = (int64_t)frames * settings->channels;
    context->block_align = settings->codec == AQ_AV_IMA_QT ? settings->packet_bytes : 0;
    if (settings->extradata_bytes > 0) {
        context->extradata = av.av_mallocz((size_t)settings->extradata_bytes + AV_INPUT_BUFFER_PADDING_SIZE);
        if (!context->extradata) return AVERROR(ENOMEM);
        memcpy(context->extradata, decoder->extradata, (size_t)settings->extradata_bytes);
        context->extradata_size = settings->extradata_bytes;
    }
    decoder->is_spoilt = false;
    return av.avcodec_open2(context, decoder->codec, NULL);
}

struct aq_av_decoder *aq_av_decoder_open(const struct aq_av_settings *settings, char *reason) {
    if (aq_av_failure()) return aq_set_reason(reason, aq_av_failure()), NULL;
    const AVCodec *codec = aq_find_decoder(settings->codec);
    if (!codec) return aq_set_reason(reason, "libavcodec has no decoder for it"), NULL;
    if (settings->channels < 1 || settings->channels > AQ_AV_CHANNELS || settings->packet_frames < 1 ||
        settings->packet_bytes < 1 || settings->extradata_bytes < 0 ||
        aq_sample_bytes(settings->sample) == 0) {
        return aq_set_reason(reason, "settings out of range"), NULL;
    }
    struct aq_av_decoder *decoder = calloc(1, sizeof *decoder + (size_t)settings->extradata_bytes);
    if (!decoder) return aq_set_reason(reason, "out of memory"), NULL;
    decoder->settings = *settings;
    decoder->codec = codec;
    if (settings->extradata_bytes > 0) {
        memcpy(decoder->extradata, settings->extradata, (size_t)settings->extradata_bytes);
    }
    decoder->settings.extradata = NULL;
    decoder->frame = av.av_frame_alloc();
    decoder->packet = av.av_packet_alloc();
    int error = decoder->frame && decoder->packet ? open_context(decoder) : AVERROR(ENOMEM);
    if (error < 0) {
        aq_set_reason_of(reason, error);
        aq_av_decoder_close(decoder);
        return NULL;
    }
    return decoder;
}

void aq_av_decoder_close(struct aq_av_decoder *decoder) {
    if (!decoder) return;
    av.avcodec_free_context(&decoder->context);
    av.av_frame_free(&decoder->frame);
    av.av_packet_free(&decoder->packet);
    av.av_buffer_unref(&decoder->input);
    free(decoder);
}

void aq_av_decoder_reset(struct aq_av_decoder *decoder) {
    /* Flushing keeps the detected band replication, and in old versions further state. The frames
     * of a new context do not depend on previous packets. */
    decoder->is_spoilt = true;
}

/* Passes a copy of the packet to the library. Once released, its memory is used again. */
static int send(struct aq_av_decoder *decoder, const void *bytes, size_t count) {
    size_t needed = count + AV_INPUT_BUFFER_PADDING_SIZE;
    if (!decoder->input || decoder->input->size < needed || !av.av_buffer_is_writable(decoder->input)) {
        av.av_buffer_unref(&decoder->input);
        decoder->input = av.av_buffer_alloc(needed + count / 2);
        if (!decoder->input) return AVERROR(ENOMEM);
    }
    memcpy(decoder->input->data, bytes, count);
    memset(decoder->input->data + count, 0, AV_INPUT_BUFFER_PADDING_SIZE);
    decoder->packet->buf = decoder->input;
    decoder->packet->data = decoder->input->data;
    decoder->packet->size = (int)count;
    int error = av.avcodec_send_packet(decoder->context, decoder->packet);
    decoder->packet->buf = NULL;
    decoder->packet->data = NULL;
    decoder->packet->size = 0;
    return error;
}

static int channels_of(const AVFrame *frame) {
#if AQ_HAS_LAYOUTS
    return frame->ch_layout.nb_channels;
#else
    return frame->channels;
#endif
}

/* Copies the frame to the output and returns its length; 0 if the frame does not match the settings. */
static int take(struct aq_av_decoder *decoder, uint8_t *output) {
    const AVFrame *frame = decoder->frame;
    const struct aq_av_settings *settings = &decoder->settings;
    if (frame->sample_rate != settings->sample_rate || channels_of(frame) != settings->channels ||
        frame->format != aq_planar_format(settings->sample)) {
        /* A packet with a header of its own has changed the stream. */
        decoder->is_spoilt = true;
        return 0;
    }
    int frames = frame->nb_samples;
    /* Only packets of ALAC may state a shorter length, as the last one does. */
    if (frames < 1 || frames > settings->packet_frames ||
        (frames < settings->packet_frames && settings->codec != AQ_AV_ALAC)) {
        return 0;
    }
    aq_interleave(settings->sample, settings->channels, frames, frame->extended_data, output);
    return frames;
}

int32_t aq_av_decoder_decode(struct aq_av_decoder *decoder, const void *packet, size_t bytes, void *output,
                             int32_t *frames) {
    const struct aq_av_settings *settings = &decoder->settings;
    *frames = 0;
    if (decoder->is_spoilt && open_context(decoder) < 0) {
        decoder->is_spoilt = true;
        return AQ_AV_FAILED;
    }
    /* To the library, an empty packet is the end of the stream. */
    if (bytes > 0 && bytes <= (size_t)settings->packet_bytes) {
        int error = send(decoder, packet, bytes);
        if (error == AVERROR(ENOMEM)) return AQ_AV_FAILED;
        bool is_refused = error == AVERROR(EAGAIN);
        int given = 0;
        while (error >= 0 && given <= EXTRA_FRAMES) {
            error = av.avcodec_receive_frame(decoder->context, decoder->frame);
            if (error < 0) break;
            if (given++ == 0) *frames = take(decoder, output);
            av.av_frame_unref(decoder->frame);
        }
        /* The library would return remaining frames for later packets. */
        if (is_refused || given > EXTRA_FRAMES) decoder->is_spoilt = true;
    }
    if (*frames > 0) return AQ_AV_OK;
    *frames = settings->packet_frames;
    memset(output, 0,
           (size_t)settings->packet_frames * aq_sample_bytes(settings->sample) * (size_t)settings->channels);
    return AQ_AV_DAMAGED;
}

#else

struct aq_av_decoder *aq_av_decoder_open(const struct aq_av_settings *settings, char *reason) {
    return aq_set_reason(reason, aq_av_failure()), NULL;
}
void aq_av_decoder_close(struct aq_av_decoder *decoder) {}
void aq_av_decoder_reset(struct aq_av_decoder *decoder) {}
int32_t aq_av_decoder_decode(struct aq_av_decoder *decoder, const void *packet, size_t bytes, void *output,
                             int32_t *frames) {
    return *frames = 0, AQ_AV_FAILED;
}

#endif
