/* SPDX-License-Identifier: MIT */

/*
 * device_player.c
 *
 * Lists the devices of the hardware layer, or plays a beep on one of them.
 *
 *     device_player                list
 *     device_player UID|default    beep there for a second, and tell when the default device changes
 */
#include <AudioToolbox/AudioToolbox.h>
#include <CoreAudio/CoreAudio.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void PrintString(CFStringRef string)
{
    char text[256];
    if (string && CFStringGetCString(string, text, sizeof text, kCFStringEncodingUTF8)) printf("%s", text);
    if (string) CFRelease(string);
}

static CFStringRef DeviceString(AudioObjectID device, AudioObjectPropertySelector selector)
{
    AudioObjectPropertyAddress address = {selector, kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyElementMaster};
    CFStringRef string = NULL;
    UInt32 size = sizeof string;
    if (AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &string)) return NULL;
    return string;
}

static UInt32 CountChannels(AudioObjectID device, AudioObjectPropertyScope scope)
{
    AudioObjectPropertyAddress address = {kAudioDevicePropertyStreamConfiguration, scope, kAudioObjectPropertyElementMaster};
    UInt32 size = 0, channels = 0;
    if (AudioObjectGetPropertyDataSize(device, &address, 0, NULL, &size) || size == 0) return 0;
    AudioBufferList *list = malloc(size);
    if (!AudioObjectGetPropertyData(device, &address, 0, NULL, &size, list))
        for (UInt32 i = 0; i < list->mNumberBuffers; i++) channels += list->mBuffers[i].mNumberChannels;
    free(list);
    return channels;
}

static int ListDevices(void)
{
    AudioObjectPropertyAddress address = {
        kAudioHardwarePropertyDevices, kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyElementMaster
    };
    AudioObjectID defaultOutput = kAudioObjectUnknown;
    UInt32 size = 0;
    if (AudioObjectGetPropertyDataSize(kAudioObjectSystemObject, &address, 0, NULL, &size)) return 1;
    AudioObjectID *devices = malloc(size);
    if (AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, devices)) return 1;
    UInt32 count = size / sizeof(AudioObjectID);

    address.mSelector = kAudioHardwarePropertyDefaultOutputDevice;
    size = sizeof defaultOutput;
    AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &defaultOutput);
    for (UInt32 i = 0; i < count; i++) {
        Float64 rate = 0;
        AudioObjectPropertyAddress rateAddress = {
            kAudioDevicePropertyNominalSampleRate, kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyElementMaster
        };
        size = sizeof rate;
        AudioObjectGetPropertyData(devices[i], &rateAddress, 0, NULL, &size, &rate);
        printf("%c ", devices[i] == defaultOutput ? '*' : ' ');
        PrintString(DeviceString(devices[i], kAudioDevicePropertyDeviceUID));
        printf("\t");
        PrintString(DeviceString(devices[i], kAudioObjectPropertyName));
        printf("\t%u in, %u out, %.0f Hz\n", (unsigned)CountChannels(devices[i], kAudioDevicePropertyScopeInput),
               (unsigned)CountChannels(devices[i], kAudioDevicePropertyScopeOutput), rate);
    }
    free(devices);
    return 0;
}

static OSStatus DefaultChanged(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses, void *data)
{
    printf("the default output has changed\n");
    return noErr;
}

static double phase;

static void Beep(void *unused, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    SInt16 *samples = buffer->mAudioData;
    UInt32 frames = buffer->mAudioDataBytesCapacity / 2;
    for (UInt32 i = 0; i < frames; i++, phase += 2 * M_PI * 880 / 44100) samples[i] = 8000 * sin(phase);
    buffer->mAudioDataByteSize = frames * 2;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}

int main(int argc, char **argv)
{
    if (argc < 2) return ListDevices();

    AudioObjectPropertyAddress address = {
        kAudioHardwarePropertyDefaultOutputDevice, kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyElementMaster
    };
    AudioObjectAddPropertyListener(kAudioObjectSystemObject, &address, DefaultChanged, NULL);

    AudioStreamBasicDescription format = {44100, kAudioFormatLinearPCM, kLinearPCMFormatFlagIsSignedInteger,
                                          2, 1, 2, 1, 16, 0};
    AudioQueueRef queue;
    if (AudioQueueNewOutput(&format, Beep, NULL, NULL, NULL, 0, &queue)) return 1;
    if (strcmp(argv[1], "default")) {
        CFStringRef uid = CFStringCreateWithCString(NULL, argv[1], kCFStringEncodingUTF8);
        OSStatus err = AudioQueueSetProperty(queue, kAudioQueueProperty_CurrentDevice, &uid, sizeof uid);
        CFRelease(uid);      /* at once: the queue keeps what it needs */
        if (err) {
            fprintf(stderr, "CurrentDevice: %d\n", (int)err);
            return 1;
        }
    }
    for (int i = 0; i < 3; i++) {
        AudioQueueBufferRef buffer;
        AudioQueueAllocateBuffer(queue, 4410, &buffer);
        Beep(NULL, queue, buffer);
    }
    OSStatus err = AudioQueueStart(queue, NULL);
    if (err) {
        fprintf(stderr, "AudioQueueStart: %d%s\n", (int)err, err == kAudioQueueErr_InvalidDevice ? " (no such device)" : "");
        AudioQueueDispose(queue, true);
        return 1;
    }
    CFStringRef current = NULL;
    UInt32 size = sizeof current;
    if (!AudioQueueGetProperty(queue, kAudioQueueProperty_CurrentDevice, &current, &size)) {
        printf("on ");
        PrintString(current);
        printf("\n");
    }
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 1, false);    /* returns at once if nothing is in it */
    for (int i = 0; i < 100; i++) {
        AudioTimeStamp stamp;
        if (!AudioQueueGetCurrentTime(queue, NULL, &stamp, NULL) && stamp.mSampleTime >= 44100) break;
        usleep(20000);
    }
    AudioQueueStop(queue, true);
    AudioQueueDispose(queue, true);
    AudioObjectRemovePropertyListener(kAudioObjectSystemObject, &address, DefaultChanged, NULL);
    return 0;
}
