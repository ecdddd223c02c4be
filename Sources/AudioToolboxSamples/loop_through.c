/* SPDX-License-Identifier: MIT */

/* Plays what the default input captures, without the echo of the loudspeaker.
 *
 *     cc loop_through.c -o loop_through $(pkg-config --cflags --libs audiotoolbox)
 *     ./loop_through 10
 *
 * The unit cancels echoes, so that a loudspeaker beside the microphone does not howl. "plain" as the second argument
 * selects the unit without voice processing. */
#include <AudioToolbox/AudioToolbox.h>
#include <AudioUnit/AudioUnit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { input_bus = 1, output_bus = 0, most_frames = 4096 };

struct loop {
    AudioUnit unit;
    atomic_ullong frames;
    atomic_int failure; /* the last status of a slice that could not be captured */
};

static void check(OSStatus status, const char *what)
{
    if (status == noErr) return;
    fprintf(stderr, "loop_through: cannot %s (error %d)\n", what, (int)status);
    exit(EXIT_FAILURE);
}

/* Renders a slice of the output: the captured frames, straight into the memory of the output. */
static OSStatus pass(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                     UInt32 frames, AudioBufferList *data)
{
    struct loop *loop = context;
    (void)bus;
    OSStatus status = AudioUnitRender(loop->unit, flags, time, input_bus, frames, data);
    if (status != noErr) {
        atomic_store(&loop->failure, status);
        for (UInt32 i = 0; i < data->mNumberBuffers; i++)
            memset(data->mBuffers[i].mData, 0, data->mBuffers[i].mDataByteSize);
        *flags |= kAudioUnitRenderAction_OutputIsSilence;
    }
    atomic_fetch_add(&loop->frames, frames);
    return noErr;
}

static AudioUnit make_unit(OSType subtype)
{
    AudioComponentDescription wanted = {
        .componentType = kAudioUnitType_Output,
        .componentSubType = subtype,
        .componentManufacturer = kAudioUnitManufacturer_Apple,
    };
    AudioComponent component = AudioComponentFindNext(NULL, &wanted);
    AudioUnit unit = NULL;
    UInt32 on = 1;
    check(component == NULL ? -1 : noErr, "find the I/O unit");
    check(AudioComponentInstanceNew(component, &unit), "make the I/O unit");
    check(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, input_bus, &on,
                               sizeof on),
          "enable the input");
    check(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, output_bus, &on,
                               sizeof on),
          "enable the output");
    return unit;
}

/* Sets one format for what is captured and what is played. */
static void set_format(AudioUnit unit)
{
    UInt32 most = most_frames;
    AudioStreamBasicDescription format = {
        .mSampleRate = 48000,
        .mFormatID = kAudioFormatLinearPCM,
        .mFormatFlags = kAudioFormatFlagsNativeFloatPacked,
        .mBytesPerPacket = sizeof(Float32),
        .mFramesPerPacket = 1,
        .mBytesPerFrame = sizeof(Float32),
        .mChannelsPerFrame = 1,
        .mBitsPerChannel = 8 * sizeof(Float32),
    };
    check(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, input_bus, &format,
                               sizeof format),
          "set the format of the input");
    check(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, output_bus, &format,
                               sizeof format),
          "set the format of the output");
    check(AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &most,
                               sizeof most),
          "set the longest slice");
}

int main(int argc, char **argv)
{
    static struct loop loop;
    double seconds = argc >= 2 ? atof(argv[1]) : 0;
    int is_plain = argc == 3 && strcmp(argv[2], "plain") == 0;
    if (!(seconds > 0 && seconds < 86400) || argc > 2 + is_plain)
        return fprintf(stderr, "usage: loop_through SECONDS [plain]\n"), 64;

    loop.unit = make_unit(is_plain ? kAudioUnitSubType_RemoteIO : kAudioUnitSubType_VoiceProcessingIO);
    set_format(loop.unit);
    AURenderCallbackStruct callback = {pass, &loop};
    check(AudioUnitSetProperty(loop.unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, output_bus,
                               &callback, sizeof callback),
          "set the callback");
    check(AudioUnitInitialize(loop.unit), "initialize the I/O unit");
    check(AudioOutputUnitStart(loop.unit), "start the I/O unit");
    struct timespec time = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
    check(AudioOutputUnitStop(loop.unit), "stop the I/O unit");
    check(AudioUnitUninitialize(loop.unit), "uninitialize the I/O unit");
    check(AudioComponentInstanceDispose(loop.unit), "end the I/O unit");
    check(atomic_load(&loop.failure), "fetch captured audio");
    printf("%llu frames\n", (unsigned long long)atomic_load(&loop.frames));
    return EXIT_SUCCESS;
}
