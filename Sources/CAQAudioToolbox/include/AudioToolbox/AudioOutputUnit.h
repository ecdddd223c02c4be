/* SPDX-License-Identifier: MIT */

/* The start and stop of I/O units. */
#ifndef AUDIO_OUTPUT_UNIT_H
#define AUDIO_OUTPUT_UNIT_H

#include <AudioToolbox/AUComponent.h>

AUDIO_DECLARATIONS_BEGIN

/* The value of kAudioOutputUnitProperty_StartTime. */
typedef struct AudioOutputUnitStartAtTimeParams {
    AudioTimeStamp mTimestamp; /* the time of the first frame */
    UInt32 mFlags;             /* 0 */
} AudioOutputUnitStartAtTimeParams;

/* Starts an I/O unit: its callbacks run from now on. */
OSStatus AudioOutputUnitStart(AudioUnit ci);

/* Stops an I/O unit. No callback runs after the return, except if a callback calls the function itself. */
OSStatus AudioOutputUnitStop(AudioUnit ci);

AUDIO_DECLARATIONS_END

#endif
