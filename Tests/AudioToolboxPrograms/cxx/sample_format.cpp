// sample_format.cpp
// PCM to PCM in memory, as a codec library's glue code has it: a converter object that is re-used, one-to-one
// conversions of a buffer, planar and interleaved, and a channel map.  No sound; prints what does not agree.
//
//     sample_format

#include <AudioToolbox/AudioConverter.h>
#include <AudioToolbox/AudioFormat.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

struct Converter {
    Converter(const AudioStreamBasicDescription &from, const AudioStreamBasicDescription &to) {
        if (AudioConverterNew(&from, &to, &ref)) throw std::runtime_error("AudioConverterNew");
    }
    ~Converter() { AudioConverterDispose(ref); }
    Converter(const Converter &) = delete;
    AudioConverterRef ref = nullptr;
};

static AudioStreamBasicDescription pcm(UInt32 channels, UInt32 bits, AudioFormatFlags flags) {
    AudioStreamBasicDescription d{};
    d.mSampleRate = 48000;
    d.mFormatID = kAudioFormatLinearPCM;
    d.mFormatFlags = flags;
    d.mChannelsPerFrame = channels;
    d.mBitsPerChannel = bits;
    d.mFramesPerPacket = 1;
    d.mBytesPerFrame = bits / 8 * (flags & kAudioFormatFlagIsNonInterleaved ? 1 : channels);
    d.mBytesPerPacket = d.mBytesPerFrame;
    return d;
}

static int failures = 0;
#define EXPECT(condition) do { if (!(condition)) { std::printf("line %d: %s\n", __LINE__, #condition); failures++; } } while (0)

int main() {
    const UInt32 frames = 480;
    std::vector<int16_t> stereo(frames * 2);
    for (UInt32 i = 0; i < frames; i++) {
        stereo[2 * i] = int16_t(16384 * std::sin(2 * M_PI * 1000 * i / 48000));
        stereo[2 * i + 1] = int16_t(i);
    }
    const auto int16 = pcm(2, 16, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked);
    const auto planar = pcm(2, 32, kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved);

    // Interleaved 16-bit to interleaved float: bytes in, bytes out.
    {
        Converter converter(int16, pcm(2, 32, kAudioFormatFlagsNativeFloatPacked));
        std::vector<float> out(frames * 2);
        UInt32 size = UInt32(out.size() * 4);
        EXPECT(AudioConverterConvertBuffer(converter.ref, frames * 4, stereo.data(), &size, out.data()) == noErr);
        EXPECT(size == frames * 8);
        EXPECT(std::fabs(out[2 * 12] - stereo[2 * 12] / 32768.0f) < 1e-6);
        EXPECT(AudioConverterConvertBuffer(converter.ref, 3, stereo.data(), &size, out.data())
               == kAudioConverterErr_InvalidInputSize);
    }
    // To planar float, and back to big-endian 24-bit with the channels swapped.
    std::vector<float> left(frames), right(frames);
    auto list = std::unique_ptr<AudioBufferList, void (*)(void *)>(
        static_cast<AudioBufferList *>(std::calloc(1, sizeof(AudioBufferList) + sizeof(AudioBuffer))), std::free);
    list->mNumberBuffers = 2;
    list->mBuffers[0] = {1, frames * 4, left.data()};
    list->mBuffers[1] = {1, frames * 4, right.data()};
    {
        Converter converter(int16, planar);
        AudioBufferList in{1, {{2, frames * 4, stereo.data()}}};
        EXPECT(AudioConverterConvertComplexBuffer(converter.ref, frames, &in, list.get()) == noErr);
        EXPECT(std::fabs(right[100] - 100 / 32768.0f) < 1e-6);
    }
    {
        Converter converter(planar, pcm(2, 24, kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked | kAudioFormatFlagIsBigEndian));
        SInt32 map[2] = {1, 0};
        EXPECT(AudioConverterSetProperty(converter.ref, kAudioConverterChannelMap, sizeof(map), map) == noErr);
        std::vector<uint8_t> out(frames * 6);
        AudioBufferList packed{1, {{2, frames * 6, out.data()}}};
        EXPECT(AudioConverterConvertComplexBuffer(converter.ref, frames, list.get(), &packed) == noErr);
        EXPECT((out[100 * 6] << 16 | out[100 * 6 + 1] << 8 | out[100 * 6 + 2]) == 100 * 256);
        EXPECT(AudioConverterReset(converter.ref) == noErr);
        UInt32 size = 0;
        Boolean writable = false;
        EXPECT(AudioConverterGetPropertyInfo(converter.ref, kAudioConverterChannelMap, &size, &writable) == noErr);
        EXPECT(size == sizeof(map) && writable);
    }
    std::printf("%d failures\n", failures);
    return failures != 0;
}
