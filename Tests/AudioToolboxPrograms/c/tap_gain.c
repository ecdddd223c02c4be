/* SPDX-License-Identifier: MIT */

/*
 * tap_gain.c
 *
 * Plays a noise of its own through a processing tap.
 *
 *     tap_gain pre|post|siphon GAIN [SECONDS]
 *
 * "pre" and "post" multiply by GAIN, before or after time, pitch and pan; "siphon" only looks. The queue's volume,
 * which is 0.5, comes behind them all.
 * Prints the peak that the tap saw, and whether the end of the stream reached it.
 */
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    AudioStreamBasicDescription format;
    AudioQueueProcessingTapFlags flags;
    float gain, peak;
    UInt32 calls, frames;
    Float64 queueTime;
    int endOfStream;
} Tap;

static void Look(Tap *tap, AudioBufferList *list, UInt32 frames, float gain)
{
    for (UInt32 b = 0; b < list->mNumberBuffers; b++) {
        float *samples = list->mBuffers[b].mData;
        UInt32 count = frames * list->mBuffers[b].mNumberChannels;
        for (UInt32 i = 0; i < count; i++) {
            if (fabsf(samples[i]) > tap->peak) tap->peak = fabsf(samples[i]);
            if (gain != 1) samples[i] *= gain;
        }
    }
}

static void TapCallback(void *clientData, AudioQueueProcessingTapRef aqTap, UInt32 numberFrames,
                        AudioTimeStamp *timeStamp, AudioQueueProcessingTapFlags *flags, UInt32 *outNumberFrames,
                        AudioBufferList *data)
{
    Tap *tap = clientData;
    tap->calls++;
    if (*flags & kAudioQueueProcessingTap_Siphon) {
        Look(tap, data, numberFrames, 1);
        *outNumberFrames = numberFrames;
        tap->frames += numberFrames;
        return;
    }
    OSStatus err = AudioQueueProcessingTapGetSourceAudio(aqTap, numberFrames, timeStamp, flags, outNumberFrames, data);
    if (err) {
        *outNumberFrames = 0;
        return;
    }
    UInt32 queueFrames = 0;
    AudioQueueProcessingTapGetQueueTime(aqTap, &tap->queueTime, &queueFrames);
    if (*flags & kAudioQueueProcessingTap_EndOfStream) tap->endOfStream = 1;
    Look(tap, data, *outNumberFrames, tap->gain);
    tap->frames += *outNumberFrames;
}

static SInt32 framesLeft;

static void Noise(void *user, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    static unsigned seed = 1;
    float *samples = buffer->mAudioData;
    SInt32 frames = buffer->mAudioDataBytesCapacity / sizeof(float);
    if (framesLeft <= 0) return;
    if (frames > framesLeft) frames = framesLeft;
    for (SInt32 i = 0; i < frames; i++) {
        seed = seed * 1664525u + 1013904223u;
        samples[i] = 0.25f * ((int)seed / 2147483648.0f);
    }
    framesLeft -= frames;
    buffer->mAudioDataByteSize = frames * sizeof(float);
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    if (framesLeft == 0) AudioQueueStop(queue, false);
}

int main(int argc, char **argv)
{
    AudioQueueRef queue;
    AudioQueueProcessingTapRef aqTap = NULL;
    Tap tap = {{0}};
    UInt32 maxFrames = 0, running, size;
    if (argc < 3) return 64;
    tap.flags = !strcmp(argv[1], "post") ? kAudioQueueProcessingTap_PostEffects
        : !strcmp(argv[1], "siphon") ? kAudioQueueProcessingTap_PostEffects | kAudioQueueProcessingTap_Siphon
        : kAudioQueueProcessingTap_PreEffects;
    tap.gain = atof(argv[2]);
    framesLeft = 44100 * (argc > 3 ? atof(argv[3]) : 1);

    AudioStreamBasicDescription format = {44100, kAudioFormatLinearPCM, kAudioFormatFlagsNativeFloatPacked,
                                          4, 1, 4, 1, 32, 0};
    if (AudioQueueNewOutput(&format, Noise, NULL, NULL, NULL, 0, &queue)) return 1;
    OSStatus err = AudioQueueProcessingTapNew(queue, TapCallback, &tap, tap.flags, &maxFrames, &tap.format, &aqTap);
    if (err) {
        fprintf(stderr, "AudioQueueProcessingTapNew: %d\n", (int)err);
        return 1;
    }
    printf("tap: %u frames at most, %g Hz, %u channels\n", (unsigned)maxFrames, tap.format.mSampleRate,
           (unsigned)tap.format.mChannelsPerFrame);
    AudioQueueSetParameter(queue, kAudioQueueParam_Volume, 0.5);
    for (int i = 0; i < 3 && framesLeft > 0; i++) {
        AudioQueueBufferRef buffer;
        AudioQueueAllocateBuffer(queue, 4410 * sizeof(float), &buffer);
        Noise(NULL, queue, buffer);
    }
    if (AudioQueueStart(queue, NULL)) return 1;
    do {
        usleep(50000);
        size = sizeof running;
        AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &running, &size);
    } while (running);
    AudioQueueProcessingTapDispose(aqTap);
    AudioQueueDispose(queue, true);
    printf("%u calls, %u frames, peak %.3f, %s\n", (unsigned)tap.calls, (unsigned)tap.frames, tap.peak,
           tap.endOfStream ? "end seen" : "no end");
    return 0;
}
