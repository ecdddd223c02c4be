/* SPDX-License-Identifier: MIT */

#include "CAQVorbis.h"

#include <CAQLibraries.h>
#include <pthread.h>

static const struct aq_library codec = {{"libvorbis.so.0"}, "libvorbis0a"};
static const struct aq_library encoder = {{"libvorbisenc.so.2"}, "libvorbisenc2"};
static struct aq_vorbis_functions functions;
static char failure[AQ_FAILURE_BYTES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define SYMBOL(name) {#name, (void **)&functions.name},

static void load(void) {
    const struct aq_symbol symbols[] = {AQ_VORBIS_FUNCTIONS(SYMBOL)};
    const struct aq_symbol encoder_symbols[] = {AQ_VORBIS_ENCODE_FUNCTIONS(SYMBOL)};
    if (aq_load_library(&encoder, encoder_symbols, sizeof encoder_symbols / sizeof encoder_symbols[0], failure)) {
        aq_load_library(&codec, symbols, sizeof symbols / sizeof symbols[0], failure);
    }
}

const struct aq_vorbis_functions *aq_vorbis(const char **reason) {
    pthread_once(&once, load);
    *reason = failure;
    return failure[0] == '\0' ? &functions : NULL;
}
