/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE
#include "CAQRealTimeKit.h"

#include <CAQDBus.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define SYSTEM_BUS "unix:path=/run/dbus/system_bus_socket"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define SERVICE "org.freedesktop.RealtimeKit1"
#define OBJECT "/org/freedesktop/RealtimeKit1"

enum { milliseconds_for_answer = 1000 };

struct aq_rtkit {
    aq_bus *bus;
};

// An argument of a call: a type code, and the address of the value.
struct argument {
    aq_bus_type type;
    const void *value;
};

static aq_rtkit_answer answer_of_error(const char *name) {
    // The daemon refuses a request with one of these two errors; other errors are from the bus or libdbus.
    bool is_refusal = strcmp(name, "org.freedesktop.DBus.Error.AccessDenied") == 0 ||
                      strcmp(name, "org.freedesktop.DBus.Error.Failed") == 0;
    return is_refusal ? aq_rtkit_refused : aq_rtkit_absent;
}

// Calls a method of the daemon and waits for its reply, which the caller releases; NULL with `*answer` set if it fails.
static aq_bus_message *call(aq_rtkit *kit, const char *interface, const char *method,
                            const struct argument arguments[2], aq_rtkit_answer *answer) {
    *answer = aq_rtkit_absent;
    aq_bus_message *message = aq_bus_new_call(SERVICE, OBJECT, interface, method);
    if (message == NULL) {
        return NULL;
    }
    aq_bus_iterator iterator;
    aq_bus_begin_append(message, &iterator);
    for (int i = 0; i < 2; i++) {
        if (!aq_bus_append(&iterator, arguments[i].type, arguments[i].value)) {
            aq_bus_release(message);
            return NULL;
        }
    }
    char error_name[aq_bus_name_bytes];
    aq_bus_message *reply = aq_bus_call(kit->bus, message, milliseconds_for_answer, error_name);
    *answer = reply != NULL ? aq_rtkit_granted : answer_of_error(error_name);
    aq_bus_release(message);
    return reply;
}

// Reads a property, which is a variant.
static aq_rtkit_answer get(aq_rtkit *kit, const char *property, aq_bus_type type, void *value) {
    const char *interface = SERVICE;
    struct argument arguments[] = {{aq_bus_string, &interface}, {aq_bus_string, &property}};
    aq_rtkit_answer answer;
    aq_bus_message *reply = call(kit, PROPERTIES, "Get", arguments, &answer);
    if (reply == NULL) {
        return answer;
    }
    aq_bus_iterator outer, inner;
    answer = aq_rtkit_absent;
    if (aq_bus_begin_read(reply, &outer) && aq_bus_type_at(&outer) == aq_bus_variant) {
        aq_bus_enter(&outer, &inner);
        if (aq_bus_type_at(&inner) == (int)type) {
            aq_bus_read(&inner, value);
            answer = aq_rtkit_granted;
        }
    }
    aq_bus_release(reply);
    return answer;
}

// Requests a priority. The methods with a process number are not used: the daemon reads the number from the socket,
// where it is correct even in another PID namespace.
static aq_rtkit_answer make(aq_rtkit *kit, const char *method, pid_t thread, aq_bus_type type,
                            const void *value) {
    uint64_t identifier = (uint64_t)thread;
    struct argument arguments[] = {{aq_bus_uint64, &identifier}, {type, value}};
    aq_rtkit_answer answer;
    aq_bus_message *reply = call(kit, SERVICE, method, arguments, &answer);
    if (reply != NULL) {
        aq_bus_release(reply);
    }
    return answer;
}

aq_rtkit *aq_rtkit_open(const char *address) {
    if (address == NULL) {
        // A program that runs for another user must not connect to a bus of its caller.
        address = secure_getenv("DBUS_SYSTEM_BUS_ADDRESS");
    }
    aq_rtkit *kit = malloc(sizeof *kit);
    if (kit == NULL) {
        return NULL;
    }
    kit->bus = aq_bus_open(address != NULL ? address : SYSTEM_BUS, milliseconds_for_answer);
    if (kit->bus == NULL) {
        free(kit);
        return NULL;
    }
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
    aq_rtkit_answer answer = get(kit, "RTTimeUSecMax", aq_bus_int64, &microseconds);
    if (answer != aq_rtkit_granted) {
        return answer;
    }
    int32_t most = 0;
    answer = get(kit, "MaxRealtimePriority", aq_bus_int32, &most);
    if (answer != aq_rtkit_granted) {
        return answer;
    }
    if (most < 1 || !limit_real_time(microseconds)) {
        return aq_rtkit_refused;
    }
    uint32_t given = priority < (unsigned)most ? priority : (unsigned)most;
    return make(kit, "MakeThreadRealtime", thread, aq_bus_uint32, &given);
}

aq_rtkit_answer aq_rtkit_make_high_priority(aq_rtkit *kit, pid_t thread, int nice_value) {
    int32_t least = 0;
    aq_rtkit_answer answer = get(kit, "MinNiceLevel", aq_bus_int32, &least);
    if (answer != aq_rtkit_granted) {
        return answer;
    }
    int32_t given = nice_value > least ? nice_value : least;
    return make(kit, "MakeThreadHighPriority", thread, aq_bus_int32, &given);
}

void aq_rtkit_close(aq_rtkit *kit) {
    aq_bus_close(kit->bus);
    free(kit);
}

pid_t aq_rtkit_calling_thread(void) { return gettid(); }

bool aq_rtkit_has_thread(pid_t thread) { return tgkill(getpid(), thread, 0) == 0; }
