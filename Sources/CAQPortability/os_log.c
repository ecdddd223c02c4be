/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE
#include "os/log.h"

#include <errno.h>
#include <printf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

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

/* Skips the arguments of one conversion: up to a width, a precision and a value. */
static void skip_arguments(const char *conversion, va_list *arguments) {
    int types[3];
    size_t count = parse_printf_format(conversion, 3, types);
    for (size_t i = 0; i < count && i < 3; i++) {
        bool is_long = types[i] & PA_FLAG_LONG, is_longest = types[i] & PA_FLAG_LONG_LONG;
        if (types[i] & PA_FLAG_PTR) {
            (void)va_arg(*arguments, void *);
            continue;
        }
        switch (types[i] & ~PA_FLAG_MASK) {
        case PA_STRING:
        case PA_WSTRING:
        case PA_POINTER: (void)va_arg(*arguments, void *); break;
        case PA_FLOAT:
        case PA_DOUBLE:
            if (is_longest) (void)va_arg(*arguments, long double);
            else (void)va_arg(*arguments, double);
            break;
        case PA_WCHAR: (void)va_arg(*arguments, wint_t); break;
        default:
            if (is_longest) (void)va_arg(*arguments, long long);
            else if (is_long) (void)va_arg(*arguments, long);
            else (void)va_arg(*arguments, int);
        }
    }
}

/* Writes a message whose format may have annotations in braces after percent signs. Each conversion is written alone,
 * because <private> replaces the values that annotations hide, whatever their types.
 *
 * conversion: Room for a copy of the format. */
static void write_message(FILE *to, const char *format, char *conversion, va_list *arguments) {
    int error = errno;
    while (*format) {
        size_t plain = strcspn(format, "%");
        fwrite(format, 1, plain, to);
        format += plain;
        if (!*format) break;
        bool is_hidden = false;
        format++;
        if (*format == '{') {
            const char *end = strchr(format, '}');
            if (!end) break;
            size_t bytes = (size_t)(end - format);
            is_hidden = memmem(format, bytes, "private", 7) || memmem(format, bytes, "sensitive", 9);
            format = end + 1;
        }
        size_t bytes = strspn(format, "-+ #0123456789.*'hlqLjzt");
        if (format[bytes]) bytes++;
        conversion[0] = '%';
        memcpy(conversion + 1, format, bytes);
        conversion[bytes + 1] = '\0';
        format += bytes;
        if (is_hidden) {
            fputs("<private>", to);
        } else {
            va_list same;
            va_copy(same, *arguments);
            errno = error; /* for %m */
            vfprintf(to, conversion, same);
            va_end(same);
        }
        skip_arguments(conversion, arguments);
    }
}

void aq_os_log(os_log_t log, os_log_type_t type, const char *format, ...) {
    int error = errno;
    if (!os_log_type_enabled(log, type)) return;
    char *line = NULL;
    size_t bytes = 0;
    char *conversion = malloc(strlen(format) + 1);
    FILE *to = open_memstream(&line, &bytes);
    if (conversion && to) {
        if (log != OS_LOG_DEFAULT) fputs(log->name, to);
        va_list arguments;
        va_start(arguments, format);
        errno = error;
        write_message(to, format, conversion, &arguments);
        va_end(arguments);
        putc('\n', to);
    }
    /* Written at once, so that lines of several threads do not mix. */
    if (to && fclose(to) == 0) fwrite(line, 1, bytes, stderr);
    free(line);
    free(conversion);
    errno = error;
}
