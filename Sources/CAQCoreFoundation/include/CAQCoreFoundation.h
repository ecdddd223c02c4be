/* SPDX-License-Identifier: MIT */

/* Objects of CoreFoundation that are defined here: CFRetain, CFRelease and CFGetTypeID accept them. Each has a pointer
 * to what it contains, which a function releases with the object. */
#ifndef C_CORE_FOUNDATION_H
#define C_CORE_FOUNDATION_H

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/* Registers a class of objects, forever, and returns its number; 0 if there is no room for another class. The name must
 * exist as long as the process. The function is called with the object when its last reference is released. */
unsigned long aq_cf_register_class(const char *name, void (*finalize)(const void *_Nullable object));

/* Creates an object, which the caller releases; NULL if there is no memory for it. */
void *_Nullable aq_cf_create(unsigned long type, void *contents);

/* Returns the number of an object's class. */
unsigned long aq_cf_type(const void *object);

/* Returns what an object of such a class contains. */
void *_Nullable aq_cf_contents(const void *object);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
