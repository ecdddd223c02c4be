/* SPDX-License-Identifier: MIT */

// capture.cpp
// An input class with exceptions in the manner of the old sample code: macros that throw, a record class
// with a C string file name, a level meter that somebody polls, restart after a stop.
//
//     capture FILE.caf SECONDS [TAKES]
//
// Each take is appended to the same file.

#include <AudioToolbox/AudioFile.h>
#include <AudioToolbox/AudioQueue.h>
#include <CoreAudio/CoreAudioTypes.h>
#include <CoreFoundation/CoreFoundation.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

class CaptureException {
public:
    CaptureException(const char *operation, OSStatus error) : mOperation(operation), mError(error) {}
    const char *mOperation;
    const OSStatus mError;
};

#define ThrowIfError(expression, operation)                         \
    do {                                                            \
        OSStatus status__ = (expression);                           \
        if (status__) throw CaptureException(operation, status__);  \
    } while (0)

class Capture {
public:
    static const int kNumberRecordBuffers = 3;

    Capture() { memset(&mFormat, 0, sizeof(mFormat)); }
    ~Capture() {
        if (mQueue) AudioQueueDispose(mQueue, TRUE);
        if (mFile) AudioFileClose(mFile);
    }

    void Open(const char *path) {
        mFormat.mFormatID = kAudioFormatLinearPCM;
        mFormat.mSampleRate = 0;      // as the hardware has it
        mFormat.mChannelsPerFrame = 1;
        mFormat.mFormatFlags = kLinearPCMFormatFlagIsSignedInteger;
        mFormat.mBitsPerChannel = 16;
        mFormat.mBytesPerPacket = mFormat.mBytesPerFrame = (mFormat.mBitsPerChannel / 8) * mFormat.mChannelsPerFrame;
        mFormat.mFramesPerPacket = 1;

        ThrowIfError(AudioQueueNewInput(&mFormat, InputHandler, this, NULL, NULL, 0, &mQueue), "AudioQueueNewInput");
        UInt32 size = sizeof(mFormat);
        ThrowIfError(AudioQueueGetProperty(mQueue, kAudioQueueProperty_StreamDescription, &mFormat, &size),
                     "StreamDescription");

        CFStringRef name = CFStringCreateWithCString(kCFAllocatorDefault, path, kCFStringEncodingUTF8);
        CFURLRef url = CFURLCreateWithFileSystemPath(kCFAllocatorDefault, name, kCFURLPOSIXPathStyle, FALSE);
        OSStatus status = AudioFileCreateWithURL(url, kAudioFileCAFType, &mFormat, kAudioFileFlags_EraseFile, &mFile);
        CFRelease(url);
        CFRelease(name);
        ThrowIfError(status, "AudioFileCreateWithURL");

        for (int i = 0; i < kNumberRecordBuffers; ++i)
            ThrowIfError(AudioQueueAllocateBuffer(mQueue, BufferSize(.1f), &mBuffers[i]), "AudioQueueAllocateBuffer");

        UInt32 on = 1;
        ThrowIfError(AudioQueueSetProperty(mQueue, kAudioQueueProperty_EnableLevelMetering, &on, sizeof(UInt32)),
                     "EnableLevelMetering");
    }

    void Start() {
        for (int i = 0; i < kNumberRecordBuffers; ++i)
            ThrowIfError(AudioQueueEnqueueBuffer(mQueue, mBuffers[i], 0, NULL), "AudioQueueEnqueueBuffer");
        mRunning = true;
        mTakeStart = -1;
        ThrowIfError(AudioQueueStart(mQueue, NULL), "AudioQueueStart");
    }

    void Stop() {
        mRunning = false;
        ThrowIfError(AudioQueueStop(mQueue, TRUE), "AudioQueueStop");
    }

    // Swallows the error, as meters do.
    float Level() const {
        AudioQueueLevelMeterState state[1];
        UInt32 size = sizeof(state);
        if (AudioQueueGetProperty(mQueue, kAudioQueueProperty_CurrentLevelMeterDB, state, &size)) return -120;
        return state[0].mAveragePower;
    }

    Float64 SampleRate() const { return mFormat.mSampleRate; }
    SInt64 Packets() const { return mRecordPacket; }
    Float64 TakeStart() const { return mTakeStart; }

private:
    UInt32 BufferSize(float seconds) const {
        return UInt32(std::ceil(seconds * mFormat.mSampleRate)) * mFormat.mBytesPerFrame;
    }

    static void InputHandler(void *inUserData, AudioQueueRef inAQ, AudioQueueBufferRef inBuffer,
                             const AudioTimeStamp *inStartTime, UInt32 inNumPackets,
                             const AudioStreamPacketDescription *inPacketDesc) {
        Capture *self = reinterpret_cast<Capture *>(inUserData);
        try {
            if (self->mTakeStart < 0) self->mTakeStart = inStartTime->mSampleTime;
            if (inNumPackets > 0) {
                ThrowIfError(AudioFileWritePackets(self->mFile, FALSE, inBuffer->mAudioDataByteSize, inPacketDesc,
                                                   self->mRecordPacket, &inNumPackets, inBuffer->mAudioData),
                             "AudioFileWritePackets");
                self->mRecordPacket += inNumPackets;
            }
            if (self->mRunning)
                ThrowIfError(AudioQueueEnqueueBuffer(inAQ, inBuffer, 0, NULL), "AudioQueueEnqueueBuffer");
        } catch (const CaptureException &e) {
            fprintf(stderr, "callback: %s (%d)\n", e.mOperation, (int)e.mError);
        }
    }

    AudioQueueRef mQueue = nullptr;
    AudioQueueBufferRef mBuffers[kNumberRecordBuffers];
    AudioFileID mFile = nullptr;
    AudioStreamBasicDescription mFormat;
    std::atomic<bool> mRunning{false};
    std::atomic<SInt64> mRecordPacket{0};
    std::atomic<Float64> mTakeStart{-1};
};

int main(int argc, char *argv[]) {
    if (argc < 3) return 64;
    int takes = argc > 3 ? std::atoi(argv[3]) : 1;
    try {
        Capture capture;
        float loudest = -120;
        capture.Open(argv[1]);
        for (int take = 0; take < takes; ++take) {
            capture.Start();
            for (int tick = 0; tick < std::atof(argv[2]) * 20; ++tick) {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                loudest = std::max(loudest, capture.Level());
            }
            capture.Stop();
            std::printf("take %d began at %.0f\n", take + 1, capture.TakeStart());   // 0 each time
        }
        std::printf("%lld frames at %.0f Hz, loudest %.1f dB\n", (long long)capture.Packets(), capture.SampleRate(), loudest);
    } catch (const CaptureException &e) {
        fprintf(stderr, "%s (%d)\n", e.mOperation, (int)e.mError);
        return 1;
    }
    return 0;
}
