#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks the C headers against the table of the published interface, with each compiler that is there: the value and
# type of every constant, the size, alignment and fields of every struct, the type of every function and callback;
# that the headers declare nothing that the table lacks; and what the inline functions return.
#   Tests/AudioToolboxTests/Interface/check.sh [SWIFTC]     SWIFTC brings clang and CoreFoundation's headers along
set -eu
table=$(dirname "$(realpath "$0")")/interface.tsv
sources=$(realpath "$(dirname "$table")/../../../Sources")
# What is in PATH may be a link to what manages toolchains.
toolchain=$("${1:-swiftc}" -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/lib/swift".*|\1/bin|p')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One file is both C and C++. Lines are numbered as in the table, so that a compiler names the row that is wrong.
awk -F '\t' -v table="$table" '
    BEGIN { print "#include \"prologue.h\""; print "#line 1 \"" table "\"" }
    /^#/ { print ""; next }
    { if (NF < 3) { print "#error a row has too few columns"; next } }
    $1 == "constant" { print "CONSTANT(" $2 ", " $3 ($4 == "OSStatus" || $4 == "MPEG4ObjectID" ? "" : "U") ", " $4 ")" }
    $1 == "string" { print "STRING(" $2 ", \"" $3 "\")" }
    $1 == "enum" { print "ENUM(" $2 ", " $3 ")" }
    $1 == "struct" { print "STRUCT(" $2 ", " $3 ", " $4 ")" }
    $1 == "field" { name = $2; sub(/\./, ", ", name); print "FIELD(" name ", " $3 ", " $4 ")" }
    $1 == "typedef" || $1 == "function" {
        kind = toupper($1) ($3 ~ /\^|dispatch_queue_t/ ? "_OF_BLOCKS" : "")
        print kind "(" $2 ", " $3 ")"
    }
    $1 == "variable" { print "VARIABLE(" $2 ", " $3 ")" }
    $1 !~ /^(constant|variable|string|enum|struct|field|typedef|function)$/ { print "#error a row of no known kind" }
    END { print "#line 1 \"epilogue\""; print "int main(void) { return 0; }" }
' "$table" >"$work/interface.c"

cat >"$work/prologue.h" <<'END'
#include <AudioToolbox/AudioToolbox.h>
#include <AudioUnit/AudioUnit.h>
#include <libkern/OSAtomic.h>
#include <CoreMedia/CoreMedia.h>
#include <mach/mach_time.h>
#include <os/lock.h>
#include <os/log.h>
#ifdef __cplusplus
#include <type_traits>
template <class T> struct Type { typedef T type; };
#define CHECK(condition) static_assert(condition, #condition);
#define TYPE_OF(expression) std::remove_reference<decltype(expression)>::type
#define CHECK_TYPE(given, ...) CHECK((std::is_same<given, Type<__VA_ARGS__>::type>::value))
#define CHECK_ENUM(name, type) CHECK(std::is_enum<name>::value || (std::is_same<name, type>::value)) \
    CHECK(sizeof(name) == sizeof(type))
#define CONSTANT_TYPE(name, type)
#else
#define CHECK(condition) _Static_assert(condition, #condition);
#define TYPE_OF(expression) __typeof__(expression)
#define CHECK_TYPE(given, ...) CHECK(__builtin_types_compatible_p(given, __VA_ARGS__))
#define CHECK_ENUM(name, type) CHECK_TYPE(name, type)
/* C has typed constants where enums have a type; elsewhere they are as wide as an int. */
#if AUDIO_HAS_FIXED_ENUM
#define CONSTANT_TYPE(name, type) CHECK_TYPE(TYPE_OF(name), type)
#else
#define CONSTANT_TYPE(name, type)
#endif
#endif
#define CONSTANT(name, value, type) CHECK((type)name == (type)value) CONSTANT_TYPE(name, type)
#define VARIABLE(name, type) CHECK_TYPE(TYPE_OF(name), type)
#define STRING(name, value) CHECK(sizeof(name) == sizeof(value) && __builtin_strcmp(name, value) == 0)
#define ENUM(name, type) CHECK_ENUM(name, type)
#define STRUCT(name, bytes, alignment) CHECK(sizeof(name) == bytes) CHECK(__alignof__(name) == alignment)
#define FIELD(name, field, offset, ...) CHECK(offsetof(name, field) == offset) \
    CHECK_TYPE(TYPE_OF(((name *)0)->field), __VA_ARGS__)
#define TYPEDEF(name, ...) CHECK_TYPE(name, __VA_ARGS__)
#define FUNCTION(name, ...) CHECK_TYPE(TYPE_OF(name), __VA_ARGS__)
#if AUDIO_HAS_BLOCKS
#define TYPEDEF_OF_BLOCKS TYPEDEF
#define FUNCTION_OF_BLOCKS FUNCTION
#else
#define TYPEDEF_OF_BLOCKS(...)
#define FUNCTION_OF_BLOCKS(...)
#endif
END

set -- -Wall -Wextra -Wpedantic -Werror -I "$work"
for module in CAQCoreAudioTypes CAQAudioQueueTypes CAQCoreAudio CAQCoreMedia CAQAudioToolbox CAQPortability; do
    set -- "$@" -I "$sources/$module/include"
done

failures=0
how=
check() { # check COMPILER LANGUAGE STANDARD [FLAG…]
    compiler=$1 language=$2 standard=$3
    shift 3
    if ! command -v "$compiler" >/dev/null; then
        echo "interface: not checked with $compiler, which is not here"
    elif "$compiler" -fsyntax-only -x "$language" "-std=$standard" "$@" "$work/interface.c" \
        >"$work/messages" 2>&1; then
        echo "interface: as published for ${compiler##*/}, $standard$how"
    else
        echo "interface: not as published for ${compiler##*/}, $standard$how" >&2
        grep -E 'error|fatal' "$work/messages" | head -n 20 >&2
        failures=1
    fi
}

# Without CoreFoundation's headers, opaque types of the same names take their place.
how=", without CoreFoundation"
check "$toolchain/clang" c c11 "$@"
how=
set -- "$@" -isystem "$toolchain/../lib/swift"
for standard in c11 c23; do
    check "$toolchain/clang" c $standard -fblocks "$@"
done
for standard in c++17 c++20; do
    check "$toolchain/clang++" c++ $standard -fblocks "$@"
done
for standard in c11 c2x; do
    check gcc c $standard "$@"
done
for standard in c++17 c++20; do
    check g++ c++ $standard "$@"
done

# As installed: without blocks, a program may include CoreFoundation's umbrella.
how=", as installed"
set -- -I "$sources/CAQAudioToolbox/portable" "$@" -include CoreFoundation/CoreFoundation.h
check "$toolchain/clang" c c11 "$@"
check "$toolchain/clang++" c++ c++17 "$@"
check gcc c c11 "$@"
check g++ c++ c++17 "$@"

run() { # run COMPILER [FLAG…]
    command -v "$1" >/dev/null || return 0
    if ! "$@" -std=c++17 -o "$work/inline" "$(dirname "$table")/inline.cpp"; then
        failures=1
    elif "$work/inline"; then
        echo "interface: inline functions as published for ${1##*/}"
    else
        echo "interface: inline functions not as published for ${1##*/}: check $?" >&2
        failures=1
    fi
}
run "$toolchain/clang++" "$@"
run g++ "$@"

# The names that the headers declare, by what stands around them, and those of the table.
cd "$sources"
find C*Audio*/include CAQCoreMedia/include -name '*.h' ! -name AudioCoreFoundation.h -exec cat {} + |
    sed -nE 's/.*\<(k[A-Z][A-Za-z0-9_]*) = .*/\1/p
        s/^#define (k[A-Z][A-Za-z0-9_]*) .*/\1/p
        s/^(static inline )?[A-Za-z0-9]+ (_Nullable )?\*?((Audio|ExtAudio|Num|Next|AUGraph|NewAU|DisposeAU|CAShow)[A-Za-z0-9_]*)\(.*/\3/p
        s/^(static inline )?[A-Za-z0-9]+ \*?(Audio|ExtAudio|Num|Next)([A-Za-z0-9_]*)\(.*/\2\3/p
        s/^[A-Za-z].*[ *](CM[A-Za-z0-9]+)\(.*/\1/p
        s/^extern const [A-Za-z]+ ([A-Za-z0-9]+);/\1/p
        s/^typedef .*[ *]([A-Za-z0-9_]+);$/\1/p
        s/^typedef .*\([*^]([A-Za-z0-9_]+)\)\(.*/\1/p
        s/^typedef struct ([A-Za-z_]+) \{/\1/p
        s/^AUDIO_(ENUM|OPTIONS)\([A-Za-z0-9]+, ([A-Za-z]+)\).*/\2/p' | sort -u >"$work/declared"
awk -F '\t' '!/^#/ && $1 != "field" { print $2 }' "$table" | sort -u >"$work/listed"
if ! comm -23 "$work/declared" "$work/listed" >"$work/extra" || [ -s "$work/extra" ]; then
    echo "interface: declared, but not in the table:" >&2
    sed 's/^/    /' "$work/extra" >&2
    failures=1
fi

echo "interface: $(grep -v '^#' "$table" | cut -f 1 | sort | uniq -c | awk '{ printf "%s%d %s", s, $1, $2; s = ", " }')"
exit $failures
