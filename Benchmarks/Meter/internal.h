/* What the meter's own files share. */
#ifndef AUDIO_METER_INTERNAL_H
#define AUDIO_METER_INTERNAL_H

#include <stdatomic.h>

typedef enum { METER_ALLOCATION, METER_FREE, METER_LOCK, METER_WAIT, METER_RETAIN, METER_KINDS } meter_kind;

/* Something was called, from the code at `caller`. */
void meter_count(meter_kind kind, const void *caller);

/* What would have been called without this library. Looked up at the first call, which may come before anything
 * of this library could have run. */
void *meter_next(_Atomic(void *) *known, const char *name);

/* Defines a function that counts, and then does what the one behind it does. */
#define COUNTED(kind, result, name, parameters, arguments) \
    result name parameters { \
        static _Atomic(void *) known; \
        meter_count(kind, __builtin_return_address(0)); \
        return ((result(*) parameters)meter_next(&known, #name))arguments; \
    }

#endif
