/* SPDX-License-Identifier: MIT */

/* What the headers of CoreMedia share. */
#ifndef CORE_MEDIA_BASE_H
#define CORE_MEDIA_BASE_H

#include <CoreAudio/AudioCoreFoundation.h>
#include <CoreAudioTypes/AudioDeclarationMacros.h>
#include <CoreAudioTypes/CoreAudioBaseTypes.h>

/* AUDIO_OBJECT                         marks the type of an object that CFRetain and CFRelease accept: a class in Swift
 * AUDIO_RETURNS_RETAINED               marks a parameter through which the caller gets an object to release
 * AUDIO_SWIFT_NAME(name(label:))       the name and labels of a function in Swift
 * AUDIO_OBJECTS_BEGIN, ..._END         around functions whose names say, as CoreFoundation's do, whether the caller has
 *                                      to release the object that they return */
#if defined(__clang__)
#define AUDIO_OBJECT __attribute__((objc_bridge(id)))
#define AUDIO_RETURNS_RETAINED __attribute__((cf_returns_retained))
#define AUDIO_SWIFT_NAME(name) __attribute__((swift_name(#name)))
#define AUDIO_OBJECTS_BEGIN _Pragma("clang arc_cf_code_audited begin")
#define AUDIO_OBJECTS_END _Pragma("clang arc_cf_code_audited end")
#else
#define AUDIO_OBJECT
#define AUDIO_RETURNS_RETAINED
#define AUDIO_SWIFT_NAME(name)
#define AUDIO_OBJECTS_BEGIN
#define AUDIO_OBJECTS_END
#endif

/* A number of samples or of entries. */
typedef CFIndex CMItemCount;
/* The index of a sample. */
typedef CFIndex CMItemIndex;

#endif
