/* SPDX-License-Identifier: MIT */

/* A C target needs a source file; this one checks that the header stands alone. */
#include <AudioToolbox/AudioQueueTypes.h>
