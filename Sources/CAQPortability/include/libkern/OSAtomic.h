/* SPDX-License-Identifier: MIT */

/* Atomic arithmetic, comparison and spin locks under the names of Apple's systems, for programs that are older than
   C11. A name with Barrier orders all other accesses to memory before and after the operation; without it, only the
   operation is atomic. */
#ifndef LIBKERN_OS_ATOMIC_H
#define LIBKERN_OS_ATOMIC_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Orders all accesses to memory before the call before those after it. */
static inline void OSMemoryBarrier(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

/* Adds to a number, and returns the sum. */
static inline int32_t OSAtomicAdd32(int32_t amount, volatile int32_t *value) {
    return __atomic_add_fetch(value, amount, __ATOMIC_RELAXED);
}
static inline int32_t OSAtomicAdd32Barrier(int32_t amount, volatile int32_t *value) {
    return __atomic_add_fetch(value, amount, __ATOMIC_SEQ_CST);
}
static inline int64_t OSAtomicAdd64(int64_t amount, volatile int64_t *value) {
    return __atomic_add_fetch(value, amount, __ATOMIC_RELAXED);
}
static inline int64_t OSAtomicAdd64Barrier(int64_t amount, volatile int64_t *value) {
    return __atomic_add_fetch(value, amount, __ATOMIC_SEQ_CST);
}

/* Adds or subtracts 1, and returns the new number. */
static inline int32_t OSAtomicIncrement32(volatile int32_t *value) { return OSAtomicAdd32(1, value); }
static inline int32_t OSAtomicIncrement32Barrier(volatile int32_t *value) { return OSAtomicAdd32Barrier(1, value); }
static inline int32_t OSAtomicDecrement32(volatile int32_t *value) { return OSAtomicAdd32(-1, value); }
static inline int32_t OSAtomicDecrement32Barrier(volatile int32_t *value) { return OSAtomicAdd32Barrier(-1, value); }
static inline int64_t OSAtomicIncrement64(volatile int64_t *value) { return OSAtomicAdd64(1, value); }
static inline int64_t OSAtomicIncrement64Barrier(volatile int64_t *value) { return OSAtomicAdd64Barrier(1, value); }
static inline int64_t OSAtomicDecrement64(volatile int64_t *value) { return OSAtomicAdd64(-1, value); }
static inline int64_t OSAtomicDecrement64Barrier(volatile int64_t *value) { return OSAtomicAdd64Barrier(-1, value); }

/* Combines bits, and returns the new bits. */
static inline int32_t OSAtomicOr32(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_or_fetch(value, mask, __ATOMIC_RELAXED);
}
static inline int32_t OSAtomicOr32Barrier(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_or_fetch(value, mask, __ATOMIC_SEQ_CST);
}
static inline int32_t OSAtomicAnd32(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_and_fetch(value, mask, __ATOMIC_RELAXED);
}
static inline int32_t OSAtomicAnd32Barrier(uint32_t mask, volatile uint32_t *value) {
    return (int32_t)__atomic_and_fetch(value, mask, __ATOMIC_SEQ_CST);
}

/* Replaces a value if it is the old one, and returns whether it was. */
static inline bool OSAtomicCompareAndSwap32(int32_t oldValue, int32_t newValue, volatile int32_t *value) {
    return __atomic_compare_exchange_n(value, &oldValue, newValue, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
static inline bool OSAtomicCompareAndSwap32Barrier(int32_t oldValue, int32_t newValue, volatile int32_t *value) {
    return __atomic_compare_exchange_n(value, &oldValue, newValue, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
static inline bool OSAtomicCompareAndSwap64(int64_t oldValue, int64_t newValue, volatile int64_t *value) {
    return __atomic_compare_exchange_n(value, &oldValue, newValue, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
static inline bool OSAtomicCompareAndSwap64Barrier(int64_t oldValue, int64_t newValue, volatile int64_t *value) {
    return __atomic_compare_exchange_n(value, &oldValue, newValue, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
static inline bool OSAtomicCompareAndSwapInt(int oldValue, int newValue, volatile int *value) {
    return OSAtomicCompareAndSwap32(oldValue, newValue, value);
}
static inline bool OSAtomicCompareAndSwapIntBarrier(int oldValue, int newValue, volatile int *value) {
    return OSAtomicCompareAndSwap32Barrier(oldValue, newValue, value);
}
static inline bool OSAtomicCompareAndSwapLong(long oldValue, long newValue, volatile long *value) {
    return __atomic_compare_exchange_n(value, &oldValue, newValue, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
static inline bool OSAtomicCompareAndSwapLongBarrier(long oldValue, long newValue, volatile long *value) {
    return __atomic_compare_exchange_n(value, &oldValue, newValue, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
static inline bool OSAtomicCompareAndSwapPtr(void *oldValue, void *newValue, void *volatile *value) {
    return __atomic_compare_exchange_n(value, &oldValue, newValue, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
static inline bool OSAtomicCompareAndSwapPtrBarrier(void *oldValue, void *newValue, void *volatile *value) {
    return __atomic_compare_exchange_n(value, &oldValue, newValue, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* A lock whose waiting threads poll it; os_unfair_lock replaces it. */
typedef int32_t OSSpinLock;
#define OS_SPINLOCK_INIT 0

/* Takes the lock unless a thread has it, and returns whether the lock was taken. */
static inline bool OSSpinLockTry(volatile OSSpinLock *lock) {
    int32_t unlocked = OS_SPINLOCK_INIT;
    return __atomic_compare_exchange_n(lock, &unlocked, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}
/* Takes the lock, and waits if a thread has it. */
static inline void OSSpinLockLock(volatile OSSpinLock *lock) {
    while (!OSSpinLockTry(lock)) sched_yield();
}
/* Releases the lock. */
static inline void OSSpinLockUnlock(volatile OSSpinLock *lock) {
    __atomic_store_n(lock, OS_SPINLOCK_INIT, __ATOMIC_RELEASE);
}

#ifdef __cplusplus
}
#endif

#endif
