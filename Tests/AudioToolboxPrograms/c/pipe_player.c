/* SPDX-License-Identifier: MIT */

/* pipe_player.c - raw 16-bit stereo from standard input; the callback itself reads, and blocks.
 *
 *     sox x.wav -t raw -r 44100 -c 2 -b 16 -e signed - | pipe_player [DEADLINE-SECONDS]
 *
 * With a deadline the main thread stops and disposes of the queue then, whatever the callback does.
 * (Small buffers, many of them; a short read is padded to whole frames with what comes next.)
 */
#include <AudioToolbox/AudioToolbox.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static AudioQueueRef queue;
static volatile bool atEnd;

static void fillFromPipe(void *unused, AudioQueueRef aq, AudioQueueBufferRef buf)
{
    UInt32 have = 0;
    if (atEnd) return;
    do {
        ssize_t got = read(STDIN_FILENO, (char *)buf->mAudioData + have, buf->mAudioDataBytesCapacity - have);
        if (got <= 0) { atEnd = true; break; }
        have += got;
    } while (have % 4);
    buf->mAudioDataByteSize = have & ~3u;
    if (have >= 4) AudioQueueEnqueueBuffer(aq, buf, 0, NULL);
    if (atEnd) AudioQueueStop(aq, false);
}

int main(int argc, char **argv)
{
    double deadline = argc > 1 ? atof(argv[1]) : 0;
    AudioStreamBasicDescription asbd = {
        .mSampleRate = 44100, .mFormatID = kAudioFormatLinearPCM, .mFormatFlags = kAudioFormatFlagIsSignedInteger,
        .mBytesPerPacket = 4, .mFramesPerPacket = 1, .mBytesPerFrame = 4, .mChannelsPerFrame = 2, .mBitsPerChannel = 16
    };
    if (AudioQueueNewOutput(&asbd, fillFromPipe, NULL, NULL, NULL, 0, &queue)) return 1;
    AudioQueueStart(queue, NULL);       /* before anything is enqueued */
    for (int i = 0; i < 6; i++) {
        AudioQueueBufferRef buf;
        AudioQueueAllocateBuffer(queue, 4096, &buf);
        /* A frame of silence each, so that the queue asks for the rest by itself. */
        ((UInt32 *)buf->mAudioData)[0] = 0;
        buf->mAudioDataByteSize = 4;
        AudioQueueEnqueueBuffer(queue, buf, 0, NULL);
    }
    for (double waited = 0; ; waited += 0.02) {
        UInt32 running = 1, size = sizeof running;
        usleep(20000);
        if (deadline > 0 && waited >= deadline) {
            fprintf(stderr, "deadline\n");
            AudioQueueStop(queue, true);
            break;
        }
        AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &running, &size);
        if (atEnd && !running) break;
    }
    AudioQueueDispose(queue, true);
    return 0;
}
