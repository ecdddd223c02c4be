/* SPDX-License-Identifier: MIT */

/* Declarations for the files of the meter. */
#ifndef AUDIO_METER_INTERNAL_H
#define AUDIO_METER_INTERNAL_H

#include <stdatomic.h>

typedef enum { METER_ALLOCATION, METER_FREE, METER_LOCK, METER_WAIT, METER_RETAIN, METER_KINDS } meter_kind;

/* Counts a call that was made by the code at `caller`. */
void meter_count(meter_kind kind, const void *caller);

/* Returns the function that would be called without this library. It is looked up at the first call, because a
 * constructor of this library might run too late. */
void *meter_next(_Atomic(void *) *known, const char *name);

/* Defines a function that counts a call, and then calls the function of the same name in the next library. */
#define COUNTED(kind, result, name, parameters, arguments) \
    result name parameters { \
        static _Atomic(void *) known; \
        meter_count(kind, __builtin_return_address(0)); \
        return ((result(*) parameters)meter_next(&known, #name))arguments; \
    }

#endif
