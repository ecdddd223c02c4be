/* SPDX-License-Identifier: MIT */

/* All headers of the framework. */
#ifndef CORE_AUDIO_H
#define CORE_AUDIO_H

#include <CoreAudio/AudioHardware.h>
#include <CoreAudio/AudioHardwareDeprecated.h>
#include <CoreAudio/CoreAudioTypes.h>
#include <CoreAudio/HostTime.h>

#endif
