/* SPDX-License-Identifier: MIT */

#include "library.h"

// The type code of a method call.
enum { method_call = 1 };

// A message exists only after the library was loaded.
#define LIBRARY aq_bus_library()

aq_bus_message *aq_bus_new_call(const char *destination, const char *path, const char *interface,
                                const char *method) {
    return LIBRARY->new_method_call(destination, path, interface, method);
}

aq_bus_message *aq_bus_new_reply(aq_bus_message *call) { return LIBRARY->new_method_return(call); }

aq_bus_message *aq_bus_new_error(aq_bus_message *call, const char *name, const char *text) {
    return LIBRARY->new_error(call, name, text);
}

aq_bus_message *aq_bus_new_signal(const char *path, const char *interface, const char *name) {
    return LIBRARY->new_signal(path, interface, name);
}

void aq_bus_release(aq_bus_message *message) { LIBRARY->message_unref(message); }

bool aq_bus_is_call(aq_bus_message *message) { return LIBRARY->get_type(message) == method_call; }

bool aq_bus_wants_reply(aq_bus_message *call) { return !LIBRARY->get_no_reply(call); }

const char *aq_bus_path_of(aq_bus_message *message) { return LIBRARY->get_path(message); }

const char *aq_bus_interface_of(aq_bus_message *message) { return LIBRARY->get_interface(message); }

const char *aq_bus_member_of(aq_bus_message *message) { return LIBRARY->get_member(message); }

const char *aq_bus_signature_of(aq_bus_message *message) { return LIBRARY->get_signature(message); }

void aq_bus_begin_append(aq_bus_message *message, aq_bus_iterator *iterator) {
    LIBRARY->init_append(message, iterator);
}

bool aq_bus_append(aq_bus_iterator *iterator, aq_bus_type type, const void *value) {
    return LIBRARY->append_basic(iterator, type, value);
}

bool aq_bus_open_container(aq_bus_iterator *outer, aq_bus_type type, const char *signature,
                           aq_bus_iterator *inner) {
    return LIBRARY->open_container(outer, type, signature, inner);
}

bool aq_bus_close_container(aq_bus_iterator *outer, aq_bus_iterator *inner) {
    return LIBRARY->close_container(outer, inner);
}

void aq_bus_abandon_container(aq_bus_iterator *outer, aq_bus_iterator *inner) {
    LIBRARY->abandon_container(outer, inner);
}

bool aq_bus_begin_read(aq_bus_message *message, aq_bus_iterator *iterator) {
    return LIBRARY->init_read(message, iterator);
}

int aq_bus_type_at(aq_bus_iterator *iterator) { return LIBRARY->type_at(iterator); }

bool aq_bus_advance(aq_bus_iterator *iterator) { return LIBRARY->next(iterator); }

void aq_bus_enter(aq_bus_iterator *outer, aq_bus_iterator *inner) { LIBRARY->recurse(outer, inner); }

void aq_bus_read(aq_bus_iterator *iterator, void *value) { LIBRARY->get_basic(iterator, value); }
