/* SPDX-License-Identifier: MIT */

/*
    runloop_recorder.c -- a command line recorder, all of it on the main run loop.

        runloop_recorder [-f aac|alac|ima4|lpcm] [-c CHANNELS] [-r RATE] [-q QUALITY] -d SECONDS FILE

    The file's kind follows its name.  Loops in CFRunLoopRunInMode and counts what it handled.
*/
#include <AudioToolbox/AudioToolbox.h>
#include <CoreFoundation/CoreFoundation.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define kNumberRecordBuffers    3

static void usage(void)
{
    fprintf(stderr, "usage: runloop_recorder [-f format] [-c channels] [-r rate] -d seconds file\n");
    exit(2);
}

static void check(OSStatus err, const char *what)
{
    if (err == noErr) return;
    fprintf(stderr, "runloop_recorder: %s failed: %ld\n", what, (long)err);
    exit(1);
}

typedef struct MyRecorder {
    AudioQueueRef   queue;
    CFAbsoluteTime  queueStartStopTime;
    AudioFileID     recordFile;
    SInt64          recordPacket;
    Boolean         running, verbose;
} MyRecorder;

static AudioFileTypeID TypeForExtension(const char *path)
{
    const char *dot = strrchr(path, '.');
    UInt32 types[8], size = sizeof(types);
    if (!dot) return kAudioFileCAFType;
    CFStringRef extension = CFStringCreateWithCString(NULL, dot + 1, kCFStringEncodingUTF8);
    OSStatus err = AudioFileGetGlobalInfo(kAudioFileGlobalInfo_TypesForExtension, sizeof(extension),
                                          &extension, &size, types);
    CFRelease(extension);
    return err || size < 4 ? kAudioFileCAFType : types[0];
}

// what most recorders of the time did: take the converter's cookie through the queue
static void MyCopyEncoderCookieToFile(AudioQueueRef theQueue, AudioFileID theFile)
{
    UInt32 propertySize;
    if (AudioQueueGetPropertySize(theQueue, kAudioConverterCompressionMagicCookie, &propertySize) == noErr
        && propertySize > 0) {
        void *magicCookie = malloc(propertySize);
        check(AudioQueueGetProperty(theQueue, kAudioConverterCompressionMagicCookie, magicCookie, &propertySize),
              "get audio queue's magic cookie");
        UInt32 willEatTheCookie = 0;
        OSStatus err = AudioFileGetPropertyInfo(theFile, kAudioFilePropertyMagicCookieData, NULL, &willEatTheCookie);
        if (err == noErr && willEatTheCookie)
            check(AudioFileSetProperty(theFile, kAudioFilePropertyMagicCookieData, propertySize, magicCookie),
                  "set audio file's magic cookie");
        free(magicCookie);
    }
}

static void MyInputBufferHandler(void *inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer,
                                 const AudioTimeStamp *inStartTime, UInt32 inNumPackets,
                                 const AudioStreamPacketDescription *inPacketDesc)
{
    MyRecorder *aqr = (MyRecorder *)inUserData;

    if (aqr->verbose)
        printf("buf data %p, 0x%x bytes, 0x%x packets, time %.0f\n", inBuffer->mAudioData,
               (int)inBuffer->mAudioDataByteSize, (int)inNumPackets, inStartTime->mSampleTime);
    if (inNumPackets > 0) {
        check(AudioFileWritePackets(aqr->recordFile, FALSE, inBuffer->mAudioDataByteSize, inPacketDesc,
                                    aqr->recordPacket, &inNumPackets, inBuffer->mAudioData), "AudioFileWritePackets");
        aqr->recordPacket += inNumPackets;
    }
    if (aqr->running) check(AudioQueueEnqueueBuffer(inAQ, inBuffer, 0, NULL), "AudioQueueEnqueueBuffer");
}

static void MyPropertyListenerProc(void *userData, AudioQueueRef queue, AudioQueuePropertyID id)
{
    MyRecorder *aqr = (MyRecorder *)userData;
    if (id == kAudioQueueProperty_IsRunning)
        aqr->queueStartStopTime = CFAbsoluteTimeGetCurrent();
}

static int MyComputeRecordBufferSize(const AudioStreamBasicDescription *format, AudioQueueRef queue, float seconds)
{
    int packets, frames, bytes;
    frames = (int)(seconds * format->mSampleRate + 0.999);
    if (format->mBytesPerFrame > 0)
        bytes = frames * format->mBytesPerFrame;
    else {
        UInt32 maxPacketSize, propertySize = sizeof(maxPacketSize);
        if (format->mBytesPerPacket > 0)
            maxPacketSize = format->mBytesPerPacket;
        else
            check(AudioQueueGetProperty(queue, kAudioQueueProperty_MaximumOutputPacketSize, &maxPacketSize,
                                        &propertySize), "get queue's maximum output packet size");
        packets = format->mFramesPerPacket > 0 ? frames / format->mFramesPerPacket : frames;
        if (packets == 0) packets = 1;
        bytes = packets * maxPacketSize;
    }
    return bytes;
}

int main(int argc, char * const argv[])
{
    MyRecorder aqr;
    AudioStreamBasicDescription recordFormat;
    float seconds = 0;
    int option, i, handled = 0;
    UInt32 size;
    const char *formatName = "lpcm";

    memset(&aqr, 0, sizeof(aqr));
    memset(&recordFormat, 0, sizeof(recordFormat));
    recordFormat.mChannelsPerFrame = 2;
    while ((option = getopt(argc, argv, "f:c:r:d:v")) != -1)
        switch (option) {
        case 'f': formatName = optarg; break;
        case 'c': recordFormat.mChannelsPerFrame = atoi(optarg); break;
        case 'r': recordFormat.mSampleRate = atof(optarg); break;
        case 'd': seconds = atof(optarg); break;
        case 'v': aqr.verbose = TRUE; break;
        default: usage();
        }
    if (optind != argc - 1 || seconds <= 0) usage();

    if (!strcmp(formatName, "aac")) recordFormat.mFormatID = kAudioFormatMPEG4AAC;
    else if (!strcmp(formatName, "alac")) recordFormat.mFormatID = kAudioFormatAppleLossless;
    else if (!strcmp(formatName, "ima4")) recordFormat.mFormatID = kAudioFormatAppleIMA4;
    else {
        recordFormat.mFormatID = kAudioFormatLinearPCM;
        recordFormat.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked;
        recordFormat.mBitsPerChannel = 16;
        recordFormat.mFramesPerPacket = 1;
        recordFormat.mBytesPerPacket = recordFormat.mBytesPerFrame = 2 * recordFormat.mChannelsPerFrame;
    }
    if (recordFormat.mFormatID != kAudioFormatLinearPCM) {
        size = sizeof(recordFormat);
        check(AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, NULL, &size, &recordFormat), "FormatInfo");
    }

    // rate 0: whatever the device runs at
    check(AudioQueueNewInput(&recordFormat, MyInputBufferHandler, &aqr, CFRunLoopGetCurrent(),
                             kCFRunLoopDefaultMode, 0, &aqr.queue), "AudioQueueNewInput");

    size = sizeof(recordFormat);
    check(AudioQueueGetProperty(aqr.queue, kAudioConverterCurrentOutputStreamDescription, &recordFormat, &size),
          "couldn't get queue's format");

    CFURLRef url = CFURLCreateFromFileSystemRepresentation(kCFAllocatorDefault, (const UInt8 *)argv[optind],
                                                           strlen(argv[optind]), FALSE);
    check(AudioFileCreateWithURL(url, TypeForExtension(argv[optind]), &recordFormat, kAudioFileFlags_EraseFile,
                                 &aqr.recordFile), "AudioFileCreateWithURL failed");
    CFRelease(url);
    MyCopyEncoderCookieToFile(aqr.queue, aqr.recordFile);

    int bufferByteSize = MyComputeRecordBufferSize(&recordFormat, aqr.queue, 0.5);
    for (i = 0; i < kNumberRecordBuffers; ++i) {
        AudioQueueBufferRef buffer;
        check(AudioQueueAllocateBuffer(aqr.queue, bufferByteSize, &buffer), "AudioQueueAllocateBuffer failed");
        check(AudioQueueEnqueueBuffer(aqr.queue, buffer, 0, NULL), "AudioQueueEnqueueBuffer failed");
    }

    aqr.running = TRUE;
    check(AudioQueueAddPropertyListener(aqr.queue, kAudioQueueProperty_IsRunning, MyPropertyListenerProc, &aqr),
          "AudioQueueAddPropertyListener");
    check(AudioQueueStart(aqr.queue, NULL), "AudioQueueStart failed");
    while (aqr.queueStartStopTime == 0)        // the listener must come, or this never ends
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 5.0, TRUE);
    CFAbsoluteTime stopTime = aqr.queueStartStopTime + seconds, now;
    while ((now = CFAbsoluteTimeGetCurrent()) < stopTime)
        if (CFRunLoopRunInMode(kCFRunLoopDefaultMode, stopTime - now, TRUE) == kCFRunLoopRunHandledSource)
            ++handled;

    aqr.running = FALSE;
    aqr.queueStartStopTime = 0;
    check(AudioQueueStop(aqr.queue, TRUE), "AudioQueueStop failed");
    now = CFAbsoluteTimeGetCurrent();
    while (aqr.queueStartStopTime == 0 && CFAbsoluteTimeGetCurrent() < now + 5)   // buffers before the listener
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.25, TRUE);

    MyCopyEncoderCookieToFile(aqr.queue, aqr.recordFile);
    check(AudioQueueRemovePropertyListener(aqr.queue, kAudioQueueProperty_IsRunning, MyPropertyListenerProc, &aqr),
          "AudioQueueRemovePropertyListener");
    AudioQueueDispose(aqr.queue, TRUE);
    AudioFileClose(aqr.recordFile);
    printf("%d sources handled, %lld packets\n", handled, (long long)aqr.recordPacket);
    return 0;
}
