/* SPDX-License-Identifier: MIT */

/* The audio codecs of libavcodec, which is loaded on first use.
 *
 * This module is not linked against libavcodec, and exposes none of its types. So programs that need
 * none of these codecs load neither libavcodec nor its dependencies.
 *
 * Functions may be called on any thread. A decoder or encoder is used by one thread at a time. No
 * threads are started, and no messages are logged. */
#ifndef CAQAVCODEC_H
#define CAQAVCODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The codecs. */
enum : int32_t {
    AQ_AV_AAC = 1,
    AQ_AV_ALAC = 2,
    AQ_AV_IMA_QT = 3, /* IMA 4:1 as QuickTime packs it */
    AQ_AV_MP3 = 4,    /* encoder only */
};

/* The caller's sample formats: interleaved, native byte order, without padding. */
enum : int32_t {
    AQ_AV_S16 = 1,
    AQ_AV_S24 = 2, /* three bytes a sample */
    AQ_AV_S32 = 3,
    AQ_AV_FLOAT = 4,
};

/* The result of a call. */
enum : int32_t {
    AQ_AV_OK = 1,
    AQ_AV_DAMAGED = 2, /* silence replaces the packet's frames */
    AQ_AV_AGAIN = 3,   /* further frames are required for a packet */
    AQ_AV_END = 4,     /* there are no further packets */
    AQ_AV_FAILED = 5,  /* no further call will succeed */
};

/* The size of the memory for a reason, with its final 0. */
#define AQ_AV_REASON_BYTES 192

/* The largest number of channels of a stream. */
#define AQ_AV_CHANNELS 8

/* The settings of a decoder or encoder. Fields that do not apply are 0. */
struct aq_av_settings {
    int32_t codec;
    int32_t sample;
    int32_t sample_rate;
    int32_t channels;
    /* The speakers as bits of WAVE files. Samples are interleaved from the lowest bit upwards. */
    uint64_t channel_mask;
    /* Decoders: the number of frames in every packet. */
    int32_t packet_frames;
    /* Decoders: the size of the largest packet in bytes. A larger packet counts as damaged. */
    int32_t packet_bytes;
    /* Decoders: the magic cookie in the codec's own form, which is copied. */
    const uint8_t *_Nullable extradata;
    int32_t extradata_bytes;
    /* Encoders: the bit rate in bits per second. */
    int64_t bit_rate;
    /* Encoders: the effort, as a number of the codec; -1 for the codec's default. */
    int32_t effort;
    /* Encoders of AAC: the name of the search for scale factors; NULL for the default. */
    const char *_Nullable search;
};

struct aq_av_decoder;
struct aq_av_encoder;

/* Loads the library if necessary. Returns NULL if it can be used, otherwise the reason of the failure. */
const char *_Nullable aq_av_failure(void);

/* Returns whether the library can be used and has the codec. Loads the library if necessary. */
bool aq_av_has_decoder(int32_t codec);
bool aq_av_has_encoder(int32_t codec);

/* Opens a decoder; NULL if that fails, with the cause in `reason`. */
struct aq_av_decoder *_Nullable aq_av_decoder_open(const struct aq_av_settings *_Nonnull settings,
                                                   char *_Nonnull reason);
void aq_av_decoder_close(struct aq_av_decoder *_Nullable decoder);

/* Decodes one packet. `output` must have room for `packet_frames` frames, and `frames` receives the
 * number written: all, except for a packet of Apple Lossless that states a smaller number.
 *
 * Returns AQ_AV_OK, AQ_AV_DAMAGED, or AQ_AV_FAILED, and then `frames` is 0. */
int32_t aq_av_decoder_decode(struct aq_av_decoder *_Nonnull decoder, const void *_Nullable packet,
                             size_t bytes, void *_Nonnull output, int32_t *_Nonnull frames);

/* Drops all packets. The next packet begins a stream. */
void aq_av_decoder_reset(struct aq_av_decoder *_Nonnull decoder);

/* Opens an encoder; NULL if that fails, with the cause in `reason`. */
struct aq_av_encoder *_Nullable aq_av_encoder_open(const struct aq_av_settings *_Nonnull settings,
                                                   char *_Nonnull reason);
void aq_av_encoder_close(struct aq_av_encoder *_Nullable encoder);

/* Returns the number of frames in a packet. */
int32_t aq_av_encoder_packet_frames(const struct aq_av_encoder *_Nonnull encoder);
/* Returns the number of frames that a decoder outputs before the first encoded one. */
int32_t aq_av_encoder_priming_frames(const struct aq_av_encoder *_Nonnull encoder);
/* Returns the magic cookie in the codec's own form, valid until frames are appended, and its size;
 * NULL and 0 if there is none. */
const uint8_t *_Nullable aq_av_encoder_extradata(const struct aq_av_encoder *_Nonnull encoder,
                                                 int32_t *_Nonnull bytes);

/* Takes the frames of one packet; fewer only at the end. There is room for them after
 * aq_av_encoder_next_packet has returned AQ_AV_AGAIN. Samples are limited to sixteen times full
 * scale, and NaN becomes silence.
 *
 * Returns AQ_AV_OK or AQ_AV_FAILED. */
int32_t aq_av_encoder_append(struct aq_av_encoder *_Nonnull encoder, const void *_Nonnull input,
                             int32_t frames, char *_Nonnull reason);
/* Marks the end of the frames. Returns AQ_AV_OK or AQ_AV_FAILED. */
int32_t aq_av_encoder_finish(struct aq_av_encoder *_Nonnull encoder, char *_Nonnull reason);

/* Sets `packet` to the next packet, valid until the next call, and `bytes` to its size.
 *
 * Returns AQ_AV_OK, AQ_AV_AGAIN, AQ_AV_END or AQ_AV_FAILED. */
int32_t aq_av_encoder_next_packet(struct aq_av_encoder *_Nonnull encoder,
                                  const uint8_t *_Nullable *_Nonnull packet, size_t *_Nonnull bytes,
                                  char *_Nonnull reason);

#endif
