/* SPDX-License-Identifier: MIT */

/* All headers of the framework, which are in AudioToolbox. */
#include <AudioToolbox/AudioUnit.h>
#include <CoreAudio/CoreAudio.h>
