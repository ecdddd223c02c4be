/* SPDX-License-Identifier: MIT */

/*
 * seek_player.c
 *
 * A player that is told what to do on standard input, as the back end of a graphical one would be:
 *
 *     p  pause or go on       s  stop        g  start (from the beginning)
 *     +N / -N  seek by N seconds              v N  volume (0 to 100), ramped over 100 ms
 *     b N  pan (-100 to 100)  t  print the time        w N  wait N ms       q  quit
 *
 *     printf 'w 500\nt\n+2\nw 300\nt\nq\n' | seek_player FILE
 */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFERS 4

static struct {
    AudioFileID file;
    AudioStreamBasicDescription format;
    AudioQueueRef queue;
    AudioQueueBufferRef buffers[BUFFERS];
    AudioQueueTimelineRef timeline;
    AudioStreamPacketDescription *descs;
    UInt32 packetsPerBuffer;
    SInt64 packet;
    Float64 offset;             /* where the queue's time 0 is, in frames of the file */
    volatile int stopping, paused, ended;
} player;

static void fill(void *unused, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    UInt32 bytes = buffer->mAudioDataBytesCapacity, packets = player.packetsPerBuffer;

    if (player.stopping) return;        /* buffers that come back because of Stop or Reset */
    AudioFileReadPacketData(player.file, true, &bytes, player.descs, player.packet, &packets, buffer->mAudioData);
    if (packets == 0) {
        if (!player.ended) AudioQueueStop(queue, false);
        player.ended = 1;
        return;
    }
    buffer->mAudioDataByteSize = bytes;
    /* The descriptions go along even where the packets are all alike; they are ignored then. */
    AudioQueueEnqueueBuffer(queue, buffer, packets, player.descs);
    player.packet += packets;
}

static void fill_all(void)
{
    player.stopping = 0;
    player.ended = 0;
    for (int i = 0; i < BUFFERS; i++) fill(NULL, player.queue, player.buffers[i]);
}

static double now(void)
{
    AudioTimeStamp stamp;
    Boolean discontinuity = false;
    OSStatus err = AudioQueueGetCurrentTime(player.queue, player.timeline, &stamp, &discontinuity);
    if (err == kAudioQueueErr_InvalidRunState) return player.offset / player.format.mSampleRate;
    if (discontinuity) fprintf(stderr, "discontinuity\n");
    return (stamp.mSampleTime + player.offset) / player.format.mSampleRate;
}

static void start_from(double seconds, int pausedStart)
{
    double perPacket = player.format.mFramesPerPacket ? player.format.mFramesPerPacket : 1;
    if (seconds < 0) seconds = 0;
    player.stopping = 1;
    AudioQueueStop(player.queue, true);
    player.packet = seconds * player.format.mSampleRate / perPacket;
    player.offset = player.packet * perPacket;
    fill_all();
    if (!pausedStart) AudioQueueStart(player.queue, NULL);
}

int main(int argc, char **argv)
{
    UInt32 size, maxPacket;
    char line[80];
    if (argc != 2) return 64;

    CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (UInt8 *)argv[1], strlen(argv[1]), false);
    if (AudioFileOpenURL(url, kAudioFileReadPermission, 0, &player.file)) return 1;
    size = sizeof player.format;
    AudioFileGetProperty(player.file, kAudioFilePropertyDataFormat, &size, &player.format);
    size = sizeof maxPacket;
    AudioFileGetProperty(player.file, kAudioFilePropertyPacketSizeUpperBound, &size, &maxPacket);

    if (AudioQueueNewOutput(&player.format, fill, NULL, NULL, NULL, 0, &player.queue)) return 1;
    AudioQueueCreateTimeline(player.queue, &player.timeline);
    size = 0;
    AudioFileGetPropertyInfo(player.file, kAudioFilePropertyMagicCookieData, &size, NULL);
    if (size) {
        void *cookie = malloc(size);
        AudioFileGetProperty(player.file, kAudioFilePropertyMagicCookieData, &size, cookie);
        AudioQueueSetProperty(player.queue, kAudioQueueProperty_MagicCookie, cookie, size);
        free(cookie);
    }
    player.packetsPerBuffer = 16384 / maxPacket ? 16384 / maxPacket : 1;
    player.descs = calloc(player.packetsPerBuffer, sizeof *player.descs);
    for (int i = 0; i < BUFFERS; i++)
        AudioQueueAllocateBuffer(player.queue, player.packetsPerBuffer * maxPacket, &player.buffers[i]);
    AudioQueueSetParameter(player.queue, kAudioQueueParam_VolumeRampTime, 0.1);
    start_from(0, 0);

    while (fgets(line, sizeof line, stdin)) {
        double n = atof(line + 1);
        switch (line[0]) {
        case 'p':
            if (player.paused) AudioQueueStart(player.queue, NULL); else AudioQueuePause(player.queue);
            player.paused = !player.paused;
            break;
        case 's':
            player.stopping = 1;
            AudioQueueStop(player.queue, true);
            player.offset = 0;
            break;
        case 'g': player.paused = 0; start_from(0, 0); break;
        case '+': start_from(now() + n, player.paused); break;
        case '-': start_from(now() - n, player.paused); break;
        case 'v': AudioQueueSetParameter(player.queue, kAudioQueueParam_Volume, n / 100); break;
        case 'b': AudioQueueSetParameter(player.queue, kAudioQueueParam_Pan, n / 100); break;
        case 't': {
            AudioQueueParameterValue volume = 0;
            AudioQueueGetParameter(player.queue, kAudioQueueParam_Volume, &volume);
            printf("%.2f s, volume %.2f\n", now(), volume);
            fflush(stdout);
            break;
        }
        case 'w': usleep(n * 1000); break;
        case 'q': goto done;
        }
    }
done:
    player.stopping = 1;
    AudioQueueStop(player.queue, true);
    AudioQueueDisposeTimeline(player.queue, player.timeline);
    AudioQueueDispose(player.queue, true);
    AudioFileClose(player.file);
    free(player.descs);
    return 0;
}
