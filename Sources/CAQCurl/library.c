/* SPDX-License-Identifier: MIT */

#include "library.h"

#include <CAQLibraries.h>
#include <pthread.h>
#include <stdio.h>

// Distributions build the library with either of two libraries for encryption.
static const struct aq_library names = {{"libcurl.so.4", "libcurl-gnutls.so.4"}, "libcurl4"};

static struct curl_library library;
static pthread_once_t once = PTHREAD_ONCE_INIT;
// The reason why the library cannot be loaded; empty if it is loaded.
static char load_failure[AQ_FAILURE_BYTES];

static void load(void) {
    const struct aq_symbol symbols[] = {
        {"curl_global_init", (void **)&library.global_init},
        {"curl_easy_init", (void **)&library.easy_init},
        {"curl_easy_setopt", (void **)&library.easy_set},
        {"curl_easy_getinfo", (void **)&library.easy_get},
        {"curl_easy_reset", (void **)&library.easy_reset},
        {"curl_easy_cleanup", (void **)&library.easy_cleanup},
        {"curl_easy_strerror", (void **)&library.easy_strerror},
        {"curl_multi_init", (void **)&library.multi_init},
        {"curl_multi_add_handle", (void **)&library.multi_add_handle},
        {"curl_multi_remove_handle", (void **)&library.multi_remove_handle},
        {"curl_multi_perform", (void **)&library.multi_perform},
        {"curl_multi_poll", (void **)&library.multi_poll},
        {"curl_multi_wakeup", (void **)&library.multi_wakeup},
        {"curl_multi_info_read", (void **)&library.multi_info_read},
        {"curl_multi_cleanup", (void **)&library.multi_cleanup},
        {"curl_slist_append", (void **)&library.slist_append},
        {"curl_slist_free_all", (void **)&library.slist_free_all},
    };
    if (aq_load_library(&names, symbols, sizeof symbols / sizeof symbols[0], load_failure) &&
        library.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        snprintf(load_failure, sizeof load_failure, "libcurl cannot be initialized");
    }
}

const struct curl_library *aq_curl_library(const char **reason) {
    pthread_once(&once, load);
    *reason = load_failure;
    return load_failure[0] == '\0' ? &library : NULL;
}
