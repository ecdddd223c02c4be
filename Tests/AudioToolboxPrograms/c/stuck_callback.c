/* SPDX-License-Identifier: MIT */

/*
 * stuck_callback.c
 *
 * The reduced case of a bug report: one queue's callback waits for a lock that the main thread never gives
 * back, and the main thread wants to stop that queue.  Another queue must go on as if nothing were.
 *
 *     stuck_callback [stop|dispose|pause] [SECONDS]
 */
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;
static volatile int stuck;
static volatile long frames;

static void Stuck(void *user, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    stuck = 1;
    pthread_mutex_lock(&never);
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    pthread_mutex_unlock(&never);
}

static void Tone(void *user, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    SInt16 *out = buffer->mAudioData;
    UInt32 count = buffer->mAudioDataBytesCapacity / 2;
    for (UInt32 i = 0; i < count; i++) out[i] = 6000 * sin(2 * M_PI * 500 * (frames + i) / 44100.0);
    frames += count;
    buffer->mAudioDataByteSize = count * 2;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}

static double Now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static AudioQueueRef Make(AudioQueueOutputCallback callback)
{
    AudioStreamBasicDescription f = {44100, kAudioFormatLinearPCM, kAudioFormatFlagIsSignedInteger, 2, 1, 2, 1, 16, 0};
    AudioQueueRef queue = NULL;
    if (AudioQueueNewOutput(&f, callback, NULL, NULL, NULL, 0, &queue)) exit(1);
    for (int i = 0; i < 3; i++) {
        AudioQueueBufferRef buffer;
        AudioQueueAllocateBuffer(queue, 4410, &buffer);
        memset(buffer->mAudioData, 0, 4410);
        buffer->mAudioDataByteSize = 4410;
        AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    }
    AudioQueueStart(queue, NULL);
    return queue;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "stop";
    double seconds = argc > 2 ? atof(argv[2]) : 1;

    pthread_mutex_lock(&never);
    AudioQueueRef good = Make(Tone), bad = Make(Stuck);
    while (!stuck) usleep(1000);

    double before = Now();
    if (!strcmp(how, "pause")) {
        AudioQueuePause(bad);
        AudioQueueStart(bad, NULL);
    } else if (!strcmp(how, "stop")) {
        AudioQueueStop(bad, true);
    } else {
        AudioQueueDispose(bad, true);
    }
    double took = Now() - before;
    usleep(seconds * 1e6);
    AudioQueueStop(good, true);
    AudioQueueDispose(good, true);
    printf("%s took %.3f s, the other queue made %ld frames\n", how, took, frames);
    return took > 3;
}
