/* SPDX-License-Identifier: MIT */

/* CoreFoundation under its own name for C programs: the toolchain's umbrella needs clang and -fblocks; this
 * header supports every compiler. It precedes the toolchain's headers in the search path. */
#include <CoreAudio/AudioCoreFoundation.h>
