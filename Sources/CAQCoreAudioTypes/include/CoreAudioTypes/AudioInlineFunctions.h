/* SPDX-License-Identifier: MIT */

/* Functions for C++ programs that fill in the structs. */
#ifndef AUDIO_INLINE_FUNCTIONS_H
#define AUDIO_INLINE_FUNCTIONS_H

#include "AudioFormatFlags.h"
#include "AudioStreamTypes.h"
#include "AudioTimeStamps.h"

#if defined(__cplusplus)

/* Returns whether linear PCM has the byte order of this machine. */
inline bool IsAudioFormatNativeEndian(const AudioStreamBasicDescription &f) {
    return TestAudioFormatNativeEndian(f);
}

/* Returns the flags of linear PCM with a number of valid bits in samples of a number of bits. */
inline AudioFormatFlags CalculateLPCMFlags(
    UInt32 inValidBitsPerChannel, UInt32 inTotalBitsPerChannel, bool inIsFloat, bool inIsBigEndian,
    bool inIsNonInterleaved = false) {
    AudioFormatFlags flags = inIsFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger;
    flags |= inValidBitsPerChannel == inTotalBitsPerChannel ? kAudioFormatFlagIsPacked
                                                            : kAudioFormatFlagIsAlignedHigh;
    if (inIsBigEndian) flags |= kAudioFormatFlagIsBigEndian;
    if (inIsNonInterleaved) flags |= kAudioFormatFlagIsNonInterleaved;
    return flags;
}

/* Fills in a description of linear PCM. */
inline void FillOutASBDForLPCM(
    AudioStreamBasicDescription &outASBD, Float64 inSampleRate, UInt32 inChannelsPerFrame,
    UInt32 inValidBitsPerChannel, UInt32 inTotalBitsPerChannel, bool inIsFloat, bool inIsBigEndian,
    bool inIsNonInterleaved = false) {
    const UInt32 bytesPerFrame =
        (inIsNonInterleaved ? 1 : inChannelsPerFrame) * (inTotalBitsPerChannel / 8);
    outASBD = AudioStreamBasicDescription();
    outASBD.mSampleRate = inSampleRate;
    outASBD.mFormatID = kAudioFormatLinearPCM;
    outASBD.mFormatFlags = CalculateLPCMFlags(
        inValidBitsPerChannel, inTotalBitsPerChannel, inIsFloat, inIsBigEndian, inIsNonInterleaved);
    outASBD.mBytesPerPacket = bytesPerFrame;
    outASBD.mFramesPerPacket = 1;
    outASBD.mBytesPerFrame = bytesPerFrame;
    outASBD.mChannelsPerFrame = inChannelsPerFrame;
    outASBD.mBitsPerChannel = inValidBitsPerChannel;
}

/* Fills in a time stamp with only a sample time. */
inline void FillOutAudioTimeStampWithSampleTime(AudioTimeStamp &outATS, Float64 inSampleTime) {
    outATS = AudioTimeStamp();
    outATS.mSampleTime = inSampleTime;
    outATS.mFlags = kAudioTimeStampSampleTimeValid;
}

/* Fills in a time stamp with only a host time. */
inline void FillOutAudioTimeStampWithHostTime(AudioTimeStamp &outATS, UInt64 inHostTime) {
    outATS = AudioTimeStamp();
    outATS.mHostTime = inHostTime;
    outATS.mFlags = kAudioTimeStampHostTimeValid;
}

/* Fills in a time stamp with a sample time and the host time of the same moment. */
inline void FillOutAudioTimeStampWithSampleAndHostTime(
    AudioTimeStamp &outATS, Float64 inSampleTime, UInt64 inHostTime) {
    outATS = AudioTimeStamp();
    outATS.mSampleTime = inSampleTime;
    outATS.mHostTime = inHostTime;
    outATS.mFlags = kAudioTimeStampSampleHostTimeValid;
}

#endif

#endif
