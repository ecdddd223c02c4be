/* SPDX-License-Identifier: MIT */

#include <opus_multistream.h>

// Swift cannot call functions with variable arguments.

/// Sets the bit rate in bits per second, without a limit for single packets. Returns a status.
static inline int aq_opus_set_bit_rate(OpusMSEncoder *_Nonnull encoder, opus_int32 bit_rate) {
    int status = opus_multistream_encoder_ctl(encoder, OPUS_SET_VBR_CONSTRAINT(0));
    return status == OPUS_OK ? opus_multistream_encoder_ctl(encoder, OPUS_SET_BITRATE(bit_rate)) : status;
}

/// Returns the delay of the encoder in frames of its sample rate; a negative status after a failure.
static inline opus_int32 aq_opus_lookahead(OpusMSEncoder *_Nonnull encoder) {
    opus_int32 frames = 0;
    int status = opus_multistream_encoder_ctl(encoder, OPUS_GET_LOOKAHEAD(&frames));
    return status == OPUS_OK ? frames : status;
}
