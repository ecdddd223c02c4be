#define _GNU_SOURCE
#include "os/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct os_log_s {
    char name[];
};

os_log_t os_log_create(const char *subsystem, const char *category) {
    size_t bytes = strlen(subsystem) + strlen(category) + sizeof "[:] ";
    os_log_t log = malloc(bytes);
    if (log) snprintf(log->name, bytes, "[%s:%s] ", subsystem, category);
    return log;
}

bool os_log_type_enabled(os_log_t log, os_log_type_t type) {
    if (log == OS_LOG_DISABLED) return false;
    const char *debug = getenv("AQ_LOG_DEBUG");
    return type != OS_LOG_TYPE_DEBUG || (debug && !strcmp(debug, "1"));
}

/* Copies a format without the annotations in braces after percent signs. A private string gets no width and a
 * precision of 0, so that it is not printed. Private values of other types are printed. */
static void copy_format(char *to, const char *from) {
    while (*from) {
        if (from[0] == '%' && from[1] == '{') {
            const char *end = strchr(from, '}');
            if (!end) break;
            bool is_hidden = memmem(from, (size_t)(end - from), "private", 7) || memmem(from, (size_t)(end - from), "sensitive", 9);
            from = end + 1;
            *to++ = '%';
            if (is_hidden && *from == 's') to = stpcpy(to, ".0");
        } else if (from[0] == '%' && from[1] == '%') {
            *to++ = *from++;
            *to++ = *from++;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

void aq_os_log(os_log_t log, os_log_type_t type, const char *format, ...) {
    int error = errno;
    if (!os_log_type_enabled(log, type)) return;
    char *copy = malloc(2 * strlen(format) + 1);
    if (!copy) return;
    copy_format(copy, format);
    flockfile(stderr);
    if (log != OS_LOG_DEFAULT) fputs(log->name, stderr);
    va_list arguments;
    va_start(arguments, format);
    errno = error; /* for %m */
    vfprintf(stderr, copy, arguments);
    va_end(arguments);
    putc('\n', stderr);
    funlockfile(stderr);
    free(copy);
    errno = error;
}
