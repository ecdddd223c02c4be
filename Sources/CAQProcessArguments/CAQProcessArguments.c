/* SPDX-License-Identifier: MIT */

#include "CAQProcessArguments.h"

static int kept_count;
static char **kept_arguments;

// The C library passes the arguments of `main` to a constructor.
__attribute__((constructor)) static void keep(int count, char **arguments) {
    kept_count = count;
    kept_arguments = arguments;
}

char **aq_process_arguments(int *count) {
    *count = kept_count;
    return kept_arguments;
}

__attribute__((weak)) char **_swift_stdlib_getUnsafeArgvArgc(int *count) { return aq_process_arguments(count); }

__attribute__((weak)) void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count) {
    kept_count = count;
    kept_arguments = arguments;
}
