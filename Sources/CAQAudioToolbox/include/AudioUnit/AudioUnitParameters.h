/* SPDX-License-Identifier: MIT */

/* The older name of the header. */
#include <AudioToolbox/AudioUnitParameters.h>
