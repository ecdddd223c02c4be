/* The audio codecs of libavcodec, which is loaded on first use.
 *
 * Nothing here is linked against libavcodec, and none of its types are visible, so that programs
 * that need none of these codecs load neither it nor the libraries that it depends on.
 *
 * Any function may be called on any thread; one decoder or encoder is used by one thread at a time.
 * No threads are started, and nothing is logged. */
#ifndef CAVCODEC_H
#define CAVCODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Codecs. */
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
    AQ_AV_AGAIN = 3,   /* frames are needed before there is a packet */
    AQ_AV_END = 4,     /* there are no further packets */
    AQ_AV_FAILED = 5,  /* no further call will succeed */
};

/* The size of a reason in words, with its final 0. */
#define AQ_AV_REASON_BYTES 192

/* The largest number of channels of a stream. */
#define AQ_AV_CHANNELS 8

/* The settings of a decoder or encoder. Fields that do not apply are 0. */
struct aq_av_settings {
    int32_t codec;
    int32_t sample;
    int32_t sample_rate;
    int32_t channels;
    /* The speakers, as bits of WAVE files; samples are interleaved from the lowest bit upwards. */
    uint64_t channel_mask;
    /* Decoders: the number of frames that every packet gives. */
    int32_t packet_frames;
    /* Decoders: the size of the largest packet in bytes; a larger one is damaged. */
    int32_t packet_bytes;
    /* Decoders: the codec's own form of the cookie; copied. */
    const uint8_t *_Nullable extradata;
    int32_t extradata_bytes;
    /* Encoders: bits per second. */
    int64_t bit_rate;
    /* Encoders: the effort, in the codec's own numbers; -1 for its default. */
    int32_t effort;
    /* Encoders of AAC: the name of the search for scale factors; NULL for the default. */
    const char *_Nullable search;
};

struct aq_av_decoder;
struct aq_av_encoder;

/* Loads the library if necessary. NULL if it can be used, otherwise the reason why not. */
const char *_Nullable aq_av_failure(void);

/* Whether the library, once loaded, has the codec. */
bool aq_av_has_decoder(int32_t codec);
bool aq_av_has_encoder(int32_t codec);

/* NULL if that cannot be decoded, with the reason in `reason`. */
struct aq_av_decoder *_Nullable aq_av_decoder_open(const struct aq_av_settings *_Nonnull settings,
                                                   char *_Nonnull reason);
void aq_av_decoder_close(struct aq_av_decoder *_Nullable decoder);

/* Decodes one packet. `output` has room for `packet_frames` frames, and `frames` receives the
 * number written: all, except for a packet of Apple Lossless that states fewer.
 *
 * Returns AQ_AV_OK, AQ_AV_DAMAGED, or AQ_AV_FAILED, and then `frames` is 0. */
int32_t aq_av_decoder_decode(struct aq_av_decoder *_Nonnull decoder, const void *_Nullable packet,
                             size_t bytes, void *_Nonnull output, int32_t *_Nonnull frames);

/* Drops all packets. */
void aq_av_decoder_reset(struct aq_av_decoder *_Nonnull decoder);

/* NULL if that cannot be encoded, with the reason in `reason`. */
struct aq_av_encoder *_Nullable aq_av_encoder_open(const struct aq_av_settings *_Nonnull settings,
                                                   char *_Nonnull reason);
void aq_av_encoder_close(struct aq_av_encoder *_Nullable encoder);

/* The number of frames in a packet. */
int32_t aq_av_encoder_packet_frames(const struct aq_av_encoder *_Nonnull encoder);
/* The number of frames that a decoder outputs before the first encoded one. */
int32_t aq_av_encoder_priming_frames(const struct aq_av_encoder *_Nonnull encoder);
/* The magic cookie in the codec's own form, and its size; NULL and 0 if there is none. Valid until
 * frames are appended. */
const uint8_t *_Nullable aq_av_encoder_extradata(const struct aq_av_encoder *_Nonnull encoder,
                                                 int32_t *_Nonnull bytes);

/* Takes the frames of one packet; fewer only at the end. After AQ_AV_AGAIN from
 * aq_av_encoder_next_packet there is room for them. Samples beyond sixteen times full scale are
 * limited to that, and those that are not numbers become silence.
 *
 * Returns AQ_AV_OK or AQ_AV_FAILED. */
int32_t aq_av_encoder_append(struct aq_av_encoder *_Nonnull encoder, const void *_Nonnull input,
                             int32_t frames, char *_Nonnull reason);
/* Marks the end of the frames. */
int32_t aq_av_encoder_finish(struct aq_av_encoder *_Nonnull encoder, char *_Nonnull reason);

/* Returns the next packet, valid until the next call.
 *
 * Returns AQ_AV_OK, AQ_AV_AGAIN, AQ_AV_END or AQ_AV_FAILED. */
int32_t aq_av_encoder_next_packet(struct aq_av_encoder *_Nonnull encoder,
                                  const uint8_t *_Nullable *_Nonnull packet, size_t *_Nonnull bytes,
                                  char *_Nonnull reason);

#endif
