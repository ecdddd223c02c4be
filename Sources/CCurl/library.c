/* SPDX-License-Identifier: MIT */

#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

// The file names of the library, which distributions build with either of two libraries for encryption.
static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

static struct curl_library library;
static pthread_once_t once = PTHREAD_ONCE_INIT;
// The reason why the library cannot be loaded; empty if it is loaded.
static char load_failure[256] = "libcurl is not installed";

static bool find_symbols(void *handle) {
    struct {
        const char *name;
        void **target;
    } symbols[] = {
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
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        *symbols[i].target = dlsym(handle, symbols[i].name);
        if (*symbols[i].target == NULL) {
            snprintf(load_failure, sizeof load_failure, "libcurl is too old: it has no %s", symbols[i].name);
            return false;
        }
    }
    return true;
}

static void load(void) {
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        // Never closed, because libraries below it keep data of threads.
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (handle == NULL) {
            continue;
        }
        if (!find_symbols(handle)) {
            return;
        }
        if (library.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
            snprintf(load_failure, sizeof load_failure, "libcurl cannot be initialized");
            return;
        }
        load_failure[0] = '\0';
        return;
    }
}

const struct curl_library *aq_curl_library(const char **reason) {
    pthread_once(&once, load);
    *reason = load_failure;
    return load_failure[0] == '\0' ? &library : NULL;
}
