/* SPDX-License-Identifier: MIT */

/*
 * classic_player.c
 *
 * Plays one sound file, in the manner of the playback chapter of the Audio Queue programming guide:
 * a state structure, three buffers, a derived buffer size, a magic cookie, packet descriptions.
 *
 *     classic_player FILE
 */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int kNumberBuffers = 3;

struct PlayerState {
    AudioStreamBasicDescription   dataFormat;
    AudioQueueRef                 queue;
    AudioQueueBufferRef           buffers[3];
    AudioFileID                   audioFile;
    UInt32                        bufferByteSize;
    SInt64                        currentPacket;
    UInt32                        numPacketsToRead;
    AudioStreamPacketDescription *packetDescs;
    bool                          isRunning;      /* the queue still sounds   */
    bool                          isDone;         /* the file has been read   */
};

static void CheckError(OSStatus error, const char *operation)
{
    if (error == noErr) return;
    fprintf(stderr, "Error: %s (%d)\n", operation, (int)error);
    exit(1);
}

static void HandleOutputBuffer(void *userData, AudioQueueRef queue, AudioQueueBufferRef buffer)
{
    struct PlayerState *state = (struct PlayerState *)userData;
    UInt32 numBytes = 0;
    UInt32 numPackets = state->numPacketsToRead;

    if (state->isDone) return;

    /* The old call tells the bytes only on the way out. */
    AudioFileReadPackets(state->audioFile, false, &numBytes, state->packetDescs,
                         state->currentPacket, &numPackets, buffer->mAudioData);
    if (numPackets > 0) {
        buffer->mAudioDataByteSize = numBytes;
        AudioQueueEnqueueBuffer(queue, buffer, (state->packetDescs ? numPackets : 0), state->packetDescs);
        state->currentPacket += numPackets;
    } else {
        state->isDone = true;
        AudioQueueStop(queue, false);
    }
}

static void HandleIsRunning(void *userData, AudioQueueRef queue, AudioQueuePropertyID property)
{
    struct PlayerState *state = (struct PlayerState *)userData;
    UInt32 running = 0, size = sizeof(running);

    AudioQueueGetProperty(queue, property, &running, &size);
    state->isRunning = running != 0;
    if (!running) CFRunLoopStop(CFRunLoopGetMain());
}

/* How many bytes, and how many packets, make about `seconds` of sound. */
static void DeriveBufferSize(AudioStreamBasicDescription format, UInt32 maxPacketSize, Float64 seconds,
                             UInt32 *outBufferSize, UInt32 *outNumPackets)
{
    static const UInt32 maxBufferSize = 0x50000;
    static const UInt32 minBufferSize = 0x4000;

    if (format.mFramesPerPacket != 0) {
        Float64 packets = format.mSampleRate / format.mFramesPerPacket * seconds;
        *outBufferSize = (UInt32)(packets * maxPacketSize);
    } else {
        *outBufferSize = maxBufferSize > maxPacketSize ? maxBufferSize : maxPacketSize;
    }
    if (*outBufferSize > maxBufferSize && *outBufferSize > maxPacketSize)
        *outBufferSize = maxBufferSize;
    else if (*outBufferSize < minBufferSize)
        *outBufferSize = minBufferSize;
    *outNumPackets = *outBufferSize / maxPacketSize;
}

static void CopyCookieToQueue(AudioFileID file, AudioQueueRef queue)
{
    UInt32 cookieSize = 0;
    OSStatus noCookie = AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &cookieSize, NULL);

    if (noCookie == noErr && cookieSize > 0) {
        char *cookie = (char *)malloc(cookieSize);
        CheckError(AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &cookieSize, cookie),
                   "reading the file's cookie");
        CheckError(AudioQueueSetProperty(queue, kAudioQueueProperty_MagicCookie, cookie, cookieSize),
                   "giving the queue its cookie");
        free(cookie);
    }
}

int main(int argc, const char *argv[])
{
    struct PlayerState state;
    memset(&state, 0, sizeof(state));
    if (argc != 2) {
        fprintf(stderr, "usage: %s file\n", argv[0]);
        return 64;
    }

    CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)argv[1], strlen(argv[1]), false);
    OSStatus opened = AudioFileOpenURL(url, kAudioFileReadPermission, 0, &state.audioFile);
    CFRelease(url);
    CheckError(opened, "opening the file");

    UInt32 size = sizeof(state.dataFormat);
    CheckError(AudioFileGetProperty(state.audioFile, kAudioFilePropertyDataFormat, &size, &state.dataFormat),
               "asking for the file's format");

    CheckError(AudioQueueNewOutput(&state.dataFormat, HandleOutputBuffer, &state, CFRunLoopGetCurrent(),
                                   kCFRunLoopCommonModes, 0, &state.queue),
               "making the queue");

    UInt32 maxPacketSize = 0;
    size = sizeof(maxPacketSize);
    CheckError(AudioFileGetProperty(state.audioFile, kAudioFilePropertyPacketSizeUpperBound, &size, &maxPacketSize),
               "asking for the largest packet");
    DeriveBufferSize(state.dataFormat, maxPacketSize, 0.5, &state.bufferByteSize, &state.numPacketsToRead);

    bool isFormatVBR = state.dataFormat.mBytesPerPacket == 0 || state.dataFormat.mFramesPerPacket == 0;
    if (isFormatVBR)
        state.packetDescs = (AudioStreamPacketDescription *)
            malloc(state.numPacketsToRead * sizeof(AudioStreamPacketDescription));
    CopyCookieToQueue(state.audioFile, state.queue);
    AudioQueueAddPropertyListener(state.queue, kAudioQueueProperty_IsRunning, HandleIsRunning, &state);

    state.currentPacket = 0;
    for (int i = 0; i < kNumberBuffers; ++i) {
        CheckError(AudioQueueAllocateBuffer(state.queue, state.bufferByteSize, &state.buffers[i]), "allocating");
        HandleOutputBuffer(&state, state.queue, state.buffers[i]);
    }
    AudioQueueSetParameter(state.queue, kAudioQueueParam_Volume, 1.0);

    /* A file shorter than the buffers has been stopped above, before it began: stop it again later. */
    bool wasShort = state.isDone;
    state.isRunning = true;
    CheckError(AudioQueueStart(state.queue, NULL), "starting");
    if (wasShort) AudioQueueStop(state.queue, false);
    do {
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.25, false);
    } while (state.isRunning);

    AudioQueueDispose(state.queue, true);
    AudioFileClose(state.audioFile);
    free(state.packetDescs);
    return 0;
}
