/* SPDX-License-Identifier: MIT */

/* The scalar types of the published interface, spelled as in CoreFoundation on Linux, so that both may be included.
 * `Boolean` is not declared: these headers do not use it, and CoreFoundation declares it. */
#ifndef AUDIO_SCALAR_TYPES_H
#define AUDIO_SCALAR_TYPES_H

#include <stdint.h>

/* An unsigned 8-bit integer. */
typedef unsigned char UInt8;
/* A signed 8-bit integer. */
typedef signed char SInt8;
/* An unsigned 16-bit integer. */
typedef unsigned short UInt16;
/* A signed 16-bit integer. */
typedef signed short SInt16;
/* An unsigned 32-bit integer. */
typedef unsigned int UInt32;
/* A signed 32-bit integer. */
typedef signed int SInt32;
/* An unsigned 64-bit integer. */
typedef uint64_t UInt64;
/* A signed 64-bit integer. */
typedef int64_t SInt64;
/* A single-precision number. */
typedef float Float32;
/* A double-precision number. */
typedef double Float64;

/* The result of a function; 0 if it succeeded. */
typedef SInt32 OSStatus;
/* Four characters in a number, the first in its highest byte. */
typedef UInt32 FourCharCode;
/* Four characters that name a type. */
typedef FourCharCode OSType;

/* One sample of the deprecated canonical formats. */
typedef Float32 AudioSampleType;
/* One sample of the deprecated canonical formats. */
typedef Float32 AudioUnitSampleType;

#endif
