/* SPDX-License-Identifier: MIT */

/* Plays an audio file.   cc player.c $(pkg-config --cflags --libs audiotoolbox) -o player; ./player FILE */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { buffer_count = 3, buffer_bytes = 0x20000, packets_per_buffer = 256 };

static AudioFileID file;
static AudioStreamBasicDescription format;
static SInt64 next_packet;

static void check(OSStatus status, const char *what)
{
    if (status == noErr) return;
    fprintf(stderr, "player: cannot %s (error %d)\n", what, (int)status);
    exit(EXIT_FAILURE);
}

/* Fills a buffer that the queue has returned. At the end of the file the queue stops after the last frame. */
static void fill(void *unused, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    UInt32 bytes = buffer_bytes;
    UInt32 packets = format.mBytesPerPacket ? bytes / format.mBytesPerPacket : packets_per_buffer;
    OSStatus status = AudioFileReadPacketData(file, false, &bytes, buffer->mPacketDescriptions, next_packet,
                                              &packets, buffer->mAudioData);
    check(status == kAudioFileEndOfFileError ? noErr : status, "read the file");
    if (packets > 0) {
        buffer->mAudioDataByteSize = bytes;
        buffer->mPacketDescriptionCount = format.mBytesPerPacket ? 0 : packets;
        check(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL), "enqueue a buffer");
        next_packet += packets;
    } else {
        check(AudioQueueStop(queue, false), "stop");
    }
}

static void running_changed(void *run_loop, AudioQueueRef queue, AudioQueuePropertyID property)
{
    UInt32 is_running = 0, size = sizeof is_running;
    check(AudioQueueGetProperty(queue, property, &is_running, &size), "ask the queue");
    if (!is_running) CFRunLoopStop(run_loop);
}

int main(int argc, char **argv)
{
    if (argc != 2) return fprintf(stderr, "usage: player FILE\n"), 64;
    CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (UInt8 *)argv[1], strlen(argv[1]), false);
    check(AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file), "open the file");
    UInt32 size = sizeof format;
    check(AudioFileGetProperty(file, kAudioFilePropertyDataFormat, &size, &format), "read the format");
    AudioQueueRef queue;
    CFRunLoopRef loop = CFRunLoopGetCurrent();
    check(AudioQueueNewOutput(&format, fill, NULL, loop, NULL, 0, &queue), "play this format");
    if (!AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &size, NULL) && size > 0) {
        void *cookie = malloc(size); /* the decoder's configuration */
        check(cookie ? noErr : kAudio_MemFullError, "make room for the cookie");
        check(AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &size, cookie), "read cookie");
        check(AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, size), "use cookie");
        free(cookie);
    }
    check(AudioQueueAddPropertyListener(queue, kAudioQueueProperty_IsRunning, running_changed, loop),
          "listen");
    for (int i = 0; i < buffer_count; i++) {
        AudioQueueBufferRef buffer;
        check(AudioQueueAllocateBufferWithPacketDescriptions(
                  queue, buffer_bytes, packets_per_buffer, &buffer),
              "allocate a buffer");
        fill(NULL, queue, buffer);
    }
    check(next_packet > 0 ? noErr : kAudioFileEndOfFileError, "play a file without audio");
    check(AudioQueueStart(queue, NULL), "start");
    CFRunLoopRun();
    AudioQueueDispose(queue, true);
    AudioFileClose(file);
    CFRelease(url);
    return 0;
}
