/* Types of the classic Mac that programs still name. CoreFoundation's headers declare the other ones of this file. */
#ifndef AUDIO_MAC_TYPES_H
#define AUDIO_MAC_TYPES_H

#include <CoreAudioTypes/CoreAudioBaseTypes.h>
#include <TargetConditionals.h>
#include <stddef.h>

/* CoreFoundation may be at this file itself, if a program says that its system is a Mac. */
#if !defined(__COREFOUNDATION_CFBASE__)
#include <CoreAudio/AudioCoreFoundation.h>
#endif
#if !defined(nil) && !(defined(__OBJC__) && __has_include(<objc/objc.h>))
#define nil NULL /* no object, as programs in C and C++ write it, too */
#endif

/* Numbers with a fixed point: behind 16 bits, 2 bits, 16 bits without a sign, 8 bits. */
typedef SInt32 Fixed;
typedef SInt32 Fract;
typedef UInt32 UnsignedFixed;
typedef SInt16 ShortFixed;

/* Numbers of 64 bits in halves. */
typedef struct wide {
#if TARGET_RT_BIG_ENDIAN
    SInt32 hi;
    UInt32 lo;
#else
    UInt32 lo;
    SInt32 hi;
#endif
} wide;
typedef struct UnsignedWide {
#if TARGET_RT_BIG_ENDIAN
    UInt32 hi;
    UInt32 lo;
#else
    UInt32 lo;
    UInt32 hi;
#endif
} UnsignedWide;

/* Memory, and how much of it. */
typedef char *Ptr;
typedef Ptr *Handle;
typedef long Size;
typedef void *LogicalAddress;
typedef const void *ConstLogicalAddress;
typedef UInt8 *BytePtr;
typedef unsigned long ByteCount;
typedef unsigned long ByteOffset;

/* Counts, choices, times. */
typedef unsigned long ItemCount;
typedef UInt32 OptionBits;
typedef UInt32 PBVersion;
typedef SInt32 Duration;
typedef UnsignedWide AbsoluteTime;

/* Four characters that name a resource. */
typedef FourCharCode ResType;
typedef OSType *OSTypePtr;

/* Strings that begin with their length. */
typedef unsigned char Str15[16];
typedef unsigned char Str27[28];
typedef unsigned char Str31[32];
typedef unsigned char Str32[33];
typedef unsigned char Str63[64];

#endif
