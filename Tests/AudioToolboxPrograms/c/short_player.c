/* SPDX-License-Identifier: MIT */

/* short_player.c: a sound file through an audio queue, in some sixty lines.   usage: short_player FILE */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <string.h>

enum { kBuffers = 3, kBufferBytes = 32768, kMaxPackets = 512 };

static AudioFileID file;
static AudioStreamBasicDescription format;
static SInt64 packet;
static CFRunLoopRef loop;

static void fill(void *unused, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    UInt32 bytes = buffer->mAudioDataBytesCapacity, packets = kMaxPackets;
    if (format.mBytesPerPacket) packets = bytes / format.mBytesPerPacket;
    OSStatus err = AudioFileReadPacketData(file, false, &bytes, buffer->mPacketDescriptions, packet,
                                           &packets, buffer->mAudioData);
    if ((err != noErr && err != kAudioFileEndOfFileError) || packets == 0) {
        AudioQueueStop(queue, false);    /* what is enqueued is still heard */
        return;
    }
    buffer->mAudioDataByteSize = bytes;
    buffer->mPacketDescriptionCount = format.mBytesPerPacket ? 0 : packets;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
    packet += packets;
}

static void running_changed(void *unused, AudioQueueRef queue, AudioQueuePropertyID id)
{
    UInt32 running, size = sizeof running;
    if (AudioQueueGetProperty(queue, id, &running, &size) == noErr && !running)
        CFRunLoopStop(loop);
}

int main(int argc, char **argv)
{
    if (argc != 2) return 64;
    CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (UInt8 *)argv[1], strlen(argv[1]), false);
    OSStatus err = AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file);
    if (err) return fprintf(stderr, "cannot open %s (%d)\n", argv[1], (int)err), 1;

    UInt32 size = sizeof format, cookieSize;
    AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &format);
    AudioQueueRef queue;
    loop = CFRunLoopGetCurrent();
    err = AudioQueueNewOutput(&format, fill, NULL, loop, kCFRunLoopCommonModes, 0, &queue);
    if (err) return fprintf(stderr, "cannot play %s (%d)\n", argv[1], (int)err), 1;
    if (!AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &cookieSize, NULL) && cookieSize) {
        char cookie[cookieSize];
        AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &cookieSize, cookie);
        AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, cookieSize);
    }
    AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, running_changed, NULL);
    AudioQueueStart(queue, NULL);    /* nothing is enqueued yet: silence until the first buffer */
    for (int i = 0; i < kBuffers; i++) {
        AudioQueueBufferRef buffer;
        AudioQueueAllocateBufferWithPacketDescriptions(queue, kBufferBytes, kMaxPackets, &buffer);
        fill(NULL, queue, buffer);
    }
    CFRunLoopRun();
    AudioQueueDispose(queue, true);
    AudioFileClose(file);
    return 0;
}
