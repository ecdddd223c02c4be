/* SPDX-License-Identifier: MIT */

/* The lock is a futex with priority inheritance, whose word contains the number of the owner. */
#define _GNU_SOURCE
#include "os/lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t self(void) { return (uint32_t)syscall(SYS_gettid); }

static void fail(const char *reason) {
    fprintf(stderr, "os_unfair_lock: %s\n", reason);
    abort();
}

static bool exchange(uint32_t *word, uint32_t from, uint32_t to) {
    return __atomic_compare_exchange_n(word, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

void os_unfair_lock_lock(os_unfair_lock_t lock) {
    uint32_t *word = &lock->_os_unfair_lock_opaque;
    if (exchange(word, 0, self())) return;
    while (syscall(SYS_futex, word, FUTEX_LOCK_PI | FUTEX_PRIVATE_FLAG, 0, NULL, NULL, 0) != 0) {
        if (errno == EDEADLK) fail("a thread locks what it has locked");
        if (errno != EINTR && errno != EAGAIN) fail("the lock is no lock, or its owner has ended");
    }
}

bool os_unfair_lock_trylock(os_unfair_lock_t lock) { return exchange(&lock->_os_unfair_lock_opaque, 0, self()); }

void os_unfair_lock_unlock(os_unfair_lock_t lock) {
    uint32_t *word = &lock->_os_unfair_lock_opaque;
    os_unfair_lock_assert_owner(lock);
    if (exchange(word, self(), 0)) return;
    /* The kernel has marked in the word that threads wait. */
    syscall(SYS_futex, word, FUTEX_UNLOCK_PI | FUTEX_PRIVATE_FLAG, 0, NULL, NULL, 0);
}

static bool is_owner(const os_unfair_lock *lock) {
    return (__atomic_load_n(&lock->_os_unfair_lock_opaque, __ATOMIC_RELAXED) & FUTEX_TID_MASK) == self();
}

void os_unfair_lock_assert_owner(const os_unfair_lock *lock) {
    if (!is_owner(lock)) fail("the thread has not locked it");
}

void os_unfair_lock_assert_not_owner(const os_unfair_lock *lock) {
    if (is_owner(lock)) fail("the thread has locked it");
}
