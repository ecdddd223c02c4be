/* SPDX-License-Identifier: MIT */

/* For RTLD_NODELETE in <dlfcn.h>. */
#define _GNU_SOURCE
#include "CAQLibraries.h"

#include <dlfcn.h>
#include <stdio.h>

/* Sets `file` to the name of the file that was opened. */
static void *open_first(const struct aq_library *library, const char **file, char *failure) {
    failure[0] = '\0';
    for (size_t i = 0; i < sizeof library->files / sizeof library->files[0] && library->files[i]; i++) {
        /* Local, so that another version of the library in the process keeps its own functions. Never unloaded,
           because libraries keep data of threads. */
        *file = library->files[i];
        void *handle = dlopen(*file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (handle) return handle;
        const char *reason = dlerror();
        /* The first file is the one to install. */
        if (i == 0) {
            snprintf(failure, AQ_FAILURE_BYTES, "%s; on Debian and Ubuntu, type: apt install %s%s%s%s",
                     reason ? reason : *file, library->package, library->note ? " (" : "",
                     library->note ? library->note : "", library->note ? ")" : "");
        }
    }
    return NULL;
}

bool aq_load_library(const struct aq_library *library, const struct aq_symbol *symbols, size_t count,
                     char *failure) {
    const char *file = NULL;
    void *handle = open_first(library, &file, failure);
    if (!handle) return false;
    failure[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        *symbols[i].target = dlsym(handle, symbols[i].name);
        if (!*symbols[i].target) {
            snprintf(failure, AQ_FAILURE_BYTES, "%s has no %s", file, symbols[i].name);
            return false;
        }
    }
    return true;
}
