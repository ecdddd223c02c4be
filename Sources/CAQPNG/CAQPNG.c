/* SPDX-License-Identifier: MIT */

#include "CAQPNG.h"

#include <CAQLibraries.h>
#include <pthread.h>

static const struct aq_library png = {{"libpng16.so.16"}, "libpng16-16"};
static struct aq_png_functions functions;
static char failure[AQ_FAILURE_BYTES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define SYMBOL(name) {#name, (void **)&functions.name},

static void load(void) {
    const struct aq_symbol symbols[] = {AQ_PNG_FUNCTIONS(SYMBOL)};
    aq_load_library(&png, symbols, sizeof symbols / sizeof symbols[0], failure);
}

const struct aq_png_functions *aq_png(const char **reason) {
    pthread_once(&once, load);
    *reason = failure;
    return failure[0] == '\0' ? &functions : NULL;
}
