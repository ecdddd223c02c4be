/* SPDX-License-Identifier: MIT */

#include "CAQOpus.h"

#include <CAQLibraries.h>
#include <pthread.h>

static int (*control)(OpusMSEncoder *encoder, int request, ...);
static int (*decoder_control)(OpusMSDecoder *decoder, int request, ...);

static int set_bit_rate(OpusMSEncoder *encoder, opus_int32 bit_rate) {
    int status = control(encoder, OPUS_SET_VBR_CONSTRAINT(0));
    return status == OPUS_OK ? control(encoder, OPUS_SET_BITRATE(bit_rate)) : status;
}

static opus_int32 lookahead(OpusMSEncoder *encoder) {
    opus_int32 frames = 0;
    int status = control(encoder, OPUS_GET_LOOKAHEAD(&frames));
    return status == OPUS_OK ? frames : status;
}

static int set_gain(OpusMSDecoder *decoder, opus_int32 gain) { return decoder_control(decoder, OPUS_SET_GAIN(gain)); }

static int reset(OpusMSDecoder *decoder) { return decoder_control(decoder, OPUS_RESET_STATE); }

static const struct aq_library opus = {{"libopus.so.0"}, "libopus0"};
static struct aq_opus_functions functions = {
    .set_bit_rate = set_bit_rate, .lookahead = lookahead, .set_gain = set_gain, .reset = reset};
static char failure[AQ_FAILURE_BYTES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define SYMBOL(name) {#name, (void **)&functions.name},

static void load(void) {
    const struct aq_symbol symbols[] = {
        AQ_OPUS_FUNCTIONS(SYMBOL){"opus_multistream_encoder_ctl", (void **)&control},
        {"opus_multistream_decoder_ctl", (void **)&decoder_control}};
    aq_load_library(&opus, symbols, sizeof symbols / sizeof symbols[0], failure);
}

const struct aq_opus_functions *aq_opus(const char **reason) {
    pthread_once(&once, load);
    *reason = failure;
    return failure[0] == '\0' ? &functions : NULL;
}
