// The functions of libdbus that are used, loaded at run time. None is variadic.

#ifndef CREALTIMEKIT_LIBRARY_H
#define CREALTIMEKIT_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bus_connection bus_connection;
typedef struct bus_message bus_message;
typedef uint32_t bus_bool;

// An error of the library. The layout is published, and part of the binary interface.
typedef struct {
    const char *name;
    const char *message;
    unsigned bits;
    void *padding;
} bus_error;

// The state of an iterator in the caller's memory, of which the library uses 72 bytes.
typedef struct {
    void *storage[16];
} bus_iterator;

// Type codes of the wire format.
enum {
    bus_string = 's',
    bus_variant = 'v',
    bus_int32 = 'i',
    bus_uint32 = 'u',
    bus_int64 = 'x',
    bus_uint64 = 't',
};

struct bus_library {
    bus_bool (*threads_init_default)(void);
    void (*error_init)(bus_error *error);
    void (*error_free)(bus_error *error);
    void (*set_change_sigpipe)(bus_bool will_modify);
    bus_connection *(*open_private)(const char *address, bus_error *error);
    void (*set_exit_on_disconnect)(bus_connection *connection, bus_bool exits);
    void (*close)(bus_connection *connection);
    void (*connection_unref)(bus_connection *connection);
    bus_bool (*read_write)(bus_connection *connection, int milliseconds);
    bus_bool (*is_authenticated)(bus_connection *connection);
    bus_message *(*new_method_call)(const char *destination, const char *path, const char *interface,
                                    const char *method);
    void (*message_unref)(bus_message *message);
    bus_message *(*send_and_wait)(bus_connection *connection, bus_message *message, int milliseconds,
                                  bus_error *error);
    void (*init_append)(bus_message *message, bus_iterator *iterator);
    bus_bool (*append_basic)(bus_iterator *iterator, int type, const void *value);
    bus_bool (*init_read)(bus_message *message, bus_iterator *iterator);
    int (*type_at)(bus_iterator *iterator);
    void (*recurse)(bus_iterator *iterator, bus_iterator *inner);
    void (*get_basic)(bus_iterator *iterator, void *value);
};

// Returns the library; NULL if it is missing, or lacks a function. May be called from any thread.
const struct bus_library *aq_bus_library(void);

#endif
