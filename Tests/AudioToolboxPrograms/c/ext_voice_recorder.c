/* SPDX-License-Identifier: MIT */

/*
 *  ext_voice_recorder.c
 *  VoiceMemo
 *
 *  Records mono PCM with an audio queue and lets ExtAudioFile do the encoding, in the callback.
 *
 *      ext_voice_recorder OUTPUT.(caf|m4a|aif|wav) SECONDS
 */
#include <AudioToolbox/AudioToolbox.h>
#include <AudioToolbox/ExtendedAudioFile.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct VoiceMemo {
    AudioQueueRef               queue;
    ExtAudioFileRef             file;
    AudioStreamBasicDescription client;
    pthread_mutex_t             lock;
    SInt64                      frames;
    OSStatus                    error;
} VoiceMemo;

static void InputReady(void *context, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *time,
                       UInt32 packetCount, const AudioStreamPacketDescription *packets)
{
    VoiceMemo *memo = context;
    AudioBufferList list;
    UInt32 frames = buffer->mAudioDataByteSize / memo->client.mBytesPerFrame;

    list.mNumberBuffers = 1;
    list.mBuffers[0].mNumberChannels = memo->client.mChannelsPerFrame;
    list.mBuffers[0].mDataByteSize = buffer->mAudioDataByteSize;
    list.mBuffers[0].mData = buffer->mAudioData;

    pthread_mutex_lock(&memo->lock);
    if (memo->file && frames) {
        OSStatus err = ExtAudioFileWrite(memo->file, frames, &list);
        if (err) memo->error = err; else memo->frames += frames;
    }
    pthread_mutex_unlock(&memo->lock);
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}

static OSStatus OpenFile(VoiceMemo *memo, const char *path)
{
    const char *ext = strrchr(path, '.');
    AudioFileTypeID type = kAudioFileCAFType;
    AudioStreamBasicDescription format = {0};
    UInt32 size = sizeof(format);

    format.mChannelsPerFrame = 1;
    format.mSampleRate = memo->client.mSampleRate;
    if (ext && !strcmp(ext, ".m4a")) {
        type = kAudioFileM4AType;
        format.mFormatID = kAudioFormatMPEG4AAC;
        AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, NULL, &size, &format);
    } else if (ext && !strcmp(ext, ".caf")) {
        format.mFormatID = kAudioFormatAppleIMA4;
        AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, NULL, &size, &format);
    } else {
        type = ext && !strcmp(ext, ".wav") ? kAudioFileWAVEType : kAudioFileAIFFType;
        format = memo->client;
        if (type == kAudioFileAIFFType) format.mFormatFlags |= kAudioFormatFlagIsBigEndian;
    }

    CFURLRef url = CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, strlen(path), false);
    OSStatus err = ExtAudioFileCreateWithURL(url, type, &format, NULL, kAudioFileFlags_EraseFile, &memo->file);
    CFRelease(url);
    if (err) return err;

    UInt32 codec = kAppleSoftwareAudioCodecManufacturer;
    ExtAudioFileSetProperty(memo->file, kExtAudioFileProperty_CodecManufacturer, sizeof(codec), &codec);
    err = ExtAudioFileSetProperty(memo->file, kExtAudioFileProperty_ClientDataFormat, sizeof(memo->client),
                                  &memo->client);
    if (err) return err;

    if (format.mFormatID == kAudioFormatMPEG4AAC) {
        AudioConverterRef converter = NULL;
        UInt32 bitRate = 64000;
        size = sizeof(converter);
        ExtAudioFileGetProperty(memo->file, kExtAudioFileProperty_AudioConverter, &size, &converter);
        if (converter && !AudioConverterSetProperty(converter, kAudioConverterEncodeBitRate, sizeof(bitRate), &bitRate)) {
            CFArrayRef config = NULL;       /* tells the file that the converter is another now */
            err = ExtAudioFileSetProperty(memo->file, kExtAudioFileProperty_ConverterConfig, sizeof(config), &config);
        }
    }
    return err;
}

int main(int argc, char *argv[])
{
    VoiceMemo memo = { .lock = PTHREAD_MUTEX_INITIALIZER };
    if (argc < 3) { printf("usage: ext_voice_recorder output seconds\n"); return 64; }

    memo.client.mSampleRate = 22050;
    memo.client.mFormatID = kAudioFormatLinearPCM;
    memo.client.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
    memo.client.mBitsPerChannel = 16;
    memo.client.mChannelsPerFrame = 1;
    memo.client.mFramesPerPacket = 1;
    memo.client.mBytesPerFrame = memo.client.mBytesPerPacket = 2;

    OSStatus err = OpenFile(&memo, argv[1]);
    if (err) { printf("cannot make the file: %d\n", (int)err); return 1; }
    err = AudioQueueNewInput(&memo.client, InputReady, &memo, NULL, NULL, 0, &memo.queue);
    if (err) { printf("cannot make the queue: %d\n", (int)err); return 1; }
    for (int i = 0; i < 5; i++) {
        AudioQueueBufferRef buffer;
        AudioQueueAllocateBuffer(memo.queue, 2205 * 2, &buffer);
        AudioQueueEnqueueBuffer(memo.queue, buffer, 0, NULL);
    }
    err = AudioQueueStart(memo.queue, NULL);
    if (err) { printf("cannot start: %d\n", (int)err); return 1; }

    /* Hold the first second, pause, and go on: a memo is rarely spoken in one go. */
    double seconds = atof(argv[2]);
    usleep(seconds / 2 * 1e6);
    AudioQueuePause(memo.queue);
    usleep(200000);
    AudioQueueStart(memo.queue, NULL);
    usleep(seconds / 2 * 1e6);
    AudioQueueStop(memo.queue, true);

    pthread_mutex_lock(&memo.lock);
    ExtAudioFileRef file = memo.file;
    memo.file = NULL;                       /* for callbacks that come late */
    pthread_mutex_unlock(&memo.lock);
    ExtAudioFileDispose(file);
    AudioQueueDispose(memo.queue, true);
    printf("%lld frames\n", (long long)memo.frames);
    return memo.error ? 1 : 0;
}
