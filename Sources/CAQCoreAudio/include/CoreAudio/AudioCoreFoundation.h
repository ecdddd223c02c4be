/* SPDX-License-Identifier: MIT */

/* The parts of CoreFoundation and libdispatch that the audio headers need, for every compiler.
 *
 * The headers come with the Swift toolchain. CoreFoundation's umbrella there requires blocks, so its public headers
 * are included one by one, which GCC supports too. Without them, programs that use no CoreFoundation objects still
 * compile. */
#ifndef AUDIO_CORE_FOUNDATION_H
#define AUDIO_CORE_FOUNDATION_H

/* Programs rely on CoreFoundation to include these. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#if __has_include(<CoreFoundation/CFBase.h>)

/* QUIRK: the toolchain's headers use clang's macro for the byte order, which GCC does not have. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__LITTLE_ENDIAN__) && \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define __LITTLE_ENDIAN__ 1
#include <CoreFoundation/CFBase.h>
#undef __LITTLE_ENDIAN__
#endif

#include <CoreFoundation/CFArray.h>
#include <CoreFoundation/CFAttributedString.h>
#include <CoreFoundation/CFBag.h>
#include <CoreFoundation/CFBase.h>
#include <CoreFoundation/CFBinaryHeap.h>
#include <CoreFoundation/CFBitVector.h>
#include <CoreFoundation/CFBundle.h>
#include <CoreFoundation/CFByteOrder.h>
#include <CoreFoundation/CFCalendar.h>
#include <CoreFoundation/CFCharacterSet.h>
#include <CoreFoundation/CFData.h>
#include <CoreFoundation/CFDate.h>
#include <CoreFoundation/CFDateFormatter.h>
#include <CoreFoundation/CFDictionary.h>
#include <CoreFoundation/CFError.h>
#include <CoreFoundation/CFLocale.h>
#include <CoreFoundation/CFNumber.h>
#include <CoreFoundation/CFNumberFormatter.h>
#include <CoreFoundation/CFPlugIn.h>
#include <CoreFoundation/CFPreferences.h>
#include <CoreFoundation/CFPropertyList.h>
#include <CoreFoundation/CFRunLoop.h>
#include <CoreFoundation/CFSet.h>
#include <CoreFoundation/CFSocket.h>
#include <CoreFoundation/CFStream.h>
#include <CoreFoundation/CFString.h>
#include <CoreFoundation/CFStringEncodingExt.h>
#include <CoreFoundation/CFTimeZone.h>
#include <CoreFoundation/CFTree.h>
#include <CoreFoundation/CFURL.h>
#include <CoreFoundation/CFURLAccess.h>
#include <CoreFoundation/CFUUID.h>

#else

typedef bool Boolean;
typedef const void *CFTypeRef;
typedef const struct __CFString *CFStringRef;
typedef const struct __CFURL *CFURLRef;
typedef struct __CFRunLoop *CFRunLoopRef;
typedef const struct __CFAllocator *CFAllocatorRef;
typedef const struct __CFDictionary *CFDictionaryRef;
typedef signed long CFIndex;
typedef unsigned long CFTypeID;

#endif

/* Objective-C with a runtime declares its own nil. */
#if !defined(nil) && !(defined(__OBJC__) && __has_include(<objc/objc.h>))
#define nil NULL /* the null object, also used by C and C++ programs */
#endif

/* Semaphores and queues need no blocks. Functions with blocks are declared only for compilers that support them.
 * QUIRK: dispatch's headers use clang's macro, which CoreFoundation's define for GCC. */
#if defined(__has_feature) && __has_include(<dispatch/dispatch.h>)
/* QUIRK: g++ rejects the position of the attribute in each declaration that they mark as unavailable. */
#if defined(__cplusplus) && !defined(__clang__) && __has_include(<os/generic_unix_base.h>)
#define __DISPATCH_INDIRECT__
#include <os/generic_unix_base.h>
#include <dispatch/base.h>
#undef __DISPATCH_INDIRECT__
#undef DISPATCH_LINUX_UNAVAILABLE
#define DISPATCH_LINUX_UNAVAILABLE()
#endif
#include <dispatch/dispatch.h>
#endif
#if defined(__BLOCKS__) && __has_include(<dispatch/dispatch.h>)
#define AUDIO_HAS_BLOCKS 1
#else
#define AUDIO_HAS_BLOCKS 0
#endif

#endif
