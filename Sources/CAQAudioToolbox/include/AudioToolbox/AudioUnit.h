/* SPDX-License-Identifier: MIT */

/* Audio units: all headers about them. */
#ifndef AUDIO_UNIT_H
#define AUDIO_UNIT_H

#include <AudioToolbox/AUComponent.h>
#include <AudioToolbox/AudioComponent.h>
#include <AudioToolbox/AudioOutputUnit.h>
#include <AudioToolbox/AudioUnitParameters.h>
#include <AudioToolbox/AudioUnitProperties.h>

#endif
