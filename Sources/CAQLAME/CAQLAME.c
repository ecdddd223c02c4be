/* SPDX-License-Identifier: MIT */

#include "CAQLAME.h"

#include <CAQLibraries.h>
#include <pthread.h>

#ifdef AQ_LAME_FUNCTIONS

static const struct aq_library lame = {{"libmp3lame.so.0"}, "libmp3lame0"};
static struct aq_lame_functions functions;
static char failure[AQ_FAILURE_BYTES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define SYMBOL(name) {#name, (void **)&functions.name},

static void load(void) {
    const struct aq_symbol symbols[] = {AQ_LAME_FUNCTIONS(SYMBOL)};
    aq_load_library(&lame, symbols, sizeof symbols / sizeof symbols[0], failure);
}

const struct aq_lame_functions *aq_lame(const char **reason) {
    pthread_once(&once, load);
    *reason = failure;
    return failure[0] == '\0' ? &functions : NULL;
}

#endif
