/* SPDX-License-Identifier: MIT */

// dispatch_tone.c
// A tone with a dispatch queue and a block instead of a callback and a run loop.
//
//     dispatch_tone [FREQUENCY [SECONDS]]

#include <AudioToolbox/AudioToolbox.h>
#include <dispatch/dispatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, const char *argv[]) {
    const double frequency = argc > 1 ? atof(argv[1]) : 440.0;
    const double duration = argc > 2 ? atof(argv[2]) : 1.0;
    const double rate = 48000.0;
    const UInt32 channels = 2;

    AudioStreamBasicDescription asbd = {0};
    asbd.mSampleRate = rate;
    asbd.mFormatID = kAudioFormatLinearPCM;
    asbd.mFormatFlags = kAudioFormatFlagsNativeFloatPacked;
    asbd.mChannelsPerFrame = channels;
    asbd.mBitsPerChannel = 8 * sizeof(Float32);
    asbd.mBytesPerFrame = channels * sizeof(Float32);
    asbd.mFramesPerPacket = 1;
    asbd.mBytesPerPacket = asbd.mBytesPerFrame;

    dispatch_queue_t callbacks = dispatch_queue_create("tone.callbacks", DISPATCH_QUEUE_SERIAL);
    dispatch_semaphore_t done = dispatch_semaphore_create(0);
    __block double theta = 0;
    __block SInt64 framesLeft = (SInt64)(duration * rate);
    __block bool stopping = false;

    AudioQueueRef queue = NULL;
    OSStatus status = AudioQueueNewOutputWithDispatchQueue(&queue, &asbd, 0, callbacks,
        ^(AudioQueueRef aq, AudioQueueBufferRef buffer) {
            if (framesLeft == 0) {
                if (!stopping) {
                    stopping = true;
                    AudioQueueStop(aq, false);
                }
                return;
            }
            UInt32 frames = buffer->mAudioDataBytesCapacity / asbd.mBytesPerFrame;
            if (frames > framesLeft) frames = (UInt32)framesLeft;
            Float32 *samples = buffer->mAudioData;
            for (UInt32 frame = 0; frame < frames; frame++) {
                for (UInt32 channel = 0; channel < channels; channel++)
                    *samples++ = 0.25f * (Float32)sin(theta);
                theta += 2.0 * M_PI * frequency / rate;
            }
            framesLeft -= frames;
            buffer->mAudioDataByteSize = frames * asbd.mBytesPerFrame;
            AudioQueueEnqueueBuffer(aq, buffer, 0, NULL);
        });
    if (status != noErr) {
        fprintf(stderr, "AudioQueueNewOutputWithDispatchQueue: %d\n", (int)status);
        return 1;
    }

    // Fill the first buffers on the same queue, so that nothing is touched by two threads.
    for (int i = 0; i < 3; i++) {
        AudioQueueBufferRef buffer;
        if (AudioQueueAllocateBuffer(queue, 4800 * asbd.mBytesPerFrame, &buffer) != noErr) return 1;
        dispatch_sync(callbacks, ^{
            Float32 *samples = buffer->mAudioData;
            for (UInt32 i = 0; i < 480 * channels; i++) samples[i] = 0;     // ten milliseconds of silence
            buffer->mAudioDataByteSize = 480 * asbd.mBytesPerFrame;
            AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
        });
    }
    AudioQueuePrime(queue, 0, NULL);
    status = AudioQueueStart(queue, NULL);
    if (status != noErr) {
        fprintf(stderr, "AudioQueueStart: %d\n", (int)status);
        return 1;
    }

    // Watch it from a timer: a listener would do as well, but then there would be no timer in this program.
    dispatch_source_t timer = dispatch_source_create(DISPATCH_SOURCE_TYPE_TIMER, 0, 0, callbacks);
    dispatch_source_set_timer(timer, dispatch_time(DISPATCH_TIME_NOW, 0), 20 * NSEC_PER_MSEC, NSEC_PER_MSEC);
    dispatch_source_set_event_handler(timer, ^{
        UInt32 running = 1, size = sizeof(running);
        AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &running, &size);
        if (stopping && !running) dispatch_semaphore_signal(done);
    });
    dispatch_resume(timer);
    dispatch_semaphore_wait(done, DISPATCH_TIME_FOREVER);
    dispatch_source_cancel(timer);

    AudioQueueDispose(queue, true);
    dispatch_release(timer);
    dispatch_release(callbacks);
    dispatch_release(done);
    return 0;
}
