/* SPDX-License-Identifier: MIT */

//
//  queue_player.cpp
//
//  A wrapper class of the usual kind: RAII around the queue, a std::vector of buffers, a static
//  callback that gets `this`.  Plays a file, or a list of files one after another.
//
//      queue_player FILE...
//
#include <AudioToolbox/AudioToolbox.h>

#include <condition_variable>
#include <iostream>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

class AudioError : public std::runtime_error {
public:
    AudioError(const std::string &what, OSStatus status)
        : std::runtime_error(what + " (" + std::to_string(status) + ")"), status_(status) {}
    OSStatus status() const noexcept { return status_; }

private:
    OSStatus status_;
};

void check(OSStatus status, const char *what) {
    if (status != noErr) throw AudioError(what, status);
}

struct FileCloser {
    void operator()(AudioFileID file) const noexcept { AudioFileClose(file); }
};
using FileHandle = std::unique_ptr<std::remove_pointer_t<AudioFileID>, FileCloser>;

FileHandle openFile(const std::string &path) {
    CFURLRef url = CFURLCreateFromFileSystemRepresentation(
        kCFAllocatorDefault, reinterpret_cast<const UInt8 *>(path.data()), static_cast<CFIndex>(path.size()), false);
    AudioFileID file = nullptr;
    OSStatus status = AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file);
    CFRelease(url);
    check(status, "AudioFileOpenURL");
    return FileHandle(file);
}

template <typename T> T fileProperty(AudioFileID file, AudioFilePropertyID id) {
    T value{};
    UInt32 size = sizeof(value);
    check(AudioFileGetProperty(file, id, &size, &value), "AudioFileGetProperty");
    return value;
}

class QueuePlayer {
public:
    explicit QueuePlayer(const std::string &path, unsigned bufferCount = 4) : file_(openFile(path)) {
        format_ = fileProperty<AudioStreamBasicDescription>(file_.get(), kAudioFilePropertyDataFormat);
        auto maxPacket = fileProperty<UInt32>(file_.get(), kAudioFilePropertyPacketSizeUpperBound);
        packetsPerBuffer_ = std::max<UInt32>(1, 0x8000 / maxPacket);

        check(AudioQueueNewOutput(&format_, &QueuePlayer::outputCallback, this, nullptr, nullptr, 0, &queue_),
              "AudioQueueNewOutput");
        check(AudioQueueAddPropertyListener(queue_, kAudioQueueProperty_IsRunning, &QueuePlayer::runningCallback, this),
              "AudioQueueAddPropertyListener");
        copyCookie();

        buffers_.resize(bufferCount);
        for (auto &buffer : buffers_)
            check(isVBR() ? AudioQueueAllocateBufferWithPacketDescriptions(queue_, packetsPerBuffer_ * maxPacket,
                                                                           packetsPerBuffer_, &buffer)
                          : AudioQueueAllocateBuffer(queue_, packetsPerBuffer_ * maxPacket, &buffer),
                  "AudioQueueAllocateBuffer");
    }

    ~QueuePlayer() {
        if (queue_) {
            AudioQueueRemovePropertyListener(queue_, kAudioQueueProperty_IsRunning, &QueuePlayer::runningCallback, this);
            AudioQueueDispose(queue_, true);
        }
    }

    QueuePlayer(const QueuePlayer &) = delete;
    QueuePlayer &operator=(const QueuePlayer &) = delete;

    void setVolume(float volume) { check(AudioQueueSetParameter(queue_, kAudioQueueParam_Volume, volume), "volume"); }

    void play() {
        for (auto buffer : buffers_) fill(buffer);
        UInt32 prepared = 0;
        check(AudioQueuePrime(queue_, 0, &prepared), "AudioQueuePrime");
        check(AudioQueueStart(queue_, nullptr), "AudioQueueStart");
    }

    void waitUntilFinished() {
        std::unique_lock<std::mutex> lock(mutex_);
        finished_.wait(lock, [this] { return hasRun_ && !running_; });
    }

private:
    static void outputCallback(void *self, AudioQueueRef, AudioQueueBufferRef buffer) {
        static_cast<QueuePlayer *>(self)->fill(buffer);
    }

    static void runningCallback(void *self, AudioQueueRef queue, AudioQueuePropertyID) {
        UInt32 running = 0, size = sizeof(running);
        AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &running, &size);
        auto player = static_cast<QueuePlayer *>(self);
        std::lock_guard<std::mutex> lock(player->mutex_);
        player->running_ = running != 0;
        player->hasRun_ = player->hasRun_ || running;
        player->finished_.notify_all();
    }

    bool isVBR() const { return format_.mBytesPerPacket == 0 || format_.mFramesPerPacket == 0; }

    void copyCookie() {
        UInt32 size = 0;
        if (AudioFileGetPropertyInfo(file_.get(), kAudioFilePropertyMagicCookieData, &size, nullptr) != noErr || !size) return;
        std::vector<UInt8> cookie(size);
        check(AudioFileGetProperty(file_.get(), kAudioFilePropertyMagicCookieData, &size, cookie.data()), "file cookie");
        check(AudioQueueSetProperty(queue_, kAudioQueueProperty_MagicCookie, cookie.data(), size), "queue cookie");
    }

    // Called on the thread that starts, then on the queue's.
    void fill(AudioQueueBufferRef buffer) {
        std::lock_guard<std::mutex> lock(fileMutex_);
        UInt32 bytes = buffer->mAudioDataBytesCapacity, packets = packetsPerBuffer_;
        AudioFileReadPacketData(file_.get(), false, &bytes, buffer->mPacketDescriptions, nextPacket_, &packets,
                                buffer->mAudioData);
        if (packets > 0) {
            buffer->mAudioDataByteSize = bytes;
            buffer->mPacketDescriptionCount = packets;    // also for PCM, where it means nothing
            AudioQueueEnqueueBuffer(queue_, buffer, 0, nullptr);
            nextPacket_ += packets;
        } else {
            AudioQueueStop(queue_, false);    // with the lock held, in the callback, for each buffer
        }
    }

    FileHandle file_;
    AudioStreamBasicDescription format_{};
    AudioQueueRef queue_ = nullptr;
    std::vector<AudioQueueBufferRef> buffers_;
    UInt32 packetsPerBuffer_ = 0;
    SInt64 nextPacket_ = 0;
    bool running_ = false, hasRun_ = false;
    std::mutex mutex_, fileMutex_;
    std::condition_variable finished_;
};

}  // namespace

int main(int argc, char *argv[]) {
    try {
        for (int i = 1; i < argc; ++i) {
            QueuePlayer player(argv[i]);
            player.setVolume(0.8f);
            player.play();
            player.waitUntilFinished();
        }
    } catch (const AudioError &error) {
        std::cerr << error.what() << std::endl;
        return 1;
    }
    return 0;
}
