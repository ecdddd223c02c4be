/* SPDX-License-Identifier: MIT */

/* Libraries of the system that are loaded when they are first needed, so that programs start and run without them.
 *
 * The functions may be called on any thread. */
#ifndef CAQLIBRARIES_H
#define CAQLIBRARIES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function or variable of a library, and the pointer that receives its address. */
struct aq_symbol {
    const char *name;
    void **target;
};

/* A library, by what the system and its users know it. */
struct aq_library {
    /* The names of its file, with the version of the binary interface; NULL after the last. The first that can be
       loaded is used. */
    const char *files[4];
    /* A package of Debian and Ubuntu that installs the file. Every release has it: if releases name the library's own
       package differently, it is one that depends on the library. */
    const char *package;
    /* When the package is not enough; NULL if it always is. */
    const char *note;
};

/* The size of the memory for a failure, with its final 0. */
#define AQ_FAILURE_BYTES 384

/* Loads the library, which is never unloaded, and looks up the symbols. Returns false if that fails; `failure` then
 * receives the reason, with the package that has the library if it is not installed. */
bool aq_load_library(const struct aq_library *library, const struct aq_symbol *symbols, size_t count,
                     char *failure);

#ifdef __cplusplus
}
#endif

#endif
