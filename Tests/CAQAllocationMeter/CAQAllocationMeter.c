/* SPDX-License-Identifier: MIT */

#define _GNU_SOURCE
#include "CAQAllocationMeter.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define AQ_SANITIZED 1
#endif
#endif

#ifdef AQ_SANITIZED

int aq_meter_is_live(void) { return 0; }
long aq_meter_allocations(void) { return 0; }
long aq_meter_locks(void) { return 0; }

#else

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

static __thread long allocations;
static __thread long locks;

int aq_meter_is_live(void) { return 1; }
long aq_meter_allocations(void) { return allocations; }
long aq_meter_locks(void) { return locks; }

static int (*lock_mutex)(pthread_mutex_t *);

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (!lock_mutex) lock_mutex = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    locks++;
    return lock_mutex(mutex);
}

void *malloc(size_t bytes) {
    allocations++;
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    allocations++;
    return __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes) {
    allocations++;
    return __libc_realloc(old, bytes);
}

void *memalign(size_t alignment, size_t bytes) {
    allocations++;
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    allocations++;
    *memory = __libc_memalign(alignment, bytes);
    return *memory ? 0 : 12;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    allocations++;
    return __libc_memalign(alignment, bytes);
}

#endif
