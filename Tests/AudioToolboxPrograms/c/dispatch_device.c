/* SPDX-License-Identifier: MIT */

/*
 * dispatch_device.c
 *
 * A capture program: a block of the default input device on a serial dispatch queue, as recorders of 2024 use it.
 *
 *     dispatch_device SECONDS
 */
#include <CoreAudio/CoreAudio.h>
#include <dispatch/dispatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static AudioDeviceIOProcID procedure;

int main(int argc, char **argv)
{
    if (argc != 2) return 64;
    AudioObjectPropertyAddress address = {
        kAudioHardwarePropertyDefaultInputDevice, kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyElementMain };
    AudioObjectID device = kAudioObjectUnknown;
    UInt32 size = sizeof device;
    if (AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &device) != noErr) return 1;
    AudioStreamBasicDescription format;
    address.mSelector = kAudioDevicePropertyStreamFormat;
    address.mScope = kAudioDevicePropertyScopeInput;
    size = sizeof format;
    if (AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &format) != noErr) return 1;
    long wanted = atof(argv[1]) * format.mSampleRate;

    dispatch_queue_t queue = dispatch_queue_create("capture", DISPATCH_QUEUE_SERIAL);
    dispatch_semaphore_t done = dispatch_semaphore_create(0);
    __block long frames = 0, gaps = 0, outputs = 0;
    __block double next = -1;
    __block float peak = 0;
    OSStatus status = AudioDeviceCreateIOProcIDWithBlock(
        &procedure, device, queue,
        ^(const AudioTimeStamp *now, const AudioBufferList *input, const AudioTimeStamp *time, AudioBufferList *output,
          const AudioTimeStamp *outputTime) {
            (void)now, (void)outputTime;
            if (frames >= wanted) return;
            const AudioBuffer *buffer = &input->mBuffers[0];
            const Float32 *samples = buffer->mData;
            for (UInt32 i = 0; i < buffer->mDataByteSize / sizeof *samples; i++) peak = fmaxf(peak, fabsf(samples[i]));
            if (next >= 0 && time->mSampleTime != next) gaps++;
            next = time->mSampleTime + buffer->mDataByteSize / format.mBytesPerFrame;
            outputs += output->mNumberBuffers;
            frames += buffer->mDataByteSize / format.mBytesPerFrame;
            if (frames >= wanted) {
                AudioDeviceStop(device, procedure);
                dispatch_semaphore_signal(done);
            }
        });
    if (status != noErr || AudioDeviceStart(device, procedure) != noErr) return 1;
    dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
    if (AudioDeviceDestroyIOProcID(device, procedure) != noErr) return 1;
    printf("frames %ld, output buffers %ld, peak %.3f, gaps %ld\n", frames, outputs, peak, gaps);
    return 0;
}
