/* SPDX-License-Identifier: MIT */

// Connections to a message bus (D-Bus), and their messages, over libdbus, which is loaded on first use. No header of
// libdbus is required.
//
// A connection and its messages are used by one thread at a time. No function ends the process, changes signal
// handling, or keeps a thread.

#ifndef CAQDBUS_H
#define CAQDBUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct aq_bus aq_bus;
typedef struct aq_bus_message aq_bus_message;

/// The size of the longest name of an error, with the zero byte.
enum { aq_bus_name_bytes = 256 };

/// Type codes of the wire format.
typedef enum : int {
    aq_bus_string = 's',
    aq_bus_path = 'o',
    aq_bus_boolean = 'b',
    aq_bus_int32 = 'i',
    aq_bus_uint32 = 'u',
    aq_bus_int64 = 'x',
    aq_bus_uint64 = 't',
    aq_bus_double = 'd',
    aq_bus_variant = 'v',
    aq_bus_array = 'a',
    aq_bus_entry = 'e',
} aq_bus_type;

/// A position in a message, in memory of the caller, of which libdbus uses 72 bytes.
typedef struct {
    void *_Nullable storage[16];
} aq_bus_iterator;

// Connections

/// Connects to the bus at an address, and registers there.
///
/// Waits up to `milliseconds` for authentication, and as long again for the registration. Returns NULL if libdbus is
/// missing, or no bus answers.
aq_bus *_Nullable aq_bus_open(const char *_Nonnull address, int milliseconds);

/// Disconnects, and frees the connection.
void aq_bus_close(aq_bus *_Nonnull bus);

/// Returns the connection's descriptor, for `poll`; -1 if it is disconnected.
int aq_bus_descriptor(aq_bus *_Nonnull bus);

/// Reads and writes as much as is possible without waiting. Returns false if the bus has disconnected.
bool aq_bus_transfer(aq_bus *_Nonnull bus);

/// Returns whether messages wait to be written.
bool aq_bus_has_output(aq_bus *_Nonnull bus);

/// Returns the next message that was read, which the caller releases; NULL if there is none.
aq_bus_message *_Nullable aq_bus_next(aq_bus *_Nonnull bus);

/// Queues a message, which the caller still releases. Returns false if there is no memory.
bool aq_bus_send(aq_bus *_Nonnull bus, aq_bus_message *_Nonnull message);

/// Calls a method, and waits for its reply, which the caller releases.
///
/// Returns NULL if there is none, or an error; `error_name` is then its name, or empty.
aq_bus_message *_Nullable aq_bus_call(aq_bus *_Nonnull bus, aq_bus_message *_Nonnull call, int milliseconds,
                                      char error_name[_Nonnull aq_bus_name_bytes]);

// Messages. Only after a connection was opened. All strings must be UTF-8, and names and paths valid: libdbus ends the
// process otherwise.

/// Makes a call of a method; NULL if there is no memory, as in the next three functions.
aq_bus_message *_Nullable aq_bus_new_call(const char *_Nonnull destination, const char *_Nonnull path,
                                          const char *_Nonnull interface, const char *_Nonnull method);
aq_bus_message *_Nullable aq_bus_new_reply(aq_bus_message *_Nonnull call);
aq_bus_message *_Nullable aq_bus_new_error(aq_bus_message *_Nonnull call, const char *_Nonnull name,
                                           const char *_Nonnull text);
aq_bus_message *_Nullable aq_bus_new_signal(const char *_Nonnull path, const char *_Nonnull interface,
                                            const char *_Nonnull name);
void aq_bus_release(aq_bus_message *_Nonnull message);

/// Returns whether a message calls a method.
bool aq_bus_is_call(aq_bus_message *_Nonnull message);
/// Returns whether the caller of a method waits for a reply.
bool aq_bus_wants_reply(aq_bus_message *_Nonnull call);
const char *_Nullable aq_bus_path_of(aq_bus_message *_Nonnull message);
const char *_Nullable aq_bus_interface_of(aq_bus_message *_Nonnull message);
const char *_Nullable aq_bus_member_of(aq_bus_message *_Nonnull message);
const char *_Nullable aq_bus_signature_of(aq_bus_message *_Nonnull message);

// Arguments

/// Begins to append arguments.
void aq_bus_begin_append(aq_bus_message *_Nonnull message, aq_bus_iterator *_Nonnull iterator);
/// Appends a value of a basic type. Returns false if there is no memory; the message must not be sent then.
bool aq_bus_append(aq_bus_iterator *_Nonnull iterator, aq_bus_type type, const void *_Nonnull value);
/// Opens a container; `signature` is that of its contents, or NULL for an entry of a dictionary.
bool aq_bus_open_container(aq_bus_iterator *_Nonnull outer, aq_bus_type type, const char *_Nullable signature,
                           aq_bus_iterator *_Nonnull inner);
bool aq_bus_close_container(aq_bus_iterator *_Nonnull outer, aq_bus_iterator *_Nonnull inner);
/// Abandons a container to which something could not be appended.
void aq_bus_abandon_container(aq_bus_iterator *_Nonnull outer, aq_bus_iterator *_Nonnull inner);

/// Begins to read arguments. Returns false if there are none.
bool aq_bus_begin_read(aq_bus_message *_Nonnull message, aq_bus_iterator *_Nonnull iterator);
/// Returns the type code of the present argument; 0 after the last.
int aq_bus_type_at(aq_bus_iterator *_Nonnull iterator);
/// Moves to the next argument. Returns false after the last.
bool aq_bus_advance(aq_bus_iterator *_Nonnull iterator);
/// Begins to read the contents of a container.
void aq_bus_enter(aq_bus_iterator *_Nonnull outer, aq_bus_iterator *_Nonnull inner);
/// Reads a value of one of the basic types above; the caller knows its type. A string belongs to the message.
void aq_bus_read(aq_bus_iterator *_Nonnull iterator, void *_Nonnull value);

#endif
