/* SPDX-License-Identifier: MIT */

/* A lock in 32 bits, whose owner inherits the priority of waiting threads. */
#ifndef OS_LOCK_H
#define OS_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct os_unfair_lock_s {
    uint32_t _os_unfair_lock_opaque; /* the number of the thread that holds it */
} os_unfair_lock, *os_unfair_lock_t;

#if defined(__cplusplus)
#define OS_UNFAIR_LOCK_INIT (os_unfair_lock())
#else
#define OS_UNFAIR_LOCK_INIT ((os_unfair_lock){0})
#endif

/* Takes the lock, and waits if another thread has it. Ends the process if the calling thread has it, or the thread that
 * has it has ended. */
void os_unfair_lock_lock(os_unfair_lock_t lock);
/* Takes the lock unless a thread has it, and returns whether the lock was taken. */
bool os_unfair_lock_trylock(os_unfair_lock_t lock);
/* Releases the lock. Ends the process if the calling thread does not have it. */
void os_unfair_lock_unlock(os_unfair_lock_t lock);
/* Ends the process unless the calling thread has the lock. */
void os_unfair_lock_assert_owner(const os_unfair_lock *lock);
/* Ends the process if the calling thread has the lock. */
void os_unfair_lock_assert_not_owner(const os_unfair_lock *lock);

#ifdef __cplusplus
}
#endif

#endif
