/* SPDX-License-Identifier: MIT */

/* Messages to standard error, one line each. <private> replaces values that a format marks {private} or
   {sensitive}. */
#ifndef OS_LOG_H
#define OS_LOG_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A source of messages, which lives as long as the process. */
typedef struct os_log_s *os_log_t;
typedef uint8_t os_log_type_t;

enum {
    OS_LOG_TYPE_DEFAULT = 0x00,
    OS_LOG_TYPE_INFO = 0x01,
    OS_LOG_TYPE_DEBUG = 0x02,
    OS_LOG_TYPE_ERROR = 0x10,
    OS_LOG_TYPE_FAULT = 0x11
};

#define OS_LOG_DEFAULT ((os_log_t)0)
/* A log that drops all messages. */
#define OS_LOG_DISABLED ((os_log_t)1)

/* Makes a log for a part of a program. */
os_log_t os_log_create(const char *subsystem, const char *category);
/* Returns whether messages of a type are written. Debug messages require AQ_LOG_DEBUG=1. */
bool os_log_type_enabled(os_log_t log, os_log_type_t type);
/* Writes a message. The format is that of printf, with annotations such as {public} after percent
   signs. */
void aq_os_log(os_log_t log, os_log_type_t type, const char *format, ...);

#define os_log_with_type(log, type, ...) aq_os_log((log), (type), __VA_ARGS__)
#define os_log(log, ...) aq_os_log((log), OS_LOG_TYPE_DEFAULT, __VA_ARGS__)
#define os_log_info(log, ...) aq_os_log((log), OS_LOG_TYPE_INFO, __VA_ARGS__)
#define os_log_debug(log, ...) aq_os_log((log), OS_LOG_TYPE_DEBUG, __VA_ARGS__)
#define os_log_error(log, ...) aq_os_log((log), OS_LOG_TYPE_ERROR, __VA_ARGS__)
#define os_log_fault(log, ...) aq_os_log((log), OS_LOG_TYPE_FAULT, __VA_ARGS__)
#define os_log_info_enabled(log) os_log_type_enabled((log), OS_LOG_TYPE_INFO)
#define os_log_debug_enabled(log) os_log_type_enabled((log), OS_LOG_TYPE_DEBUG)

#ifdef __cplusplus
}
#endif

#endif
