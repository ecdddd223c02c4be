/* SPDX-License-Identifier: MIT */

/* The macros that declare constants and functions for each compiler. */
#ifndef AUDIO_DECLARATION_MACROS_H
#define AUDIO_DECLARATION_MACROS_H

/* Swift imports an enum with an underlying type with the published type; clang supports it in every language mode,
 * C++ since 2011, C since 2023. Elsewhere the constants are plain integers. */
#if defined(__clang__) || (defined(__cplusplus) && __cplusplus >= 201103L) || \
    (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define AUDIO_HAS_FIXED_ENUM 1
#else
#define AUDIO_HAS_FIXED_ENUM 0
#endif

/* AUDIO_CONSTANTS(type) { … };         constants of an integer type
 * AUDIO_ENUM(type, name) { … };        an open enumeration
 * AUDIO_OPTIONS(type, name) { … };     a set of flags; an integer in C++, so that | compiles */
#if defined(__GNUC__)
#define AUDIO_EXTENSION __extension__ /* suppresses a warning of -pedantic */
#else
#define AUDIO_EXTENSION
#endif

#if defined(__clang__)
#define AUDIO_OPEN_ENUM __attribute__((enum_extensibility(open)))
#define AUDIO_FLAG_ENUM __attribute__((flag_enum, enum_extensibility(open)))
#else
#define AUDIO_OPEN_ENUM
#define AUDIO_FLAG_ENUM
#endif

#if AUDIO_HAS_FIXED_ENUM
#define AUDIO_CONSTANTS(type) AUDIO_EXTENSION enum : type
#define AUDIO_ENUM(type, name)                \
    AUDIO_EXTENSION enum name : type;         \
    typedef enum name name;                   \
    AUDIO_EXTENSION enum AUDIO_OPEN_ENUM name : type
#else
#define AUDIO_CONSTANTS(type) AUDIO_EXTENSION enum
#define AUDIO_ENUM(type, name) \
    typedef type name;         \
    AUDIO_EXTENSION enum
#endif

#if AUDIO_HAS_FIXED_ENUM && !defined(__cplusplus)
#define AUDIO_OPTIONS(type, name)             \
    AUDIO_EXTENSION enum name : type;         \
    typedef enum name name;                   \
    AUDIO_EXTENSION enum AUDIO_FLAG_ENUM name : type
#else
#define AUDIO_OPTIONS(type, name) \
    typedef type name;            \
    AUDIO_CONSTANTS(type)
#endif

/* Nullability is an extension of clang; for other compilers it is empty. */
#if !defined(__clang__)
#if !defined(_Nonnull)
#define _Nonnull
#endif
#if !defined(_Nullable)
#define _Nullable
#endif
#endif

/* The older spelling of _Nullable; that of _Nonnull is a macro of the C library here. */
#if !defined(__nullable)
#define __nullable _Nullable
#endif

/* Swift imports the C function with two leading underscores in its name. The Swift module declares the function
 * without them. */
#if defined(__clang__)
#define AUDIO_REFINED_FOR_SWIFT __attribute__((swift_private))
#else
#define AUDIO_REFINED_FOR_SWIFT
#endif

#if defined(__cplusplus)
#define AUDIO_EXTERN_C_BEGIN extern "C" {
#define AUDIO_EXTERN_C_END }
#else
#define AUDIO_EXTERN_C_BEGIN
#define AUDIO_EXTERN_C_END
#endif

/* The pragmas around a header's declarations: pointers are not null unless marked. Compilers do not warn of
 * four-character codes, which are multi-character literals, or of nullability, which is an extension. QUIRK: g++
 * before version 13 warns while it reads a header, before it evaluates these pragmas. */
#if defined(__clang__)
#define AUDIO_DECLARATIONS_BEGIN                                              \
    _Pragma("clang diagnostic push")                                          \
    _Pragma("clang diagnostic ignored \"-Wfour-char-constants\"")             \
    _Pragma("clang diagnostic ignored \"-Wnullability-extension\"")           \
    _Pragma("clang assume_nonnull begin") AUDIO_EXTERN_C_BEGIN
#define AUDIO_DECLARATIONS_END \
    AUDIO_EXTERN_C_END _Pragma("clang assume_nonnull end") _Pragma("clang diagnostic pop")
#elif defined(__GNUC__) && defined(__cplusplus)
#define AUDIO_DECLARATIONS_BEGIN _Pragma("GCC system_header") AUDIO_EXTERN_C_BEGIN
#define AUDIO_DECLARATIONS_END AUDIO_EXTERN_C_END
#elif defined(__GNUC__)
#define AUDIO_DECLARATIONS_BEGIN \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wmultichar\"")
#define AUDIO_DECLARATIONS_END _Pragma("GCC diagnostic pop")
#else
#define AUDIO_DECLARATIONS_BEGIN AUDIO_EXTERN_C_BEGIN
#define AUDIO_DECLARATIONS_END AUDIO_EXTERN_C_END
#endif

#endif
