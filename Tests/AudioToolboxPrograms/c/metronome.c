/* SPDX-License-Identifier: MIT */

/*
 * metronome.c
 *
 * Two queues that must begin together and stay together: a click and a drone, both started at one device
 * time that lies a quarter of a second ahead.  The clicks are buffers with start times of their own.
 *
 *     metronome [BEATS-PER-MINUTE [BEATS]]
 *
 * Prints how far apart the two queues' times are at the end, in frames.
 */
#include <AudioToolbox/AudioToolbox.h>
#include <CoreAudio/HostTime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RATE 44100

static SInt64 droneFrames, droneMade;
static int beats = 8, clicksTaken;

static void Drone(void *user, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    SInt16 *out = buffer->mAudioData;
    SInt64 frames = buffer->mAudioDataBytesCapacity / 2;
    if (frames > droneFrames - droneMade) frames = droneFrames - droneMade;
    if (frames <= 0) {
        AudioQueueStop(queue, false);
        return;
    }
    for (SInt64 i = 0; i < frames; i++) out[i] = 2000 * sin(2 * M_PI * 110 * (droneMade + i) / RATE);
    droneMade += frames;
    buffer->mAudioDataByteSize = (UInt32)frames * 2;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}

static void Click(void *user, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    if (++clicksTaken == beats) AudioQueueStop(queue, false);
}

static OSStatus StartAt(AudioQueueRef queue, const AudioTimeStamp *when)
{
    OSStatus err;
    for (int tries = 0; (err = AudioQueueStart(queue, when)) == kAudioQueueErr_CannotStartYet && tries < 10; tries++)
        usleep(10000);
    return err;
}

int main(int argc, char **argv)
{
    double tempo = argc > 1 ? atof(argv[1]) : 120;
    if (argc > 2) beats = atoi(argv[2]);
    if (tempo <= 0 || beats <= 0) return 64;
    double framesPerBeat = RATE * 60 / tempo;
    droneFrames = beats * framesPerBeat;

    AudioStreamBasicDescription pcm = {RATE, kAudioFormatLinearPCM,
        kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, 2, 1, 2, 1, 16, 0};
    AudioQueueRef click, drone;
    AudioQueueBufferRef buffer;
    if (AudioQueueNewOutput(&pcm, Click, NULL, NULL, NULL, 0, &click)) return 1;
    if (AudioQueueNewOutput(&pcm, Drone, NULL, NULL, NULL, 0, &drone)) return 1;

    for (int beat = 0; beat < beats; beat++) {
        AudioTimeStamp start, actual;
        memset(&start, 0, sizeof start);
        start.mFlags = kAudioTimeStampSampleTimeValid;
        start.mSampleTime = floor(beat * framesPerBeat);
        AudioQueueAllocateBuffer(click, 882 * 2, &buffer);
        for (int i = 0; i < 882; i++)
            ((SInt16 *)buffer->mAudioData)[i] = 12000 * exp(-i / 150.0) * sin(2 * M_PI * (beat % 4 ? 1000 : 1500) * i / RATE);
        buffer->mAudioDataByteSize = 882 * 2;
        if (beat) AudioQueueFlush(click);
        OSStatus err = AudioQueueEnqueueBufferWithParameters(click, buffer, 0, NULL, 0, 0, 0, NULL, &start, &actual);
        if (err) {
            fprintf(stderr, "beat %d: %d\n", beat, (int)err);
            return 1;
        }
    }
    for (int i = 0; i < 3; i++) {
        AudioQueueAllocateBuffer(drone, RATE / 10 * 2, &buffer);
        Drone(NULL, drone, buffer);
    }
    AudioQueuePrime(click, 0, NULL);
    AudioQueuePrime(drone, 0, NULL);

    AudioTimeStamp now, then;
    memset(&now, 0, sizeof now);
    OSStatus err = AudioQueueDeviceGetCurrentTime(drone, &now);
    memset(&then, 0, sizeof then);
    if (!err && (now.mFlags & kAudioTimeStampSampleTimeValid)) {
        Float64 deviceRate = RATE;
        UInt32 size = sizeof deviceRate;
        AudioQueueGetProperty(drone, kAudioQueueDeviceProperty_SampleRate, &deviceRate, &size);
        then.mFlags = kAudioTimeStampSampleTimeValid;
        then.mSampleTime = now.mSampleTime + deviceRate / 4;
        AudioQueueDeviceGetNearestStartTime(drone, &then, 0);
    } else {                            /* the device rests: only its host time is known */
        then.mFlags = kAudioTimeStampHostTimeValid;
        then.mHostTime = AudioGetCurrentHostTime() + AudioConvertNanosToHostTime(250000000);
    }
    if ((err = StartAt(click, &then)) || (err = StartAt(drone, &then))) {
        fprintf(stderr, "start: %d\n", (int)err);
        return 1;
    }

    double apart = 0;
    UInt32 clicking = 1, droning = 1, size;
    while (clicking || droning) {
        AudioTimeStamp a, b;
        if (!AudioQueueGetCurrentTime(click, NULL, &a, NULL) && !AudioQueueGetCurrentTime(drone, NULL, &b, NULL))
            apart = b.mSampleTime - a.mSampleTime;
        usleep(50000);
        size = sizeof clicking;
        AudioQueueGetProperty(click, kAudioQueueProperty_IsRunning, &clicking, &size);
        size = sizeof droning;
        AudioQueueGetProperty(drone, kAudioQueueProperty_IsRunning, &droning, &size);
    }
    AudioTimeStamp in = then, out;
    memset(&out, 0, sizeof out);
    out.mFlags = kAudioTimeStampHostTimeValid;
    if (AudioQueueDeviceTranslateTime(drone, &in, &out)) printf("the device has stopped\n");
    AudioQueueDispose(click, true);
    AudioQueueDispose(drone, true);
    printf("%.0f frames apart\n", apart);
    return 0;
}
