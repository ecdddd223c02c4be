/* SPDX-License-Identifier: MIT */

/*
 * restart_player.c
 *
 * The audio backend of a cross-platform library: a ring of small buffers that the library fills, and a queue
 * that is made anew when the system takes it away (sleep, a lost device, a sound server that died).
 *
 *     restart_player [SECONDS]
 *
 * A tone; prints how often the queue was made.
 */
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kBuffers = 4, kBytes = 12288, kTries = 5 };

static AudioStreamBasicDescription format = {
    .mSampleRate = 48000, .mFormatID = kAudioFormatLinearPCM, .mFormatFlags = kAudioFormatFlagIsFloat,
    .mBytesPerPacket = 8, .mFramesPerPacket = 1, .mBytesPerFrame = 8, .mChannelsPerFrame = 2, .mBitsPerChannel = 32,
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static AudioQueueRef current;
static AudioQueueBufferRef idle[kBuffers];
static int idleCount, made;

static void Render(void *user, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    pthread_mutex_lock(&mutex);
    if (queue == current) idle[idleCount++] = buffer;    /* one of a disposed queue is dropped */
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

static OSStatus NewQueue(void)
{
    AudioQueueRef queue;
    OSStatus err = AudioQueueNewOutput(&format, Render, NULL, NULL, NULL, 0, &queue);
    if (err) return err;
    pthread_mutex_lock(&mutex);
    current = queue;
    idleCount = 0;
    for (int i = 0; i < kBuffers && !err; i++) {
        err = AudioQueueAllocateBuffer(queue, kBytes, &idle[idleCount]);
        if (!err) idle[idleCount++]->mAudioDataByteSize = kBytes;
    }
    pthread_mutex_unlock(&mutex);
    made++;
    return err;
}

static OSStatus StartQueue(void)
{
    OSStatus err;
    int tries = 0;
    while ((err = AudioQueueStart(current, NULL)) != noErr && tries++ < 100)
        usleep(10000);      /* right after a wake-up it fails for a while */
    return err;
}

/* What to do about a failed call: a new queue, a few times at most. */
static OSStatus Recover(OSStatus err)
{
    for (int i = 0; i < kTries && (err == kAudioQueueErr_QueueInvalidated || err == kAudioQueueErr_CannotStart
                                   || err == kAudioQueueErr_InvalidDevice || i > 0); i++) {
        AudioQueueRef old = current;
        pthread_mutex_lock(&mutex);
        current = NULL;
        pthread_mutex_unlock(&mutex);
        AudioQueueDispose(old, true);
        if (!(err = NewQueue()) && !(err = StartQueue())) return noErr;
        usleep(200000);
    }
    return err;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 2;
    SInt64 left = seconds * format.mSampleRate, frame = 0;
    OSStatus err = NewQueue();
    if (!err) err = StartQueue();

    while (!err && left > 0) {
        struct timespec limit;
        clock_gettime(CLOCK_REALTIME, &limit);
        limit.tv_sec += 1;
        pthread_mutex_lock(&mutex);
        while (idleCount == 0 && pthread_cond_timedwait(&changed, &mutex, &limit) == 0) ;
        AudioQueueBufferRef buffer = idleCount ? idle[--idleCount] : NULL;
        pthread_mutex_unlock(&mutex);
        if (!buffer) {          /* nothing has come back for a second: is it still there? */
            err = AudioQueueStart(current, NULL);
            if (err) err = Recover(err);
            continue;
        }

        UInt32 frames = kBytes / 8;
        if (frames > left) frames = (UInt32)left;
        float *out = buffer->mAudioData;
        for (UInt32 i = 0; i < frames; i++, frame++)
            out[2 * i] = out[2 * i + 1] = 0.2f * sinf(2 * M_PI * 440 * frame / 48000);
        buffer->mAudioDataByteSize = frames * 8;
        err = AudioQueueEnqueueBuffer(current, buffer, 0, NULL);
        if (err) err = Recover(err);
        else left -= frames;
    }
    if (!err) {
        AudioQueueStop(current, false);
        UInt32 running = 1, size = sizeof running;
        while (running && !AudioQueueGetProperty(current, kAudioQueueProperty_IsRunning, &running, &size)) usleep(10000);
    }
    AudioQueueDispose(current, true);
    printf("%d queues, result %d\n", made, (int)err);
    return err != noErr;
}
