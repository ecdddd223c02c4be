/* SPDX-License-Identifier: MIT */

#include "CAQCoreFoundation.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The declarations of CFRuntime.h, which frameworks use to define objects. QUIRK: the header is in the folder of the
 * module, but not in the module, so that Swift's importer cannot find it; and this compiler has no path to it. A test
 * compares both. */
struct runtime_class {
    long version; /* 0 */
    const char *name;
    void (*init)(const void *object);
    const void *(*copy)(const void *allocator, const void *object);
    void (*finalize)(const void *object);
    unsigned char (*equal)(const void *object, const void *other);
    unsigned long (*hash)(const void *object);
    const void *(*copy_formatting_description)(const void *object, const void *options);
    const void *(*copy_debug_description)(const void *object);
    void (*reclaim)(const void *object);
    uint32_t (*count_references)(intptr_t operation, const void *object);
    uintptr_t alignment;
};

extern unsigned long _CFRuntimeRegisterClass(const struct runtime_class *class);
extern const void *_CFRuntimeCreateInstance(
    const void *allocator, unsigned long type, long extra_bytes, unsigned char *category);
extern unsigned long CFGetTypeID(const void *object);

/* The beginning of each object, whose fields belong to the Swift runtime and CoreFoundation. */
struct __attribute__((aligned(8))) runtime_base {
    uintptr_t class;
    uintptr_t references;
    uint64_t info;
};

struct object {
    struct runtime_base base;
    void *contents;
};

unsigned long aq_cf_register_class(const char *name, void (*finalize)(const void *object)) {
    struct runtime_class *class = calloc(1, sizeof *class);
    if (class == NULL) return 0;
    class->name = name;
    class->finalize = finalize;
    return _CFRuntimeRegisterClass(class);
}

void *aq_cf_create(unsigned long type, void *contents) {
    const long extra_bytes = sizeof(struct object) - sizeof(struct runtime_base);
    struct object *object = (struct object *)_CFRuntimeCreateInstance(NULL, type, extra_bytes, NULL);
    if (object != NULL) object->contents = contents;
    return object;
}

unsigned long aq_cf_type(const void *object) { return CFGetTypeID(object); }

void *aq_cf_contents(const void *object) { return ((const struct object *)object)->contents; }
