/* SPDX-License-Identifier: MIT */

// dispatch_recorder.c
// Records raw 16 kHz speech to standard output with an input queue on a dispatch queue.
//
//     dispatch_recorder SECONDS > speech.s16le

#include <AudioToolbox/AudioToolbox.h>
#include <dispatch/dispatch.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, const char *argv[]) {
    if (argc != 2) {
        fprintf(stderr, "usage: dispatch_recorder seconds\n");
        return 64;
    }

    AudioStreamBasicDescription format = {
        .mSampleRate       = 16000,
        .mFormatID         = kAudioFormatLinearPCM,
        .mFormatFlags      = kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked,
        .mBytesPerPacket   = 2,
        .mFramesPerPacket  = 1,
        .mBytesPerFrame    = 2,
        .mChannelsPerFrame = 1,
        .mBitsPerChannel   = 16,
    };
    __block int64_t wanted = (int64_t)(atof(argv[1]) * format.mSampleRate);
    dispatch_queue_t worker = dispatch_queue_create("recorder", NULL);
    dispatch_semaphore_t enough = dispatch_semaphore_create(0);
    __block Float64 expected = -1;
    __block int gaps = 0;

    AudioQueueRef queue;
    OSStatus err = AudioQueueNewInputWithDispatchQueue(&queue, &format, 0, worker,
        ^(AudioQueueRef aq, AudioQueueBufferRef buffer, const AudioTimeStamp *start, UInt32 packets,
          const AudioStreamPacketDescription *descriptions) {
            if (wanted <= 0) return;
            int64_t frames = buffer->mAudioDataByteSize / 2;
            if (expected >= 0 && start->mSampleTime != expected) gaps++;
            expected = start->mSampleTime + frames;
            if (frames > wanted) frames = wanted;
            fwrite(buffer->mAudioData, 2, (size_t)frames, stdout);
            wanted -= frames;
            if (wanted > 0)
                AudioQueueEnqueueBuffer(aq, buffer, 0, NULL);
            else
                dispatch_semaphore_signal(enough);
        });
    if (err) {
        fprintf(stderr, "cannot record: %d\n", (int)err);
        return 1;
    }
    for (int i = 0; i < 4; i++) {
        AudioQueueBufferRef buffer;
        AudioQueueAllocateBuffer(queue, 3200, &buffer);     // 100 ms
        AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    }
    if ((err = AudioQueueStart(queue, NULL))) {
        fprintf(stderr, "cannot start: %d\n", (int)err);
        return 1;
    }
    dispatch_semaphore_wait(enough, DISPATCH_TIME_FOREVER);
    AudioQueueStop(queue, true);
    AudioQueueDispose(queue, true);
    fflush(stdout);
    if (gaps) fprintf(stderr, "%d gaps\n", gaps);
    return 0;
}
