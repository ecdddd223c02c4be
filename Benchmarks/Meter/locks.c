/* SPDX-License-Identifier: MIT */

/* Replaces the locks and waits of POSIX, and those of GLib, which implements its own with the kernel's. Not counted are
 * calls of a library to its own functions, and locks that are compiled into their user, such as Swift's Mutex. */
#define _GNU_SOURCE
#include "internal.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#define LOCK(name, type) COUNTED(METER_LOCK, int, name, (type * lock), (lock))
#define TIMED_LOCK(name, type) \
    COUNTED(METER_LOCK, int, name, (type * lock, const struct timespec *until), (lock, until))

LOCK(pthread_mutex_lock, pthread_mutex_t)
LOCK(pthread_mutex_trylock, pthread_mutex_t)
TIMED_LOCK(pthread_mutex_timedlock, pthread_mutex_t)
LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)
LOCK(pthread_rwlock_tryrdlock, pthread_rwlock_t)
LOCK(pthread_rwlock_trywrlock, pthread_rwlock_t)
TIMED_LOCK(pthread_rwlock_timedrdlock, pthread_rwlock_t)
TIMED_LOCK(pthread_rwlock_timedwrlock, pthread_rwlock_t)
COUNTED(METER_LOCK, int, pthread_spin_lock, (pthread_spinlock_t * lock), (lock))
COUNTED(METER_LOCK, int, pthread_spin_trylock, (pthread_spinlock_t * lock), (lock))

COUNTED(METER_WAIT, int, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *lock), (condition, lock))
COUNTED(METER_WAIT, int, pthread_cond_timedwait,
        (pthread_cond_t * condition, pthread_mutex_t *lock, const struct timespec *until), (condition, lock, until))
COUNTED(METER_WAIT, int, pthread_cond_clockwait,
        (pthread_cond_t * condition, pthread_mutex_t *lock, clockid_t clock, const struct timespec *until),
        (condition, lock, clock, until))
COUNTED(METER_WAIT, int, sem_wait, (sem_t * semaphore), (semaphore))
COUNTED(METER_WAIT, int, sem_timedwait, (sem_t * semaphore, const struct timespec *until), (semaphore, until))
COUNTED(METER_WAIT, int, sem_clockwait, (sem_t * semaphore, clockid_t clock, const struct timespec *until),
        (semaphore, clock, until))

#define LOCK_OF_GLIB(name) \
    void name(void *lock); \
    COUNTED(METER_LOCK, void, name, (void *lock), (lock))

LOCK_OF_GLIB(g_mutex_lock)
LOCK_OF_GLIB(g_rec_mutex_lock)
LOCK_OF_GLIB(g_rw_lock_reader_lock)
LOCK_OF_GLIB(g_rw_lock_writer_lock)
void g_cond_wait(void *condition, void *lock);
COUNTED(METER_WAIT, void, g_cond_wait, (void *condition, void *lock), (condition, lock))
int g_cond_wait_until(void *condition, void *lock, int64_t until);
COUNTED(METER_WAIT, int, g_cond_wait_until, (void *condition, void *lock, int64_t until), (condition, lock, until))
