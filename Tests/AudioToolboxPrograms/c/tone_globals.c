/* SPDX-License-Identifier: MIT */

// tone_globals.c -- everything is global, because why not
// plays a sine with an 8-bit unsigned queue (flags 0) or a 16-bit one (no packed flag)
//   tone_globals [hz [seconds [8|16]]]

#include <AudioToolbox/AudioQueue.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NUM_BUFFERS 3
#define BUFFER_SIZE 4096
#define RATE 44100

AudioStreamBasicDescription format;
AudioQueueRef queue;
AudioQueueBufferRef buffers[NUM_BUFFERS];
double phase, freq = 440, seconds = 1;
long framesLeft;
volatile int stopped;

void callback(void *custom_data, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    UInt32 i, frames = buffer->mAudioDataBytesCapacity / format.mBytesPerFrame;

    if (framesLeft <= 0) {
        if (!stopped) {
            stopped = 1;
            AudioQueueStop(queue, false);
            AudioQueueDispose(queue, false);   // it will go when it has been heard
        }
        return;
    }
    if (frames > framesLeft) frames = framesLeft;
    for (i = 0; i < frames; i++) {
        double sample = sin(phase) * 0.5;
        if (format.mBitsPerChannel == 8)
            ((unsigned char *)buffer->mAudioData)[i] = 128 + sample * 127;
        else
            ((short *)buffer->mAudioData)[i] = sample * 32767;
        phase += 2 * M_PI * freq / RATE;
    }
    framesLeft -= frames;
    buffer->mAudioDataByteSize = frames * format.mBytesPerFrame;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}

int main(int argc, char *argv[])
{
    unsigned int i;
    int bits = 16;

    if (argc > 1) freq = atof(argv[1]);
    if (argc > 2) seconds = atof(argv[2]);
    if (argc > 3) bits = atoi(argv[3]);
    framesLeft = seconds * RATE;

    format.mSampleRate       = RATE;
    format.mFormatID         = kAudioFormatLinearPCM;
    format.mFormatFlags      = bits == 8 ? 0 : kAudioFormatFlagIsSignedInteger;
    format.mBitsPerChannel   = bits;
    format.mChannelsPerFrame = 1;
    format.mBytesPerFrame    = bits / 8;
    format.mFramesPerPacket  = 1;
    format.mBytesPerPacket   = format.mBytesPerFrame * format.mFramesPerPacket;
    format.mReserved         = 0;

    // NULL run loop, but a mode all the same
    AudioQueueNewOutput(&format, callback, NULL, NULL, kCFRunLoopCommonModes, 0, &queue);

    for (i = 0; i < NUM_BUFFERS; i++) {
        AudioQueueAllocateBuffer(queue, BUFFER_SIZE, &buffers[i]);
        buffers[i]->mAudioDataByteSize = BUFFER_SIZE;
        callback(NULL, queue, buffers[i]);
    }
    AudioQueueStart(queue, NULL);

    while (!stopped) usleep(10000);
    usleep(500000);      // let the rest of it be heard
    printf("done\n");
    return 0;
}
