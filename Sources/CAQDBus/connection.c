/* SPDX-License-Identifier: MIT */

#include "library.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BUS "org.freedesktop.DBus"
#define BUS_OBJECT "/org/freedesktop/DBus"

struct aq_bus {
    const struct bus_library *library;
    bus_connection *connection;
};

static int64_t milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Authenticates in a limited time, because libdbus waits without limit before authentication.
static bool authenticate(aq_bus *bus, int milliseconds) {
    int64_t start = milliseconds_now(), elapsed = 0;
    while (!bus->library->is_authenticated(bus->connection)) {
        if (elapsed >= milliseconds || !bus->library->read_write(bus->connection, milliseconds - (int)elapsed)) {
            return false;
        }
        elapsed = milliseconds_now() - start;
    }
    return true;
}

static bool say_hello(aq_bus *bus, int milliseconds) {
    aq_bus_message *call = aq_bus_new_call(BUS, BUS_OBJECT, BUS, "Hello");
    if (call == NULL) {
        return false;
    }
    char error_name[aq_bus_name_bytes];
    aq_bus_message *reply = aq_bus_call(bus, call, milliseconds, error_name);
    aq_bus_release(call);
    if (reply == NULL) {
        return false;
    }
    aq_bus_release(reply);
    return true;
}

aq_bus *aq_bus_open(const char *address, int milliseconds) {
    const struct bus_library *library = aq_bus_library();
    if (library == NULL) {
        return NULL;
    }
    aq_bus *bus = malloc(sizeof *bus);
    if (bus == NULL) {
        return NULL;
    }
    // By default libdbus makes the whole process ignore SIGPIPE, although it sends with MSG_NOSIGNAL.
    library->set_change_sigpipe(false);
    bus_error error;
    library->error_init(&error);
    bus->library = library;
    // Not dbus_bus_get_private, which waits for the bus up to 25 seconds, and ends the process if the bus
    // disconnects.
    bus->connection = library->open_private(address, &error);
    library->error_free(&error);
    if (bus->connection == NULL) {
        free(bus);
        return NULL;
    }
    library->set_exit_on_disconnect(bus->connection, false);
    if (!authenticate(bus, milliseconds) || !say_hello(bus, milliseconds)) {
        aq_bus_close(bus);
        return NULL;
    }
    return bus;
}

void aq_bus_close(aq_bus *bus) {
    bus->library->close(bus->connection);
    bus->library->connection_unref(bus->connection);
    free(bus);
}

int aq_bus_descriptor(aq_bus *bus) {
    int descriptor = -1;
    return bus->library->get_unix_fd(bus->connection, &descriptor) ? descriptor : -1;
}

bool aq_bus_transfer(aq_bus *bus) { return bus->library->read_write(bus->connection, 0); }

bool aq_bus_has_output(aq_bus *bus) { return bus->library->has_messages_to_send(bus->connection); }

aq_bus_message *aq_bus_next(aq_bus *bus) { return bus->library->pop_message(bus->connection); }

bool aq_bus_send(aq_bus *bus, aq_bus_message *message) {
    return bus->library->send(bus->connection, message, NULL);
}

aq_bus_message *aq_bus_call(aq_bus *bus, aq_bus_message *call, int milliseconds,
                            char error_name[aq_bus_name_bytes]) {
    bus_error error;
    bus->library->error_init(&error);
    aq_bus_message *reply = bus->library->send_and_wait(bus->connection, call, milliseconds, &error);
    error_name[0] = 0;
    if (reply == NULL && error.name != NULL) {
        strncpy(error_name, error.name, aq_bus_name_bytes - 1);
        error_name[aq_bus_name_bytes - 1] = 0;
    }
    bus->library->error_free(&error);
    return reply;
}
