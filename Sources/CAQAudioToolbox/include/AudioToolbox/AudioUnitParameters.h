/* SPDX-License-Identifier: MIT */

/* The parameters of each audio unit. */
#ifndef AUDIO_UNIT_PARAMETERS_H
#define AUDIO_UNIT_PARAMETERS_H

#include <AudioToolbox/AUComponent.h>

AUDIO_DECLARATIONS_BEGIN

/* Parameters of I/O units. */
AUDIO_CONSTANTS(AudioUnitParameterID) {
    kHALOutputParam_Volume = 14 /* the linear gain of the output: 0 to 1 */
};

/* Parameters of kAudioUnitSubType_MultiChannelMixer, of an input bus or of the output. */
AUDIO_CONSTANTS(AudioUnitParameterID) {
    kMultiChannelMixerParam_Volume = 0,              /* linear gain */
    kMultiChannelMixerParam_Enable = 1,              /* 0: the bus is silent */
    kMultiChannelMixerParam_Pan = 2,                 /* of an input: -1 is left, 1 right */
    kMultiChannelMixerParam_PreAveragePower = 1000,  /* read only: decibels before the gain */
    kMultiChannelMixerParam_PrePeakHoldLevel = 2000, /* read only: decibels before the gain */
    kMultiChannelMixerParam_PostAveragePower = 3000, /* read only: decibels after the gain */
    kMultiChannelMixerParam_PostPeakHoldLevel = 4000 /* read only: decibels after the gain */
};

/* Parameters of kAudioUnitSubType_StereoMixer. */
AUDIO_CONSTANTS(AudioUnitParameterID) {
    kStereoMixerParam_Volume = 0, /* linear gain */
    kStereoMixerParam_Pan = 1     /* the position of an input */
};

/* Parameters of kAudioUnitSubType_Varispeed. */
AUDIO_CONSTANTS(AudioUnitParameterID) {
    kVarispeedParam_PlaybackRate = 0, /* the rate; 1 is normal */
    kVarispeedParam_PlaybackCents = 1 /* the same in cents; 0 is normal */
};

/* Parameters of kAudioUnitSubType_NewTimePitch. */
AUDIO_CONSTANTS(AudioUnitParameterID) {
    kNewTimePitchParam_Rate = 0, /* the rate; 1 is normal */
    kNewTimePitchParam_Pitch = 1 /* the pitch in cents; 0 is normal */
};

AUDIO_DECLARATIONS_END

#endif
