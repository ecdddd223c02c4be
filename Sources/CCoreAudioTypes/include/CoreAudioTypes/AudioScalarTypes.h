/* The scalar types of the published interface, spelled as CoreFoundation spells them on Linux, so that
 * both may be included. `Boolean` is left out: nothing here needs it, and it is CoreFoundation's here. */
#ifndef AUDIO_SCALAR_TYPES_H
#define AUDIO_SCALAR_TYPES_H

#include <stdint.h>

typedef unsigned char UInt8;
typedef signed char SInt8;
typedef unsigned short UInt16;
typedef signed short SInt16;
typedef unsigned int UInt32;
typedef signed int SInt32;
typedef uint64_t UInt64;
typedef int64_t SInt64;
typedef float Float32;
typedef double Float64;

typedef SInt32 OSStatus;
typedef UInt32 FourCharCode;
typedef FourCharCode OSType;

/* One sample of the deprecated canonical formats. */
typedef Float32 AudioSampleType;
typedef Float32 AudioUnitSampleType;

#endif
