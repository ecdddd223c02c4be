/* SPDX-License-Identifier: MIT */

/*
 * offline_render.c
 *
 * Renders a sound file to 16-bit CAF through an audio queue without a device, as fast as it goes;
 * the recipe is that of Technical Q&A 1562.
 *
 *     offline_render INPUT OUTPUT.caf [VOLUME [TRIM-START TRIM-END]]
 *
 * The trims are frames dropped from the first and from the last buffer.
 */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define kBufferFrames 16384

typedef struct {
    AudioFileID                   file;
    AudioStreamBasicDescription   format;
    AudioQueueRef                 queue;
    AudioQueueBufferRef           buffer;
    AudioStreamPacketDescription *descs;
    UInt32                        packetsPerBuffer;
    SInt64                        nextPacket, totalPackets;
    UInt32                        trimStart, trimEnd;
    bool                          flushed, done;
} RenderInfo;

#define Require(expr) do { OSStatus e_ = (expr); \
    if (e_) { fprintf(stderr, "%s: %d\n", #expr, (int)e_); exit(1); } } while (0)

static void RenderCallback(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    RenderInfo *info = data;
    if (info->done) return;

    UInt32 bytes = buffer->mAudioDataBytesCapacity, packets = info->packetsPerBuffer;
    AudioFileReadPacketData(info->file, false, &bytes, info->descs, info->nextPacket, &packets, buffer->mAudioData);
    if (packets > 0) {
        bool isFirst = info->nextPacket == 0;
        info->nextPacket += packets;
        bool isLast = info->nextPacket >= info->totalPackets;
        buffer->mAudioDataByteSize = bytes;
        Require(AudioQueueEnqueueBufferWithParameters(queue, buffer, info->descs ? packets : 0, info->descs,
                                                      isFirst ? info->trimStart : 0, isLast ? info->trimEnd : 0,
                                                      0, NULL, NULL, NULL));
    } else if (!info->flushed) {
        Require(AudioQueueFlush(queue));
        info->flushed = true;
        Require(AudioQueueStop(queue, false));
        info->done = true;
    }
}

static CFURLRef FileURL(const char *path)
{
    return CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, strlen(path), false);
}

int main(int argc, const char *argv[])
{
    RenderInfo info = {0};
    if (argc < 3) return 64;
    if (argc > 4) info.trimStart = atoi(argv[4]);
    if (argc > 5) info.trimEnd = atoi(argv[5]);

    CFURLRef in = FileURL(argv[1]), out = FileURL(argv[2]);
    Require(AudioFileOpenURL(in, kAudioFileReadPermission, 0, &info.file));
    UInt32 size = sizeof(info.format);
    Require(AudioFileGetProperty(info.file, kAudioFilePropertyDataFormat, &size, &info.format));
    UInt64 count = 0;
    size = sizeof(count);
    Require(AudioFileGetProperty(info.file, kAudioFilePropertyAudioDataPacketCount, &size, &count));
    info.totalPackets = count;
    UInt32 maxPacketSize = 0;
    size = sizeof(maxPacketSize);
    Require(AudioFileGetProperty(info.file, kAudioFilePropertyMaximumPacketSize, &size, &maxPacketSize));

    /* A run loop is given, as everywhere, and never run: offline the callbacks come from the rendering call. */
    Require(AudioQueueNewOutput(&info.format, RenderCallback, &info, CFRunLoopGetCurrent(),
                                kCFRunLoopCommonModes, 0, &info.queue));

    UInt32 perPacket = info.format.mFramesPerPacket ? info.format.mFramesPerPacket : 1;
    info.packetsPerBuffer = kBufferFrames / perPacket ? kBufferFrames / perPacket : 1;
    if (info.format.mBytesPerPacket == 0 || info.format.mFramesPerPacket == 0)
        info.descs = calloc(info.packetsPerBuffer, sizeof(AudioStreamPacketDescription));

    if (!AudioFileGetPropertyInfo(info.file, kAudioFilePropertyMagicCookieData, &size, NULL) && size) {
        void *cookie = malloc(size);
        Require(AudioFileGetProperty(info.file, kAudioFilePropertyMagicCookieData, &size, cookie));
        Require(AudioQueueSetProperty(info.queue, kAudioQueueProperty_MagicCookie, cookie, size));
        free(cookie);
    }
    AudioChannelLayout *layout = NULL;
    if (!AudioFileGetPropertyInfo(info.file, kAudioFilePropertyChannelLayout, &size, NULL) && size) {
        layout = malloc(size);
        Require(AudioFileGetProperty(info.file, kAudioFilePropertyChannelLayout, &size, layout));
        Require(AudioQueueSetProperty(info.queue, kAudioQueueProperty_ChannelLayout, layout, size));
    }
    Require(AudioQueueAllocateBuffer(info.queue, info.packetsPerBuffer * maxPacketSize, &info.buffer));

    AudioStreamBasicDescription capture = {0};
    capture.mSampleRate = info.format.mSampleRate;
    capture.mFormatID = kAudioFormatLinearPCM;
    capture.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
    capture.mChannelsPerFrame = info.format.mChannelsPerFrame;
    capture.mBitsPerChannel = 16;
    capture.mBytesPerPacket = capture.mBytesPerFrame = 2 * capture.mChannelsPerFrame;
    capture.mFramesPerPacket = 1;
    Require(AudioQueueSetOfflineRenderFormat(info.queue, &capture, layout));

    ExtAudioFileRef outFile;
    Require(ExtAudioFileCreateWithURL(out, kAudioFileCAFType, &capture, layout, kAudioFileFlags_EraseFile, &outFile));
    CFRelease(in);
    CFRelease(out);

    /* Half of what is put in at a time is pulled out, so that the queue never runs dry. */
    AudioQueueBufferRef captureBuffer;
    Require(AudioQueueAllocateBuffer(info.queue, kBufferFrames / 2 * capture.mBytesPerFrame, &captureBuffer));
    AudioBufferList list = {1};
    list.mBuffers[0].mNumberChannels = capture.mChannelsPerFrame;
    list.mBuffers[0].mData = captureBuffer->mAudioData;

    if (argc > 3) Require(AudioQueueSetParameter(info.queue, kAudioQueueParam_Volume, atof(argv[3])));
    Require(AudioQueueStart(info.queue, NULL));

    AudioTimeStamp ts = {0};
    ts.mFlags = kAudioTimeStampSampleTimeValid;
    Require(AudioQueueOfflineRender(info.queue, &ts, captureBuffer, 0));    /* must be; gives nothing */
    RenderCallback(&info, info.queue, info.buffer);

    for (;;) {
        UInt32 frames = captureBuffer->mAudioDataBytesCapacity / capture.mBytesPerFrame;
        Require(AudioQueueOfflineRender(info.queue, &ts, captureBuffer, frames));
        list.mBuffers[0].mDataByteSize = captureBuffer->mAudioDataByteSize;
        frames = captureBuffer->mAudioDataByteSize / capture.mBytesPerFrame;
        if (frames) Require(ExtAudioFileWrite(outFile, frames, &list));
        ts.mSampleTime += frames;
        if (info.flushed && frames == 0) break;
    }
    printf("%.0f frames\n", ts.mSampleTime);

    Require(AudioQueueDispose(info.queue, true));
    Require(AudioFileClose(info.file));
    Require(ExtAudioFileDispose(outFile));
    free(layout);
    free(info.descs);
    return 0;
}
