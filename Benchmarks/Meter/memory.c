/* SPDX-License-Identifier: MIT */

/* Replaces the C library's allocator. The functions __libc_... are called directly, because dlsym() could allocate. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void *memory);

void *malloc(size_t bytes) {
    meter_count(METER_ALLOCATION, __builtin_return_address(0));
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    meter_count(METER_ALLOCATION, __builtin_return_address(0));
    return __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes) {
    meter_count(METER_ALLOCATION, __builtin_return_address(0));
    return __libc_realloc(memory, bytes);
}

void *memalign(size_t alignment, size_t bytes) {
    meter_count(METER_ALLOCATION, __builtin_return_address(0));
    return __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    meter_count(METER_ALLOCATION, __builtin_return_address(0));
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    meter_count(METER_ALLOCATION, __builtin_return_address(0));
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *made = __libc_memalign(alignment, bytes);
    if (made == NULL) return ENOMEM;
    *memory = made;
    return 0;
}

void free(void *memory) {
    /* free(NULL) does nothing and does not count. */
    if (memory != NULL) meter_count(METER_FREE, __builtin_return_address(0));
    __libc_free(memory);
}
