/* SPDX-License-Identifier: MIT */

/* Functions for a C program's dispatch queue that Swift cannot call: on Linux such a queue is not a
 * Swift object, and the functions that count its references are hidden there. */
#ifndef C_QUEUE_DISPATCH_H
#define C_QUEUE_DISPATCH_H

#include <dispatch/dispatch.h>
#include <stdbool.h>
#include <stddef.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

static inline void aq_dispatch_retain(dispatch_queue_t queue) { dispatch_retain(queue); }
static inline void aq_dispatch_release(dispatch_queue_t queue) { dispatch_release(queue); }

/* A serial queue whose blocks run on another queue, which it retains. */
static inline dispatch_queue_t aq_dispatch_queue_over(dispatch_queue_t target) {
    return dispatch_queue_create_with_target("aq callbacks", NULL, target);
}

/* Calls the function with the context in a block of the queue. */
static inline void aq_dispatch_async(
    dispatch_queue_t queue, void *context, void (*function)(void *_Nullable context)) {
    dispatch_async_f(queue, context, function);
}

/* Marks a queue, so that code can detect whether it runs there. Only the address of the key counts. */
static inline void aq_dispatch_mark(dispatch_queue_t queue, const void *key) {
    dispatch_queue_set_specific(queue, key, (void *)1, NULL);
}
static inline void aq_dispatch_unmark(dispatch_queue_t queue, const void *key) {
    dispatch_queue_set_specific(queue, key, NULL, NULL);
}
static inline bool aq_dispatch_is_marked(const void *key) { return dispatch_get_specific(key) != NULL; }

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
