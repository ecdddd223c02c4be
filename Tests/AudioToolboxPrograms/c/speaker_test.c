/* SPDX-License-Identifier: MIT */

/*
 * speaker_test.c
 *
 * One speaker after another: a tone of half a second in each channel of a layout.
 *
 *     speaker_test [stereo|quad|5.1|7.1] [DEVICE-UID]
 *
 * With a device, channels 1 and 2 are assigned to its first two.
 */
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct { const char *name; AudioChannelLayoutTag tag; } layouts[] = {
    {"stereo", kAudioChannelLayoutTag_Stereo}, {"quad", kAudioChannelLayoutTag_Quadraphonic},
    {"5.1", kAudioChannelLayoutTag_MPEG_5_1_A}, {"7.1", kAudioChannelLayoutTag_MPEG_7_1_C},
};
static UInt32 channels;
static SInt64 frame;

static void Fill(void *user, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    float *out = buffer->mAudioData;
    UInt32 frames = buffer->mAudioDataBytesCapacity / (4 * channels), i;
    memset(out, 0, buffer->mAudioDataBytesCapacity);
    for (i = 0; i < frames; i++, frame++) {
        UInt32 channel = frame / 24000;
        if (channel >= channels) break;
        out[i * channels + channel] = 0.25f * sinf(2 * M_PI * (400 + 100 * channel) * frame / 48000);
    }
    if (i == 0) {
        AudioQueueStop(queue, false);
        return;
    }
    buffer->mAudioDataByteSize = i * 4 * channels;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}

int main(int argc, char **argv)
{
    AudioChannelLayout layout;
    memset(&layout, 0, sizeof layout);
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (argc < 2 || !strcmp(argv[1], layouts[i].name)) { layout.mChannelLayoutTag = layouts[i].tag; break; }
    channels = AudioChannelLayoutTag_GetNumberOfChannels(layout.mChannelLayoutTag);
    if (channels == 0) return 64;

    AudioStreamBasicDescription format = {0};
    format.mSampleRate = 48000;
    format.mFormatID = kAudioFormatLinearPCM;
    format.mFormatFlags = kAudioFormatFlagsNativeFloatPacked;
    format.mChannelsPerFrame = channels;
    format.mBitsPerChannel = 32;
    format.mFramesPerPacket = 1;
    format.mBytesPerFrame = format.mBytesPerPacket = 4 * channels;

    AudioQueueRef queue;
    OSStatus err = AudioQueueNewOutput(&format, Fill, NULL, NULL, NULL, 0, &queue);
    if (!err) err = AudioQueueSetProperty(queue, kAudioQueueProperty_ChannelLayout, &layout, sizeof layout);
    if (err) {
        fprintf(stderr, "channel layout: %d\n", (int)err);
        return 1;
    }
    UInt32 decodeFrames = 4096;
    AudioQueueSetProperty(queue, kAudioQueueProperty_DecodeBufferSizeFrames, &decodeFrames, sizeof decodeFrames);

    if (argc > 2) {
        CFStringRef uid = CFStringCreateWithCString(kCFAllocatorDefault, argv[2], kCFStringEncodingUTF8);
        AudioQueueChannelAssignment *map = calloc(channels, sizeof *map);
        for (UInt32 c = 0; c < channels; c++) {
            map[c].mDeviceUID = uid;
            map[c].mChannelNumber = c + 1;
        }
        err = AudioQueueSetProperty(queue, kAudioQueueProperty_CurrentDevice, &uid, sizeof uid);
        if (!err) err = AudioQueueSetProperty(queue, kAudioQueueProperty_ChannelAssignments, map, channels * sizeof *map);
        free(map);
        CFRelease(uid);
        if (err) fprintf(stderr, "channel assignments: %d\n", (int)err);
    }
    AudioChannelDescription speaker;
    UInt32 size = 0;
    if (!AudioFormatGetPropertyInfo(kAudioFormatProperty_ChannelLayoutForTag, sizeof layout.mChannelLayoutTag,
                                    &layout.mChannelLayoutTag, &size) && size) {
        AudioChannelLayout *full = malloc(size);
        if (!AudioFormatGetProperty(kAudioFormatProperty_ChannelLayoutForTag, sizeof layout.mChannelLayoutTag,
                                    &layout.mChannelLayoutTag, &size, full))
            for (UInt32 c = 0; c < full->mNumberChannelDescriptions; c++) {
                char name[64] = "?";
                CFStringRef string = NULL;
                UInt32 stringSize = sizeof string;
                speaker = full->mChannelDescriptions[c];
                if (!AudioFormatGetProperty(kAudioFormatProperty_ChannelName, sizeof speaker, &speaker, &stringSize, &string)) {
                    CFStringGetCString(string, name, sizeof name, kCFStringEncodingUTF8);
                    CFRelease(string);
                }
                printf("%u: %s\n", (unsigned)c + 1, name);
            }
        free(full);
    }
    for (int i = 0; i < 3; i++) {
        AudioQueueBufferRef buffer;
        AudioQueueAllocateBuffer(queue, 2400 * format.mBytesPerFrame, &buffer);
        Fill(NULL, queue, buffer);
    }
    if (AudioQueueStart(queue, NULL)) return 1;
    UInt32 running = 1;
    while (running) {
        usleep(20000);
        size = sizeof running;
        AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &running, &size);
    }
    UInt32 converterError = 0;
    size = sizeof converterError;
    AudioQueueGetProperty(queue, kAudioQueueProperty_ConverterError, &converterError, &size);
    AudioQueueDispose(queue, true);
    return converterError != 0;
}
