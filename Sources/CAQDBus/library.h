/* SPDX-License-Identifier: MIT */

// The functions of libdbus that are used, loaded at run time. None is variadic.

#ifndef CDBUS_LIBRARY_H
#define CDBUS_LIBRARY_H

#include "CAQDBus.h"

typedef struct bus_connection bus_connection;
typedef uint32_t bus_bool;

// An error of the library. The layout is published, and part of the binary interface.
typedef struct {
    const char *name;
    const char *message;
    unsigned bits;
    void *padding;
} bus_error;

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
    bus_bool (*get_unix_fd)(bus_connection *connection, int *descriptor);
    bus_bool (*has_messages_to_send)(bus_connection *connection);
    aq_bus_message *(*pop_message)(bus_connection *connection);
    bus_bool (*send)(bus_connection *connection, aq_bus_message *message, uint32_t *serial);
    aq_bus_message *(*send_and_wait)(bus_connection *connection, aq_bus_message *message, int milliseconds,
                                     bus_error *error);

    aq_bus_message *(*new_method_call)(const char *destination, const char *path, const char *interface,
                                       const char *method);
    aq_bus_message *(*new_method_return)(aq_bus_message *call);
    aq_bus_message *(*new_error)(aq_bus_message *call, const char *name, const char *text);
    aq_bus_message *(*new_signal)(const char *path, const char *interface, const char *name);
    void (*message_unref)(aq_bus_message *message);
    int (*get_type)(aq_bus_message *message);
    bus_bool (*get_no_reply)(aq_bus_message *message);
    const char *(*get_path)(aq_bus_message *message);
    const char *(*get_interface)(aq_bus_message *message);
    const char *(*get_member)(aq_bus_message *message);
    const char *(*get_signature)(aq_bus_message *message);

    void (*init_append)(aq_bus_message *message, aq_bus_iterator *iterator);
    bus_bool (*append_basic)(aq_bus_iterator *iterator, int type, const void *value);
    bus_bool (*open_container)(aq_bus_iterator *outer, int type, const char *signature, aq_bus_iterator *inner);
    bus_bool (*close_container)(aq_bus_iterator *outer, aq_bus_iterator *inner);
    void (*abandon_container)(aq_bus_iterator *outer, aq_bus_iterator *inner);
    bus_bool (*init_read)(aq_bus_message *message, aq_bus_iterator *iterator);
    int (*type_at)(aq_bus_iterator *iterator);
    bus_bool (*next)(aq_bus_iterator *iterator);
    void (*recurse)(aq_bus_iterator *iterator, aq_bus_iterator *inner);
    void (*get_basic)(aq_bus_iterator *iterator, void *value);
};

// Returns the library; NULL if it is missing, or lacks a function. May be called from any thread.
const struct bus_library *aq_bus_library(void);

#endif
