#define _GNU_SOURCE
#include "CRealTimeKit.h"

#include "library.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define SYSTEM_BUS "unix:path=/run/dbus/system_bus_socket"
#define BUS "org.freedesktop.DBus"
#define BUS_OBJECT "/org/freedesktop/DBus"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define SERVICE "org.freedesktop.RealtimeKit1"
#define OBJECT "/org/freedesktop/RealtimeKit1"

enum { milliseconds_for_answer = 1000 };

struct aq_rtkit {
    const struct bus_library *bus;
    bus_connection *connection;
};

// An argument of a call: a type code, and the address of the value.
struct argument {
    int type;
    const void *value;
};

static aq_rtkit_answer answer_of_error(const char *name) {
    // The daemon refuses a request with one of these two errors; other errors are from the bus or libdbus.
    bool is_refusal = name != NULL && (strcmp(name, "org.freedesktop.DBus.Error.AccessDenied") == 0 ||
                                       strcmp(name, "org.freedesktop.DBus.Error.Failed") == 0);
    return is_refusal ? aq_rtkit_refused : aq_rtkit_absent;
}

// Calls a method and waits for its reply, which the caller releases; NULL with `*answer` set if it fails.
static bus_message *call(aq_rtkit *kit, const char *destination, const char *path, const char *interface,
                         const char *method, const struct argument arguments[2], aq_rtkit_answer *answer) {
    const struct bus_library *bus = kit->bus;
    *answer = aq_rtkit_absent;
    bus_message *message = bus->new_method_call(destination, path, interface, method);
    if (message == NULL) {
        return NULL;
    }
    bus_iterator iterator;
    bus->init_append(message, &iterator);
    for (int i = 0; arguments != NULL && i < 2; i++) {
        if (!bus->append_basic(&iterator, arguments[i].type, arguments[i].value)) {
            bus->message_unref(message);
            return NULL;
        }
    }
    bus_error error;
    bus->error_init(&error);
    bus_message *reply = bus->send_and_wait(kit->connection, message, milliseconds_for_answer, &error);
    *answer = reply != NULL ? aq_rtkit_granted : answer_of_error(error.name);
    bus->error_free(&error);
    bus->message_unref(message);
    return reply;
}

// Reads a property, which is a variant.
static aq_rtkit_answer get(aq_rtkit *kit, const char *property, int type, void *value) {
    const char *interface = SERVICE;
    struct argument arguments[] = {{bus_string, &interface}, {bus_string, &property}};
    aq_rtkit_answer answer;
    bus_message *reply = call(kit, SERVICE, OBJECT, PROPERTIES, "Get", arguments, &answer);
    if (reply == NULL) {
        return answer;
    }
    bus_iterator outer, inner;
    answer = aq_rtkit_absent;
    if (kit->bus->init_read(reply, &outer) && kit->bus->type_at(&outer) == bus_variant) {
        kit->bus->recurse(&outer, &inner);
        if (kit->bus->type_at(&inner) == type) {
            kit->bus->get_basic(&inner, value);
            answer = aq_rtkit_granted;
        }
    }
    kit->bus->message_unref(reply);
    return answer;
}

// Requests a priority. The methods with a process number are not used: the daemon reads the number from the socket,
// where it is correct even in another PID namespace.
static aq_rtkit_answer make(aq_rtkit *kit, const char *method, pid_t thread, int type, const void *value) {
    uint64_t identifier = (uint64_t)thread;
    struct argument arguments[] = {{bus_uint64, &identifier}, {type, value}};
    aq_rtkit_answer answer;
    bus_message *reply = call(kit, SERVICE, OBJECT, SERVICE, method, arguments, &answer);
    if (reply != NULL) {
        kit->bus->message_unref(reply);
    }
    return answer;
}

// Authenticates in a limited time, because libdbus waits without limit before authentication.
static bool authenticate(aq_rtkit *kit) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t start = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000, elapsed = 0;
    while (!kit->bus->is_authenticated(kit->connection)) {
        if (elapsed >= milliseconds_for_answer ||
            !kit->bus->read_write(kit->connection, milliseconds_for_answer - (int)elapsed)) {
            return false;
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        elapsed = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 - start;
    }
    return true;
}

aq_rtkit *aq_rtkit_open(const char *address) {
    const struct bus_library *bus = aq_bus_library();
    if (bus == NULL) {
        return NULL;
    }
    if (address == NULL) {
        // A program that runs for another user must not connect to a bus of its caller.
        address = secure_getenv("DBUS_SYSTEM_BUS_ADDRESS");
    }
    aq_rtkit *kit = malloc(sizeof *kit);
    if (kit == NULL) {
        return NULL;
    }
    // By default libdbus makes the whole process ignore SIGPIPE, although it sends with MSG_NOSIGNAL.
    bus->set_change_sigpipe(false);
    bus_error error;
    bus->error_init(&error);
    kit->bus = bus;
    // Not dbus_bus_get_private, which waits for the bus up to 25 seconds, and ends the process if the bus
    // disconnects.
    kit->connection = bus->open_private(address != NULL ? address : SYSTEM_BUS, &error);
    bus->error_free(&error);
    if (kit->connection == NULL) {
        free(kit);
        return NULL;
    }
    bus->set_exit_on_disconnect(kit->connection, false);
    aq_rtkit_answer answer;
    bus_message *reply = NULL;
    if (authenticate(kit)) {
        reply = call(kit, BUS, BUS_OBJECT, BUS, "Hello", NULL, &answer);
    }
    if (reply == NULL) {
        aq_rtkit_close(kit);
        return NULL;
    }
    bus->message_unref(reply);
    return kit;
}

static bool limit_real_time(int64_t microseconds) {
    if (microseconds <= 0) {
        return false;
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_RTTIME, &limit) != 0) {
        return false;
    }
    rlim_t most = (rlim_t)microseconds;
    // RLIM_INFINITY is the largest value, so the comparison includes it.
    if (limit.rlim_max > most) {
        limit.rlim_max = most;
    }
    // A core file at SIGXCPU, the soft limit's signal, shows the loop. At the hard limit, the kernel kills the process.
    if (limit.rlim_cur > limit.rlim_max / 4 * 3) {
        limit.rlim_cur = limit.rlim_max / 4 * 3;
    }
    return setrlimit(RLIMIT_RTTIME, &limit) == 0;
}

aq_rtkit_answer aq_rtkit_make_real_time(aq_rtkit *kit, pid_t thread, unsigned priority) {
    int64_t microseconds = 0;
    aq_rtkit_answer answer = get(kit, "RTTimeUSecMax", bus_int64, &microseconds);
    if (answer != aq_rtkit_granted) {
        return answer;
    }
    int32_t most = 0;
    answer = get(kit, "MaxRealtimePriority", bus_int32, &most);
    if (answer != aq_rtkit_granted) {
        return answer;
    }
    if (most < 1 || !limit_real_time(microseconds)) {
        return aq_rtkit_refused;
    }
    uint32_t given = priority < (unsigned)most ? priority : (unsigned)most;
    return make(kit, "MakeThreadRealtime", thread, bus_uint32, &given);
}

aq_rtkit_answer aq_rtkit_make_high_priority(aq_rtkit *kit, pid_t thread, int nice_value) {
    int32_t least = 0;
    aq_rtkit_answer answer = get(kit, "MinNiceLevel", bus_int32, &least);
    if (answer != aq_rtkit_granted) {
        return answer;
    }
    int32_t given = nice_value > least ? nice_value : least;
    return make(kit, "MakeThreadHighPriority", thread, bus_int32, &given);
}

void aq_rtkit_close(aq_rtkit *kit) {
    kit->bus->close(kit->connection);
    kit->bus->connection_unref(kit->connection);
    free(kit);
}

pid_t aq_rtkit_calling_thread(void) { return gettid(); }

bool aq_rtkit_has_thread(pid_t thread) { return tgkill(getpid(), thread, 0) == 0; }
