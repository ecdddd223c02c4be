/* SPDX-License-Identifier: MIT */

/* Classic Mac types that programs still use. CoreFoundation's headers declare the other types of this file. */
#ifndef AUDIO_MAC_TYPES_H
#define AUDIO_MAC_TYPES_H

#include <CoreAudioTypes/CoreAudioBaseTypes.h>
#include <TargetConditionals.h>
#include <stddef.h>

/* CoreFoundation may include this file itself, if a program defines its system as a Mac. */
#if !defined(__COREFOUNDATION_CFBASE__)
#include <CoreAudio/AudioCoreFoundation.h>
#endif
#if !defined(nil) && !(defined(__OBJC__) && __has_include(<objc/objc.h>))
#define nil NULL /* the null object, also used by C and C++ programs */
#endif

/* Fixed-point numbers, with 16, 30, 16 (unsigned) and 8 fraction bits. */
typedef SInt32 Fixed;
typedef SInt32 Fract;
typedef UInt32 UnsignedFixed;
typedef SInt16 ShortFixed;

/* 64-bit numbers as two halves. */
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

/* Memory and its size. */
typedef char *Ptr;
typedef Ptr *Handle;
typedef long Size;
typedef void *LogicalAddress;
typedef const void *ConstLogicalAddress;
typedef UInt8 *BytePtr;
typedef unsigned long ByteCount;
typedef unsigned long ByteOffset;

/* Counts, enumerations, times. */
typedef unsigned long ItemCount;
typedef UInt32 OptionBits;
typedef UInt32 PBVersion;
typedef SInt32 Duration;
typedef UnsignedWide AbsoluteTime;

/* Four characters that name a resource. */
typedef FourCharCode ResType;
typedef OSType *OSTypePtr;

/* Strings with a length byte. */
typedef unsigned char Str15[16];
typedef unsigned char Str27[28];
typedef unsigned char Str31[32];
typedef unsigned char Str32[33];
typedef unsigned char Str63[64];

#endif
