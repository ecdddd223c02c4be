/* level_meter.c
 * Shows the level of the default input, in decibels and as a linear bar, and the device's state.
 *   level_meter SECONDS [linear|db|both]
 * Prints a line each tenth of a second and the highest peak of each scale at the end.
 */
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void drop(void *user, AudioQueueRef aq, AudioQueueBufferRef buf, const AudioTimeStamp *ts, UInt32 n,
                 const AudioStreamPacketDescription *d)
{
    AudioQueueEnqueueBuffer(aq, buf, 0, NULL);     /* nobody wants the sound */
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 5;
    const char *scale = argc > 2 ? argv[2] : "both";
    float highest = 0, highestDB = -INFINITY;
    AudioQueueRef aq;
    AudioStreamBasicDescription f = {
        44100, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 4, 1, 4, 2, 16, 0
    };

    OSStatus err = AudioQueueNewInput(&f, drop, NULL, NULL, NULL, 0, &aq);
    if (err) {
        fprintf(stderr, "AudioQueueNewInput: %d\n", (int)err);
        return 1;
    }
    for (int i = 0; i < 3; i++) {
        AudioQueueBufferRef b;
        AudioQueueAllocateBuffer(aq, 4410 * 4, &b);
        AudioQueueEnqueueBuffer(aq, b, 0, NULL);
    }

    UInt32 on = 1;
    err = AudioQueueSetProperty(aq, kAudioQueueProperty_EnableLevelMetering, &on, sizeof on);
    if (err) fprintf(stderr, "metering: %d\n", (int)err);

    AudioQueueStart(aq, NULL);
    Float64 deviceRate = 0;
    UInt32 deviceChannels = 0, size = sizeof deviceRate;
    AudioQueueGetProperty(aq, kAudioQueueDeviceProperty_SampleRate, &deviceRate, &size);
    size = sizeof deviceChannels;
    AudioQueueGetProperty(aq, kAudioQueueDeviceProperty_NumberChannels, &deviceChannels, &size);
    printf("device: %.0f Hz, %u channels\n", deviceRate, (unsigned)deviceChannels);

    UInt32 meterSize = 0;
    AudioQueueGetPropertySize(aq, kAudioQueueProperty_CurrentLevelMeterDB, &meterSize);
    AudioQueueLevelMeterState *levels = malloc(meterSize);
    unsigned channels = meterSize / sizeof(AudioQueueLevelMeterState);

    for (int tick = 0; tick < seconds * 10; tick++) {
        usleep(100000);
        if (strcmp(scale, "linear")) {
            size = meterSize;
            if (AudioQueueGetProperty(aq, kAudioQueueProperty_CurrentLevelMeterDB, levels, &size)) continue;
            for (unsigned c = 0; c < channels; c++) {
                printf("%6.1f dB (%6.1f)  ", levels[c].mAveragePower, levels[c].mPeakPower);
                if (levels[c].mPeakPower > highestDB) highestDB = levels[c].mPeakPower;
            }
        }
        if (strcmp(scale, "db")) {
            size = meterSize;
            if (AudioQueueGetProperty(aq, kAudioQueueProperty_CurrentLevelMeter, levels, &size)) continue;
            for (unsigned c = 0; c < channels; c++) {
                int bar = (int)(levels[c].mAveragePower * 20);
                printf("|%.*s%*s| ", bar, "####################", 20 - bar, "");
                if (levels[c].mPeakPower > highest) highest = levels[c].mPeakPower;
            }
        }
        printf("\n");
    }
    AudioQueueStop(aq, true);
    AudioQueueDispose(aq, true);
    free(levels);
    printf("highest: %.4f, %.2f dB\n", highest, highestDB);
    return 0;
}
