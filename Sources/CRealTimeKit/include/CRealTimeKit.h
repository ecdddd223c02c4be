// RealtimeKit: the desktop daemon that raises the priority of threads without the user's permission to.
//
// It is called over the system's message bus with libdbus, which is loaded on first use and not linked: without it,
// without the bus or without the daemon the functions fail. No header of libdbus is needed.
//
// Every function waits for its answers, at most a second for each, so they are not for the audio path. None of them
// ends the process, changes signal handling, or keeps a thread.

#ifndef CREALTIMEKIT_H
#define CREALTIMEKIT_H

#include <stdbool.h>
#include <sys/types.h>

/// A connection to the bus. Used by one thread at a time.
typedef struct aq_rtkit aq_rtkit;

/// The answer to a request.
typedef enum : unsigned char {
    aq_rtkit_granted = 0,
    /// The daemon refused it: for this user, or for this number of requests.
    aq_rtkit_refused = 1,
    /// There was no answer.
    aq_rtkit_absent = 2,
} aq_rtkit_answer;

/// Connects to a bus by its D-Bus address, or to the system's if that is NULL.
///
/// Returns NULL if none answers.
aq_rtkit *_Nullable aq_rtkit_open(const char *_Nullable address);

/// Requests round-robin real-time scheduling for a thread of this process.
///
/// `priority` is lowered to the daemon's maximum. The daemon requires that a real-time thread cannot stop the
/// machine, so the limit RLIMIT_RTTIME of this process is lowered first. The hard limit, at which the kernel kills
/// the process, becomes the daemon's: by default 200 ms of processor time without a blocking call. The soft limit,
/// at which the kernel sends SIGXCPU, becomes three quarters of that. Lower limits remain. They apply only to threads
/// with real-time priority, and cannot be raised again: children inherit them.
aq_rtkit_answer aq_rtkit_make_real_time(aq_rtkit *_Nonnull kit, pid_t thread, unsigned priority);

/// Requests a nice value for a thread of this process, raised to the daemon's minimum.
aq_rtkit_answer aq_rtkit_make_high_priority(aq_rtkit *_Nonnull kit, pid_t thread, int nice_value);

/// Disconnects.
void aq_rtkit_close(aq_rtkit *_Nonnull kit);

/// The identifier of the calling thread for the functions above.
pid_t aq_rtkit_calling_thread(void);

/// Whether a thread of this process has not ended.
bool aq_rtkit_has_thread(pid_t thread);

#endif
