// RealtimeKit: the daemon of desktops that raises the priority of threads whose user may not.
//
// Spoken to over the system's message bus by libdbus, which is loaded when it is first asked for and not
// linked: a machine without it, without the bus or without the daemon goes without. No header of libdbus is
// needed.
//
// Every function may wait for as long as its answers take, at most a second for each: not for threads that
// sound waits for. None of them ends the process, changes what it does about signals, or keeps a thread.

#ifndef CREALTIMEKIT_H
#define CREALTIMEKIT_H

#include <stdbool.h>
#include <sys/types.h>

/// A connection to the bus. Used by one thread at a time.
typedef struct aq_rtkit aq_rtkit;

/// What became of a question.
typedef enum : unsigned char {
    aq_rtkit_granted = 0,
    /// It said no: to this user, or to so many questions.
    aq_rtkit_refused = 1,
    /// Nobody answered.
    aq_rtkit_absent = 2,
} aq_rtkit_answer;

/// Connects to a bus by its D-Bus address, or to the system's if that is NULL.
///
/// Returns NULL if none answers.
aq_rtkit *_Nullable aq_rtkit_open(const char *_Nullable address);

/// Asks that a thread of this process be scheduled round-robin before all that is not real-time.
///
/// `priority` is lowered to what the daemon gives at most. The daemon demands that a real-time thread cannot
/// stop the machine, so the limit RLIMIT_RTTIME of this process is lowered first. The hard limit, at which the
/// kernel kills, becomes the time that the daemon names: 200 ms of processor time without one blocking call, if
/// nobody configured it. The soft limit, at which it sends SIGXCPU, becomes three quarters of that. Limits that
/// are lower already stay. They bind threads with real-time priority alone, and cannot be taken back: children
/// inherit them.
aq_rtkit_answer aq_rtkit_make_real_time(aq_rtkit *_Nonnull kit, pid_t thread, unsigned priority);

/// Asks for a nice value for a thread of this process, raised to the least that the daemon gives.
aq_rtkit_answer aq_rtkit_make_high_priority(aq_rtkit *_Nonnull kit, pid_t thread, int nice_value);

/// Disconnects.
void aq_rtkit_close(aq_rtkit *_Nonnull kit);

/// What the functions above call the calling thread.
pid_t aq_rtkit_calling_thread(void);

/// Whether a thread of this process has not ended.
bool aq_rtkit_has_thread(pid_t thread);

#endif
