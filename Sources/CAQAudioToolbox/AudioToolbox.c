/* SPDX-License-Identifier: MIT */

/* A C target needs a source file; this one checks that the umbrella stands alone. */
#include <AudioToolbox/AudioToolbox.h>
