/* SPDX-License-Identifier: MIT */

/* speech_chunks.c
 *
 * What a speech synthesiser's audio back end does: every chunk that the synthesiser delivers gets a
 * buffer of its own size, which the callback frees.  "Speech" is a row of beeps here, one a word.
 *
 *     speech_chunks WORD...
 *
 * The word "-" cuts off what is being said (barge in), "," is a pause of 200 ms.
 */
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static AudioQueueRef voice;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int outstanding, freed, leaked;

static void chunk_spoken(void *unused, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    OSStatus err = AudioQueueFreeBuffer(queue, buffer);
    pthread_mutex_lock(&lock);
    outstanding--;
    if (err) leaked++; else freed++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

/* The synthesiser calls this with as many samples as it happens to have. */
static int synth_callback(const short *wav, int samples)
{
    AudioQueueBufferRef buffer;
    OSStatus err = AudioQueueAllocateBuffer(voice, samples * sizeof(short), &buffer);
    if (err) return 1;
    memcpy(buffer->mAudioData, wav, samples * sizeof(short));
    buffer->mAudioDataByteSize = samples * sizeof(short);

    pthread_mutex_lock(&lock);
    outstanding++;
    pthread_mutex_unlock(&lock);
    err = AudioQueueEnqueueBuffer(voice, buffer, 0, NULL);
    if (err) {      /* empty chunks end up here: -66686 */
        AudioQueueFreeBuffer(voice, buffer);
        pthread_mutex_lock(&lock);
        outstanding--;
        pthread_mutex_unlock(&lock);
        return err != kAudioQueueErr_BufferEmpty;
    }
    AudioQueueStart(voice, NULL);       /* at each chunk: it does no harm */
    return 0;
}

static void say(const char *word)
{
    short wav[1103];
    int total = 22050 / 20 * (int)strlen(word), done = 0;        /* 50 ms a letter */
    double hertz = 200 + 20 * (word[0] % 32);
    while (done < total) {
        int n = 301 + (done * 7) % 800;
        if (n > total - done) n = total - done;
        for (int i = 0; i < n; i++)
            wav[i] = 9000 * sin(2 * M_PI * hertz * (done + i) / 22050.0);
        synth_callback(wav, n);
        done += n;
    }
    synth_callback(wav, 0);     /* end of the word: nothing, delivered as a chunk */
}

int main(int argc, char **argv)
{
    AudioStreamBasicDescription asbd;
    memset(&asbd, 0, sizeof asbd);
    asbd.mSampleRate = 22050;
    asbd.mFormatID = kAudioFormatLinearPCM;
    asbd.mFormatFlags = kAudioFormatFlagIsSignedInteger;     /* "packed" forgotten, and never missed */
    asbd.mChannelsPerFrame = 1;
    asbd.mBitsPerChannel = 16;
    asbd.mBytesPerFrame = asbd.mBytesPerPacket = 2;
    asbd.mFramesPerPacket = 1;

    AudioQueueStop(voice, true);     /* a NULL queue: the back end's "close" runs before each "open" */
    if (AudioQueueNewOutput(&asbd, chunk_spoken, NULL, NULL, kCFRunLoopCommonModes, 0, &voice)) return 1;
    AudioQueueStop(voice, true);     /* and stops what has not been started */

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-")) {
            usleep(100000);
            AudioQueueStop(voice, true);
        } else if (!strcmp(argv[i], ",")) {
            AudioQueuePause(voice);
            usleep(200000);
            AudioQueueStart(voice, NULL);
        } else {
            say(argv[i]);
        }
    }

    pthread_mutex_lock(&lock);
    while (outstanding > 0) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    AudioQueueStop(voice, false);
    for (;;) {      /* poll: the last buffers have been taken, not heard */
        UInt32 running = 0, size = sizeof running;
        if (AudioQueueGetProperty(voice, kAudioQueueProperty_IsRunning, &running, &size) || !running) break;
        usleep(10000);
    }
    AudioQueueDispose(voice, true);
    printf("%d chunks freed, %d not\n", freed, leaked);
    return leaked != 0;
}
