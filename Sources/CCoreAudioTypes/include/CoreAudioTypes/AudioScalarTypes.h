/* The scalar types of the published interface, spelled as in CoreFoundation on Linux, so that both may be included.
 * `Boolean` is not declared: these headers do not use it, and CoreFoundation declares it. */
#ifndef AUDIO_SCALAR_TYPES_H
#define AUDIO_SCALAR_TYPES_H

#include <stdint.h>

/* Eight bits. */
typedef unsigned char UInt8;
/* Eight bits with a sign. */
typedef signed char SInt8;
/* Sixteen bits. */
typedef unsigned short UInt16;
/* Sixteen bits with a sign. */
typedef signed short SInt16;
/* Thirty-two bits. */
typedef unsigned int UInt32;
/* Thirty-two bits with a sign. */
typedef signed int SInt32;
/* Sixty-four bits. */
typedef uint64_t UInt64;
/* Sixty-four bits with a sign. */
typedef int64_t SInt64;
/* Floating point of single precision. */
typedef float Float32;
/* Floating point of double precision. */
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
