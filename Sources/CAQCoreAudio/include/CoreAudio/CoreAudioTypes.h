/* SPDX-License-Identifier: MIT */

/* The shared types under the older name of their header. */
#include <CoreAudioTypes/CoreAudioTypes.h>
