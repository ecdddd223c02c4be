/* SPDX-License-Identifier: MIT */

/*
 * emulator_sound.cpp
 *
 * The sound driver of an emulator.  A thread of its own runs the run loop that the callbacks come on; the
 * machine writes samples at its own pace and waits when it is too far ahead.  Underruns are silence, and so is
 * what is asked for before the machine was that far ahead once: a library may ask for a lot at the start.
 *
 *     emulator_sound [SECONDS [BUFFER-FRAMES]]
 */
#include <AudioToolbox/AudioToolbox.h>
#include <CoreFoundation/CoreFoundation.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

class SoundDriver {
public:
    bool open(int rate, UInt32 bufferFrames) {
        bufferFrames_ = bufferFrames;
        memset(&format_, 0, sizeof format_);
        format_.mSampleRate = rate;
        format_.mFormatID = kAudioFormatLinearPCM;
        format_.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian;
        format_.mChannelsPerFrame = 2;
        format_.mBitsPerChannel = 16;
        format_.mBytesPerPacket = format_.mBytesPerFrame = 4;
        format_.mFramesPerPacket = 1;

        thread_ = std::thread([this] { run(); });
        std::unique_lock<std::mutex> lock(mutex_);
        ready_.wait(lock, [this] { return opened_ != 0; });
        return opened_ > 0;
    }

    // Waits while more than a tenth of a second is waiting to be heard.
    void write(const int16_t *samples, size_t frames) {
        std::unique_lock<std::mutex> lock(mutex_);
        auto hasSpace = [this] { return pending_.size() < format_.mSampleRate / 10 * 2; };
        if (!hasSpace()) ahead_ = true;
        space_.wait(lock, hasSpace);
        pending_.insert(pending_.end(), samples, samples + frames * 2);
    }

    void close() {
        {
            std::unique_lock<std::mutex> lock(mutex_);
            closing_ = true;
        }
        // Let what is written be heard, then stop in the order that does not stall: flush, stop, dispose, join.
        while (true) {
            std::unique_lock<std::mutex> lock(mutex_);
            if (pending_.empty()) break;
            lock.unlock();
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        AudioQueueFlush(queue_);
        AudioQueueStop(queue_, false);
        AudioQueueDispose(queue_, false);
        std::this_thread::sleep_for(std::chrono::milliseconds(250));
        shutdown_ = true;
        CFRunLoopStop(loop_);
        thread_.join();
        CFRelease(loop_);
    }

    int underruns() const { return underruns_; }

private:
    void run() {
        // More than two buffers where they are small: there has to be something to play while one is filled.
        double msecs = bufferFrames_ * 1000.0 / format_.mSampleRate;
        int count = 3;
        if (msecs < 15.0) count = int(15.0 / msecs + 0.5) * 2;
        // It is stopped by another thread, and must not end with this one before.
        loop_ = (CFRunLoopRef)CFRetain(CFRunLoopGetCurrent());
        OSStatus result = AudioQueueNewOutput(&format_, outputCallback, this, loop_, kCFRunLoopDefaultMode, 0, &queue_);
        for (int i = 0; i < count && result == noErr; i++) {
            AudioQueueBufferRef buffer;
            result = AudioQueueAllocateBuffer(queue_, bufferFrames_ * format_.mBytesPerFrame, &buffer);
            if (result != noErr) break;
            memset(buffer->mAudioData, 0, buffer->mAudioDataBytesCapacity);
            buffer->mAudioDataByteSize = buffer->mAudioDataBytesCapacity;
            result = AudioQueueEnqueueBuffer(queue_, buffer, 0, nullptr);
        }
        if (result == noErr) result = AudioQueueStart(queue_, nullptr);
        {
            std::lock_guard<std::mutex> lock(mutex_);
            opened_ = result == noErr ? 1 : -1;
        }
        ready_.notify_all();
        while (!shutdown_) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.10, 1);
    }

    static void outputCallback(void *data, AudioQueueRef queue, AudioQueueBufferRef buffer) {
        auto self = static_cast<SoundDriver *>(data);
        auto out = static_cast<int16_t *>(buffer->mAudioData);
        size_t wanted = buffer->mAudioDataBytesCapacity / 2;
        {
            std::lock_guard<std::mutex> lock(self->mutex_);
            size_t have = self->ahead_ || self->closing_ ? std::min(wanted, self->pending_.size()) : 0;
            std::copy(self->pending_.begin(), self->pending_.begin() + have, out);
            self->pending_.erase(self->pending_.begin(), self->pending_.begin() + have);
            std::fill(out + have, out + wanted, 0);
            if (have < wanted && self->ahead_ && !self->closing_) self->underruns_++;
        }
        self->space_.notify_one();
        buffer->mAudioDataByteSize = buffer->mAudioDataBytesCapacity;
        AudioQueueEnqueueBuffer(queue, buffer, 0, nullptr);     // -66632 while it stops
    }

    AudioStreamBasicDescription format_;
    AudioQueueRef queue_ = nullptr;
    CFRunLoopRef loop_ = nullptr;
    UInt32 bufferFrames_ = 0;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable ready_, space_;
    std::deque<int16_t> pending_;
    int opened_ = 0, underruns_ = 0;
    bool ahead_ = false;
    volatile bool closing_ = false, shutdown_ = false;
};

int main(int argc, char **argv) {
    double seconds = argc > 1 ? std::atof(argv[1]) : 2;
    UInt32 bufferFrames = argc > 2 ? std::atoi(argv[2]) : 512;
    SoundDriver driver;
    if (!driver.open(44100, bufferFrames)) {
        std::fprintf(stderr, "no sound\n");
        return 1;
    }
    // The "machine": a square wave of 440 Hz, 735 frames for each of sixty pictures a second.
    std::vector<int16_t> samples(735 * 2);
    unsigned phase = 0;
    for (int picture = 0; picture < seconds * 60; picture++) {
        for (size_t i = 0; i < 735; i++, phase += 440)
            samples[2 * i] = samples[2 * i + 1] = (phase / 22050) % 2 ? 5000 : -5000;
        driver.write(samples.data(), 735);
    }
    driver.close();
    std::printf("%d underruns\n", driver.underruns());
    return 0;
}
