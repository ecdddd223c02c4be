/* SPDX-License-Identifier: MIT */

#include "library.h"

#include <CAQLibraries.h>
#include <pthread.h>
#include <stddef.h>

static const struct aq_library names = {{"libdbus-1.so.3"}, "libdbus-1-3"};

static struct bus_library library;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    const struct aq_symbol symbols[] = {
        {"dbus_threads_init_default", (void **)&library.threads_init_default},
        {"dbus_error_init", (void **)&library.error_init},
        {"dbus_error_free", (void **)&library.error_free},
        {"dbus_connection_set_change_sigpipe", (void **)&library.set_change_sigpipe},
        {"dbus_connection_open_private", (void **)&library.open_private},
        {"dbus_connection_set_exit_on_disconnect", (void **)&library.set_exit_on_disconnect},
        {"dbus_connection_close", (void **)&library.close},
        {"dbus_connection_unref", (void **)&library.connection_unref},
        {"dbus_connection_read_write", (void **)&library.read_write},
        {"dbus_connection_get_is_authenticated", (void **)&library.is_authenticated},
        {"dbus_connection_get_unix_fd", (void **)&library.get_unix_fd},
        {"dbus_connection_has_messages_to_send", (void **)&library.has_messages_to_send},
        {"dbus_connection_pop_message", (void **)&library.pop_message},
        {"dbus_connection_send", (void **)&library.send},
        {"dbus_connection_send_with_reply_and_block", (void **)&library.send_and_wait},
        {"dbus_message_new_method_call", (void **)&library.new_method_call},
        {"dbus_message_new_method_return", (void **)&library.new_method_return},
        {"dbus_message_new_error", (void **)&library.new_error},
        {"dbus_message_new_signal", (void **)&library.new_signal},
        {"dbus_message_unref", (void **)&library.message_unref},
        {"dbus_message_get_type", (void **)&library.get_type},
        {"dbus_message_get_no_reply", (void **)&library.get_no_reply},
        {"dbus_message_get_path", (void **)&library.get_path},
        {"dbus_message_get_interface", (void **)&library.get_interface},
        {"dbus_message_get_member", (void **)&library.get_member},
        {"dbus_message_get_signature", (void **)&library.get_signature},
        {"dbus_message_iter_init_append", (void **)&library.init_append},
        {"dbus_message_iter_append_basic", (void **)&library.append_basic},
        {"dbus_message_iter_open_container", (void **)&library.open_container},
        {"dbus_message_iter_close_container", (void **)&library.close_container},
        {"dbus_message_iter_abandon_container", (void **)&library.abandon_container},
        {"dbus_message_iter_init", (void **)&library.init_read},
        {"dbus_message_iter_get_arg_type", (void **)&library.type_at},
        {"dbus_message_iter_next", (void **)&library.next},
        {"dbus_message_iter_recurse", (void **)&library.recurse},
        {"dbus_message_iter_get_basic", (void **)&library.get_basic},
    };
    // Without the library, programs do without what the bus would give, so the reason is not reported.
    char failure[AQ_FAILURE_BYTES];
    is_loaded = aq_load_library(&names, symbols, sizeof symbols / sizeof symbols[0], failure)
        && library.threads_init_default();
}

const struct bus_library *aq_bus_library(void) {
    pthread_once(&once, load);
    return is_loaded ? &library : NULL;
}
