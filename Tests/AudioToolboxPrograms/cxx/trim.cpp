/* SPDX-License-Identifier: MIT */

// trim.cpp
// Cuts a piece out of a sound file with ExtAudioFile, to the frame, and tells what it did.
//
//     trim INPUT OUTPUT.(wav|aif|caf) FIRST-FRAME FRAMES
//
// Reads float, writes what it read through an asynchronous writer; the input is opened as an AudioFile first.

#include <AudioToolbox/AudioToolbox.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

[[noreturn]] void fail(const char *what, OSStatus status) {
    std::fprintf(stderr, "%s: %d\n", what, static_cast<int>(status));
    std::exit(1);
}

CFURLRef makeURL(const std::string &path) {
    return CFURLCreateFromFileSystemRepresentation(nullptr, reinterpret_cast<const UInt8 *>(path.c_str()),
                                                   static_cast<CFIndex>(path.size()), false);
}

AudioFileTypeID typeFor(const std::string &path) {
    auto ends = [&](const char *suffix) {
        auto length = std::strlen(suffix);
        return path.size() >= length && path.compare(path.size() - length, length, suffix) == 0;
    };
    return ends(".wav") ? kAudioFileWAVEType : ends(".aif") || ends(".aiff") ? kAudioFileAIFFType : kAudioFileCAFType;
}

}  // namespace

int main(int argc, char *argv[]) {
    if (argc != 5) return 64;
    const SInt64 first = std::atoll(argv[3]);
    SInt64 left = std::atoll(argv[4]);

    AudioFileID file = nullptr;
    CFURLRef url = makeURL(argv[1]);
    if (OSStatus status = AudioFileOpenURL(url, kAudioFileReadPermission, 0, &file)) fail("open", status);
    CFRelease(url);
    ExtAudioFileRef input = nullptr, output = nullptr;
    if (OSStatus status = ExtAudioFileWrapAudioFileID(file, false, &input)) fail("wrap", status);

    AudioStreamBasicDescription source;
    UInt32 size = sizeof(source);
    ExtAudioFileGetProperty(input, kExtAudioFileProperty_FileDataFormat, &size, &source);
    SInt64 length = 0;
    size = sizeof(length);
    ExtAudioFileGetProperty(input, kExtAudioFileProperty_FileLengthFrames, &size, &length);

    AudioStreamBasicDescription client;
    FillOutASBDForLPCM(client, source.mSampleRate, source.mChannelsPerFrame, 32, 32, true, false);
    if (OSStatus status = ExtAudioFileSetProperty(input, kExtAudioFileProperty_ClientDataFormat, sizeof(client), &client))
        fail("client format", status);

    AudioFileTypeID type = typeFor(argv[2]);
    AudioStreamBasicDescription target;
    FillOutASBDForLPCM(target, source.mSampleRate, source.mChannelsPerFrame, 16, 16, false, type == kAudioFileAIFFType);
    url = makeURL(argv[2]);
    if (OSStatus status = ExtAudioFileCreateWithURL(url, type, &target, nullptr, kAudioFileFlags_EraseFile, &output))
        fail("create", status);
    CFRelease(url);
    ExtAudioFileSetProperty(output, kExtAudioFileProperty_ClientDataFormat, sizeof(client), &client);
    ExtAudioFileWriteAsync(output, 0, nullptr);      // makes its buffers now

    if (OSStatus status = ExtAudioFileSeek(input, first)) fail("seek", status);
    SInt64 position = -1;
    ExtAudioFileTell(input, &position);
    std::vector<float> samples(4096 * client.mChannelsPerFrame);
    SInt64 written = 0;
    while (left > 0) {
        AudioBufferList list;
        list.mNumberBuffers = 1;
        list.mBuffers[0].mNumberChannels = client.mChannelsPerFrame;
        list.mBuffers[0].mDataByteSize = static_cast<UInt32>(samples.size() * sizeof(float));
        list.mBuffers[0].mData = samples.data();
        UInt32 frames = static_cast<UInt32>(std::min<SInt64>(left, 4096));
        if (OSStatus status = ExtAudioFileRead(input, &frames, &list)) fail("read", status);
        if (frames == 0) break;
        OSStatus status = ExtAudioFileWriteAsync(output, frames, &list);
        for (int tries = 0; status == kExtAudioFileError_AsyncWriteBufferOverflow && tries < 1000; ++tries)
            status = ExtAudioFileWriteAsync(output, frames, &list);
        if (status) fail("write", status);
        written += frames;
        left -= frames;
    }
    ExtAudioFileDispose(input);
    AudioFileClose(file);        // wrapped, so it is ours to close
    if (OSStatus status = ExtAudioFileDispose(output)) fail("close", status);
    std::printf("%lld of %lld frames, from %lld\n", (long long)written, (long long)length, (long long)position);
    return 0;
}
