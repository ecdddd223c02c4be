/* SPDX-License-Identifier: MIT */

/* Records the default input to a WAVE file.
 *
 *     cc recorder.c -o recorder $(pkg-config --cflags --libs audiotoolbox)
 *     ./recorder memo.wav 10 */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { buffer_count = 3, buffers_per_second = 10, channels = 1, sample_bytes = 2 };

/* The data of the callback, which nothing else uses until the queue has stopped. */
struct recorder {
    AudioFileID file;
    SInt64 frames;
    OSStatus failure;
};

static void check(OSStatus status, const char *what)
{
    if (status == noErr) return;
    fprintf(stderr, "recorder: cannot %s (error %d)\n", what, (int)status);
    exit(EXIT_FAILURE);
}

/* Writes a buffer that the queue has filled, on a thread of the queue. */
static void take(void *context, AudioQueueRef queue, AudioQueueBufferRef buffer,
                 const AudioTimeStamp *start_time, UInt32 packet_count,
                 const AudioStreamPacketDescription *descriptions)
{
    struct recorder *recorder = context;
    UInt32 frames = buffer->mAudioDataByteSize / (channels * sample_bytes);
    (void)start_time, (void)packet_count, (void)descriptions; /* a packet of PCM is a frame */
    if (frames > 0 && recorder->failure == noErr) {
        recorder->failure = AudioFileWritePackets(
            recorder->file, false, buffer->mAudioDataByteSize, NULL, recorder->frames, &frames,
            buffer->mAudioData);
        recorder->frames += frames;
    }
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL); /* refused while the queue stops */
}

int main(int argc, char **argv)
{
    struct recorder recorder = {0};
    AudioQueueRef queue = NULL;
    double seconds = argc == 3 ? atof(argv[2]) : 0;
    if (!(seconds > 0 && seconds < 86400)) return fprintf(stderr, "usage: recorder FILE SECONDS\n"), 64;

    AudioStreamBasicDescription format = {
        .mSampleRate = 48000,
        .mFormatID = kAudioFormatLinearPCM,
        .mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
        .mBytesPerPacket = channels * sample_bytes,
        .mFramesPerPacket = 1,
        .mBytesPerFrame = channels * sample_bytes,
        .mChannelsPerFrame = channels,
        .mBitsPerChannel = 8 * sample_bytes,
    };
    CFURLRef url = CFURLCreateFromFileSystemRepresentation(
        NULL, (const UInt8 *)argv[1], (CFIndex)strlen(argv[1]), false);
    check(AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, kAudioFileFlags_EraseFile, &recorder.file),
          "make the file");
    CFRelease(url);

    check(AudioQueueNewInput(&format, take, &recorder, NULL, NULL, 0, &queue), "record this format");
    for (int i = 0; i < buffer_count; i++) {
        AudioQueueBufferRef buffer;
        UInt32 bytes = (UInt32)(format.mSampleRate / buffers_per_second) * format.mBytesPerFrame;
        check(AudioQueueAllocateBuffer(queue, bytes, &buffer), "allocate a buffer");
        check(AudioQueueEnqueueBuffer(queue, buffer, 0, NULL), "enqueue a buffer");
    }
    check(AudioQueueStart(queue, NULL), "start the queue");
    struct timespec time = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
    check(AudioQueueStop(queue, true), "stop the queue"); /* the last buffer, partly filled, comes in here */
    check(AudioQueueDispose(queue, true), "end the queue");
    check(AudioFileClose(recorder.file), "complete the file");
    check(recorder.failure, "write the file");
    printf("%lld frames\n", (long long)recorder.frames);
    return EXIT_SUCCESS;
}
