/* SPDX-License-Identifier: MIT */

/*
 * rate_player.c
 *
 * Plays a sound file slower, faster, higher or lower.
 *
 *     rate_player FILE RATE [spectral|timedomain|varispeed [CENTS]]
 */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ExtAudioFileRef input;
static AudioStreamBasicDescription pcm;

static void Callback(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    AudioBufferList list = {.mNumberBuffers = 1};
    UInt32 frames = buffer->mAudioDataBytesCapacity / pcm.mBytesPerFrame;
    list.mBuffers[0].mNumberChannels = pcm.mChannelsPerFrame;
    list.mBuffers[0].mDataByteSize = buffer->mAudioDataBytesCapacity;
    list.mBuffers[0].mData = buffer->mAudioData;
    if (ExtAudioFileRead(input, &frames, &list) || frames == 0) {
        AudioQueueStop(queue, false);
        return;
    }
    buffer->mAudioDataByteSize = frames * pcm.mBytesPerFrame;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 64;
    UInt32 size, enable = 1, running = 0, bypass = 0, algorithm = kAudioQueueTimePitchAlgorithm_Spectral;
    AudioStreamBasicDescription fileFormat;
    AudioQueueRef queue;
    SInt64 length = 0;

    CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (UInt8 *)argv[1], strlen(argv[1]), false);
    OSStatus err = ExtAudioFileOpenURL(url, &input);
    CFRelease(url);
    if (err) {
        fprintf(stderr, "cannot open: %d\n", (int)err);
        return 1;
    }
    size = sizeof fileFormat;
    ExtAudioFileGetProperty(input, kExtAudioFileProperty_FileDataFormat, &size, &fileFormat);
    size = sizeof length;
    ExtAudioFileGetProperty(input, kExtAudioFileProperty_FileLengthFrames, &size, &length);
    pcm.mSampleRate = fileFormat.mSampleRate;
    pcm.mFormatID = kAudioFormatLinearPCM;
    pcm.mFormatFlags = kAudioFormatFlagsNativeFloatPacked;
    pcm.mChannelsPerFrame = fileFormat.mChannelsPerFrame;
    pcm.mBitsPerChannel = 32;
    pcm.mBytesPerFrame = pcm.mBytesPerPacket = 4 * pcm.mChannelsPerFrame;
    pcm.mFramesPerPacket = 1;
    if (ExtAudioFileSetProperty(input, kExtAudioFileProperty_ClientDataFormat, sizeof pcm, &pcm)) return 1;

    if (AudioQueueNewOutput(&pcm, Callback, NULL, NULL, NULL, 0, &queue)) return 1;
    if (argc > 3 && !strcmp(argv[3], "timedomain")) algorithm = kAudioQueueTimePitchAlgorithm_TimeDomain;
    if (argc > 3 && !strcmp(argv[3], "varispeed")) algorithm = kAudioQueueTimePitchAlgorithm_Varispeed;
    err = AudioQueueSetProperty(queue, kAudioQueueProperty_EnableTimePitch, &enable, sizeof enable);
    if (!err) err = AudioQueueSetProperty(queue, kAudioQueueProperty_TimePitchAlgorithm, &algorithm, sizeof algorithm);
    if (!err) err = AudioQueueSetProperty(queue, kAudioQueueProperty_TimePitchBypass, &bypass, sizeof bypass);
    if (!err) err = AudioQueueSetParameter(queue, kAudioQueueParam_PlayRate, atof(argv[2]));
    if (!err && argc > 4) err = AudioQueueSetParameter(queue, kAudioQueueParam_Pitch, atof(argv[4]));
    if (err) {
        fprintf(stderr, "time and pitch: %d\n", (int)err);
        return 1;
    }
    for (int i = 0; i < 4; i++) {
        AudioQueueBufferRef buffer;
        AudioQueueAllocateBuffer(queue, 4096 * pcm.mBytesPerFrame, &buffer);
        Callback(NULL, queue, buffer);
    }
    UInt32 prepared = 0;
    AudioQueuePrime(queue, 0, &prepared);
    if ((err = AudioQueueStart(queue, NULL))) {
        fprintf(stderr, "start: %d\n", (int)err);
        return 1;
    }
    printf("%lld frames, %u prepared, %.2f s to play\n", (long long)length, (unsigned)prepared,
           length / pcm.mSampleRate / atof(argv[2]));
    do {
        usleep(20000);
        size = sizeof running;
        AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &running, &size);
    } while (running);
    AudioQueueDispose(queue, true);
    ExtAudioFileDispose(input);
    return 0;
}
