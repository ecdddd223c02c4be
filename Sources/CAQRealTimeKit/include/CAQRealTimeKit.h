/* SPDX-License-Identifier: MIT */

// RealtimeKit: a desktop daemon that raises the priority of threads whose user lacks the permission.
//
// The daemon is called over the system's message bus (CAQDBus). Without libdbus, the bus or the daemon, the functions
// fail.
//
// Not for the audio path, because functions wait up to a second for each answer. No function ends the process, changes
// signal handling, or keeps a thread.

#ifndef CAQREALTIMEKIT_H
#define CAQREALTIMEKIT_H

#include <stdbool.h>
#include <sys/types.h>

/// A connection to the bus. Used by one thread at a time.
typedef struct aq_rtkit aq_rtkit;

/// The answer to a request.
typedef enum : unsigned char {
    aq_rtkit_granted = 0,
    /// The daemon refused the request, because of the user or the number of requests, or the limit cannot be set.
    aq_rtkit_refused = 1,
    /// The daemon did not answer.
    aq_rtkit_absent = 2,
} aq_rtkit_answer;

/// Connects to the bus at a D-Bus address, or to the system's bus if this is NULL.
///
/// Returns NULL if no bus answers.
aq_rtkit *_Nullable aq_rtkit_open(const char *_Nullable address);

/// Requests round-robin real-time scheduling for a thread of this process.
///
/// `priority` is lowered to the daemon's maximum. The daemon requires that a real-time thread cannot stop the
/// machine, so the limit RLIMIT_RTTIME of this process is lowered first. The hard limit becomes the daemon's maximum:
/// by default 200 ms of processor time without a blocking call. At the hard limit, the kernel kills the process. At
/// the soft limit, three quarters of the hard limit, the kernel sends SIGXCPU. Lower limits remain. The limits apply
/// only to threads with real-time priority, cannot be raised again, and are inherited by child processes.
aq_rtkit_answer aq_rtkit_make_real_time(aq_rtkit *_Nonnull kit, pid_t thread, unsigned priority);

/// Requests a nice value for a thread of this process, raised to the daemon's minimum.
aq_rtkit_answer aq_rtkit_make_high_priority(aq_rtkit *_Nonnull kit, pid_t thread, int nice_value);

/// Disconnects from the bus and frees the connection.
void aq_rtkit_close(aq_rtkit *_Nonnull kit);

/// Returns the identifier of the calling thread, for requests about it.
pid_t aq_rtkit_calling_thread(void);

/// Returns whether a thread of this process still runs.
bool aq_rtkit_has_thread(pid_t thread);

#endif
