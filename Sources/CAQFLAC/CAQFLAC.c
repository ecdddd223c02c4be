/* SPDX-License-Identifier: MIT */

#include "CAQFLAC.h"

#include <CAQLibraries.h>
#include <pthread.h>

/* The package of the library itself has another name in each release. */
static const struct aq_library flac = {{"libFLAC.so.14", "libFLAC.so.12"}, "flac"};
static struct aq_flac_functions functions;
static char failure[AQ_FAILURE_BYTES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define SYMBOL(name) {"FLAC__" #name, (void **)&functions.name},

static void load(void) {
    const struct aq_symbol symbols[] = {
        AQ_FLAC_FUNCTIONS(SYMBOL){"FLAC__VENDOR_STRING", (void **)&functions.vendor}};
    aq_load_library(&flac, symbols, sizeof symbols / sizeof symbols[0], failure);
}

const struct aq_flac_functions *aq_flac(const char **reason) {
    pthread_once(&once, load);
    *reason = failure;
    return failure[0] == '\0' ? &functions : NULL;
}
