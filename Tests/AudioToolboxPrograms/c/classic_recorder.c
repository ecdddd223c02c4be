/* SPDX-License-Identifier: MIT */

/*
 * classic_recorder.c
 *
 * Records the default input, in the manner of the recording chapter of the Audio Queue programming
 * guide. A name that ends in ".caf" gets AAC, any other AIFF.
 *
 *     classic_recorder FILE SECONDS
 */
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define kNumberRecordBuffers 3

typedef struct RecorderState {
    AudioStreamBasicDescription dataFormat;
    AudioQueueRef               queue;
    AudioQueueBufferRef         buffers[kNumberRecordBuffers];
    AudioFileID                 audioFile;
    UInt32                      bufferByteSize;
    SInt64                      currentPacket;
    bool                        isRunning;
} RecorderState;

static void CheckError(OSStatus error, const char *operation)
{
    if (error == noErr) return;
    char text[20];
    /* If it looks like a four-character code, show it as one. */
    *(UInt32 *)(text + 1) = CFSwapInt32HostToBig(error);
    if (text[1] >= ' ' && text[2] >= ' ' && text[3] >= ' ' && text[4] >= ' ') {
        text[0] = text[5] = '\'';
        text[6] = '\0';
    } else {
        sprintf(text, "%d", (int)error);
    }
    fprintf(stderr, "Error: %s (%s)\n", operation, text);
    exit(1);
}

static void HandleInputBuffer(void *userData, AudioQueueRef queue, AudioQueueBufferRef buffer,
                              const AudioTimeStamp *startTime, UInt32 numPackets,
                              const AudioStreamPacketDescription *packetDescs)
{
    RecorderState *state = (RecorderState *)userData;
    (void)startTime;

    if (numPackets == 0 && state->dataFormat.mBytesPerPacket != 0)
        numPackets = buffer->mAudioDataByteSize / state->dataFormat.mBytesPerPacket;

    if (numPackets > 0
        && AudioFileWritePackets(state->audioFile, false, buffer->mAudioDataByteSize, packetDescs,
                                 state->currentPacket, &numPackets, buffer->mAudioData) == noErr)
        state->currentPacket += numPackets;

    if (!state->isRunning) return;
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}

static void DeriveBufferSize(AudioQueueRef queue, AudioStreamBasicDescription *format, Float64 seconds,
                             UInt32 *outBufferSize)
{
    static const int maxBufferSize = 0x50000;
    int maxPacketSize = format->mBytesPerPacket;

    if (maxPacketSize == 0) {
        UInt32 size = sizeof(maxPacketSize);
        /* The guide's own constant: a property of converters, asked of the queue. */
        CheckError(AudioQueueGetProperty(queue, kAudioConverterPropertyMaximumOutputPacketSize,
                                         &maxPacketSize, &size),
                   "asking for the largest packet");
    }

    Float64 numBytes;
    if (format->mFramesPerPacket > 0)
        numBytes = ceil(format->mSampleRate / format->mFramesPerPacket * seconds) * maxPacketSize;
    else
        numBytes = format->mSampleRate * maxPacketSize * seconds;
    *outBufferSize = (UInt32)(numBytes < maxBufferSize ? numBytes : maxBufferSize);
}

static OSStatus SetMagicCookieForFile(AudioQueueRef queue, AudioFileID file)
{
    OSStatus result = noErr;
    UInt32 cookieSize;

    if (AudioQueueGetPropertySize(queue, kAudioQueueProperty_MagicCookie, &cookieSize) == noErr && cookieSize) {
        char *cookie = (char *)malloc(cookieSize);
        if (AudioQueueGetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, &cookieSize) == noErr)
            result = AudioFileSetProperty(file, kAudioFilePropertyMagicCookieData, cookieSize, cookie);
        free(cookie);
    }
    return result;
}

int main(int argc, const char *argv[])
{
    RecorderState state = {0};
    if (argc != 3) {
        fprintf(stderr, "usage: %s file seconds\n", argv[0]);
        return 64;
    }
    size_t length = strlen(argv[1]);
    bool wantsAAC = length > 4 && strcmp(argv[1] + length - 4, ".caf") == 0;

    AudioStreamBasicDescription *format = &state.dataFormat;
    format->mSampleRate = 44100.0;
    format->mChannelsPerFrame = 2;
    if (wantsAAC) {
        format->mFormatID = kAudioFormatMPEG4AAC;
        format->mFramesPerPacket = 1024;
    } else {
        format->mFormatID = kAudioFormatLinearPCM;
        format->mFormatFlags = kLinearPCMFormatFlagIsBigEndian | kLinearPCMFormatFlagIsSignedInteger
            | kLinearPCMFormatFlagIsPacked;
        format->mBitsPerChannel = 16;
        format->mBytesPerPacket = format->mBytesPerFrame = format->mChannelsPerFrame * sizeof(SInt16);
        format->mFramesPerPacket = 1;
    }

    CheckError(AudioQueueNewInput(format, HandleInputBuffer, &state, CFRunLoopGetCurrent(),
                                  kCFRunLoopCommonModes, 0, &state.queue),
               "making the queue");
    UInt32 formatSize = sizeof(state.dataFormat);
    CheckError(AudioQueueGetProperty(state.queue, kAudioQueueProperty_StreamDescription, format, &formatSize),
               "asking for the whole format");

    CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)argv[1], length, false);
    CheckError(AudioFileCreateWithURL(url, wantsAAC ? kAudioFileCAFType : kAudioFileAIFFType, format,
                                      kAudioFileFlags_EraseFile, &state.audioFile),
               "making the file");
    CFRelease(url);
    CheckError(SetMagicCookieForFile(state.queue, state.audioFile), "setting the cookie");

    DeriveBufferSize(state.queue, format, 0.5, &state.bufferByteSize);
    for (int i = 0; i < kNumberRecordBuffers; ++i) {
        CheckError(AudioQueueAllocateBuffer(state.queue, state.bufferByteSize, &state.buffers[i]), "allocating");
        CheckError(AudioQueueEnqueueBuffer(state.queue, state.buffers[i], 0, NULL), "enqueuing");
    }

    state.isRunning = true;
    CheckError(AudioQueueStart(state.queue, NULL), "starting");
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, atof(argv[2]), false);

    CheckError(AudioQueueStop(state.queue, true), "stopping");
    state.isRunning = false;
    SetMagicCookieForFile(state.queue, state.audioFile);    /* some encoders know it all only now */
    AudioQueueDispose(state.queue, true);
    CheckError(AudioFileClose(state.audioFile), "closing the file");
    return 0;
}
