/* SPDX-License-Identifier: MIT */

// Calls the functions that the headers define, for check.sh. Exits with the number of the check that failed.
#include <AudioToolbox/AudioToolbox.h>
#include <initializer_list>

static bool describesLinearPCM() {
    AudioStreamBasicDescription description;
    FillOutASBDForLPCM(description, 44100, 2, 16, 16, false, false);
    return description.mSampleRate == 44100 && description.mFormatID == kAudioFormatLinearPCM
        && description.mFormatFlags == 0xC && description.mBytesPerPacket == 4
        && description.mFramesPerPacket == 1 && description.mBytesPerFrame == 4
        && description.mChannelsPerFrame == 2 && description.mBitsPerChannel == 16
        && description.mReserved == 0 && IsAudioFormatNativeEndian(description);
}

static bool describesOneChannelOfMany() {
    AudioStreamBasicDescription description;
    FillOutASBDForLPCM(description, 48000, 6, 32, 32, true, true, true);
    return description.mFormatFlags == 0x2B && description.mBytesPerFrame == 4
        && description.mBytesPerPacket == 4 && description.mChannelsPerFrame == 6
        && !IsAudioFormatNativeEndian(description);
}

static bool knowsFlags() {
    return CalculateLPCMFlags(24, 32, false, false) == 0x14 && CalculateLPCMFlags(16, 16, false, true) == 0xE
        && CalculateLPCMFlags(32, 32, true, false) == 0x9;
}

static bool fillsTimeStamps() {
    AudioTimeStamp sample, host, both;
    FillOutAudioTimeStampWithSampleTime(sample, 5);
    FillOutAudioTimeStampWithHostTime(host, 7);
    FillOutAudioTimeStampWithSampleAndHostTime(both, 5, 7);
    return sample.mSampleTime == 5 && sample.mHostTime == 0 && sample.mFlags == 0x1
        && host.mSampleTime == 0 && host.mHostTime == 7 && host.mFlags == 0x2
        && both.mSampleTime == 5 && both.mHostTime == 7 && both.mFlags == 0x3;
}

static bool makesBuffers() {
    char bytes[8];
    const AudioQueueBuffer empty, full(bytes, sizeof bytes, nullptr, 0);
    return empty.mAudioData == nullptr && empty.mAudioDataBytesCapacity == 0 && full.mAudioData == bytes
        && full.mAudioDataBytesCapacity == 8 && full.mAudioDataByteSize == 0;
}

static bool countsMarkers() {
    return NumAudioFileMarkersToNumBytes(0) == 8 && NumAudioFileMarkersToNumBytes(2) == 88
        && NumBytesToNumAudioFileMarkers(88) == 2 && NumBytesToNumAudioFileMarkers(87) == 1
        && NumBytesToNumAudioFileMarkers(8) == 0 && NumBytesToNumAudioFileMarkers(3) == 0;
}

static bool walksRegions() {
    AudioFileRegion regions[2] = {};
    regions[0].mNumberMarkers = 1;
    return NextAudioFileRegion(regions) == regions + 1;
}

static bool countsChannels() {
    return AudioChannelLayoutTag_GetNumberOfChannels(kAudioChannelLayoutTag_MPEG_5_1_A) == 6;
}

int main() {
    int number = 0;
    for (bool (*check)() : {describesLinearPCM, describesOneChannelOfMany, knowsFlags, fillsTimeStamps,
                            makesBuffers, countsMarkers, walksRegions, countsChannels}) {
        number += 1;
        if (!check()) return number;
    }
    return 0;
}
