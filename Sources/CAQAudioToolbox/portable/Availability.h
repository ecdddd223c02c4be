/* SPDX-License-Identifier: MIT */

/* The systems that introduced a function. No Apple systems or versions are defined here. */
#ifndef AUDIO_AVAILABILITY_H
#define AUDIO_AVAILABILITY_H

#if !defined(API_AVAILABLE)
#define API_AVAILABLE(...)
#endif
#if !defined(API_DEPRECATED)
#define API_DEPRECATED(...)
#endif
#if !defined(API_DEPRECATED_WITH_REPLACEMENT)
#define API_DEPRECATED_WITH_REPLACEMENT(...)
#endif
#if !defined(API_UNAVAILABLE)
#define API_UNAVAILABLE(...)
#endif
#if !defined(__OSX_AVAILABLE_STARTING)
#define __OSX_AVAILABLE_STARTING(mac, ios)
#endif
#if !defined(__OSX_AVAILABLE_BUT_DEPRECATED)
#define __OSX_AVAILABLE_BUT_DEPRECATED(mac, macDeprecated, ios, iosDeprecated)
#endif

#endif
