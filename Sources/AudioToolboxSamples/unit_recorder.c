/* SPDX-License-Identifier: MIT */

/* Records the default input to a WAVE file by an I/O unit, and prints the time of each slice.
 *
 *     cc unit_recorder.c -o unit_recorder $(pkg-config --cflags --libs audiotoolbox)
 *     ./unit_recorder memo.wav 10
 *
 * A line has the number of the first frame, the number of frames, and the host time of the first frame in seconds. */
#include <AudioToolbox/AudioToolbox.h>
#include <AudioUnit/AudioUnit.h>
#include <mach/mach_time.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { input_bus = 1, output_bus = 0, most_frames = 4096, slice_count = 64 };

/* A captured slice, on its path from the unit's thread to the main thread. */
struct slice {
    Float64 sample_time;
    UInt64 host_time;
    UInt32 frames;
    SInt16 samples[most_frames];
};

struct recorder {
    AudioUnit unit;
    struct slice slices[slice_count];
    atomic_uint filled, emptied; /* the numbers of slices that each thread has finished */
    atomic_uint lost;
    atomic_int failure;
};

static void check(OSStatus status, const char *what)
{
    if (status == noErr) return;
    fprintf(stderr, "unit_recorder: cannot %s (error %d)\n", what, (int)status);
    exit(EXIT_FAILURE);
}

static double seconds_of(UInt64 host_time)
{
    mach_timebase_info_data_t scale;
    mach_timebase_info(&scale);
    return (double)host_time * scale.numer / scale.denom / 1e9;
}

/* Fetches a captured slice, on the unit's real-time thread: it does not wait, and the main thread writes the file. */
static OSStatus take(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                     UInt32 frames, AudioBufferList *data)
{
    struct recorder *recorder = context;
    unsigned filled = atomic_load_explicit(&recorder->filled, memory_order_relaxed);
    struct slice *slice = &recorder->slices[filled % slice_count];
    (void)data; /* NULL: the unit has the frames */
    if (frames > most_frames
        || filled - atomic_load_explicit(&recorder->emptied, memory_order_acquire) == slice_count) {
        atomic_fetch_add(&recorder->lost, frames);
        return noErr;
    }
    AudioBufferList list = {1, {{1, frames * (UInt32)sizeof(SInt16), slice->samples}}};
    OSStatus status = AudioUnitRender(recorder->unit, flags, time, bus, frames, &list);
    if (status != noErr) {
        atomic_store(&recorder->failure, status);
        return status;
    }
    slice->sample_time = time->mSampleTime;
    slice->host_time = time->mHostTime;
    slice->frames = frames;
    atomic_store_explicit(&recorder->filled, filled + 1, memory_order_release);
    return noErr;
}

static AudioUnit make_unit(void)
{
    AudioComponentDescription wanted = {
        .componentType = kAudioUnitType_Output,
        .componentSubType = kAudioUnitSubType_RemoteIO,
        .componentManufacturer = kAudioUnitManufacturer_Apple,
    };
    AudioComponent component = AudioComponentFindNext(NULL, &wanted);
    AudioUnit unit = NULL;
    UInt32 on = 1, off = 0;
    check(component == NULL ? -1 : noErr, "find the I/O unit");
    check(AudioComponentInstanceNew(component, &unit), "make the I/O unit");
    check(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, input_bus, &on,
                               sizeof on),
          "enable the input");
    check(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, output_bus, &off,
                               sizeof off),
          "disable the output");
    return unit;
}

/* Makes the unit deliver mono at the rate of the device, and returns the format. */
static AudioStreamBasicDescription set_format(AudioUnit unit)
{
    AudioStreamBasicDescription device = {0};
    UInt32 size = sizeof device, most = most_frames;
    check(AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, input_bus, &device, &size),
          "get the format of the device");
    AudioStreamBasicDescription format = {
        .mSampleRate = device.mSampleRate > 0 ? device.mSampleRate : 44100,
        .mFormatID = kAudioFormatLinearPCM,
        .mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
        .mBytesPerPacket = sizeof(SInt16),
        .mFramesPerPacket = 1,
        .mBytesPerFrame = sizeof(SInt16),
        .mChannelsPerFrame = 1,
        .mBitsPerChannel = 8 * sizeof(SInt16),
    };
    check(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, input_bus, &format,
                               sizeof format),
          "set the format");
    check(AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &most,
                               sizeof most),
          "set the longest slice");
    return format;
}

/* Writes the slices that wait, and returns the number of their frames. */
static UInt64 write_slices(struct recorder *recorder, ExtAudioFileRef file)
{
    unsigned filled = atomic_load_explicit(&recorder->filled, memory_order_acquire);
    unsigned emptied = atomic_load_explicit(&recorder->emptied, memory_order_relaxed);
    UInt64 frames = 0;
    for (; emptied != filled; emptied++) {
        struct slice *slice = &recorder->slices[emptied % slice_count];
        AudioBufferList list = {1, {{1, slice->frames * (UInt32)sizeof(SInt16), slice->samples}}};
        check(ExtAudioFileWrite(file, slice->frames, &list), "write the file");
        printf("%.0f %u %.6f\n", slice->sample_time, (unsigned)slice->frames, seconds_of(slice->host_time));
        frames += slice->frames;
        atomic_store_explicit(&recorder->emptied, emptied + 1, memory_order_release);
    }
    return frames;
}

int main(int argc, char **argv)
{
    static struct recorder recorder; /* too large for the stack */
    ExtAudioFileRef file = NULL;
    double seconds = argc == 3 ? atof(argv[2]) : 0;
    if (!(seconds > 0 && seconds < 86400)) return fprintf(stderr, "usage: unit_recorder FILE SECONDS\n"), 64;

    recorder.unit = make_unit();
    AudioStreamBasicDescription format = set_format(recorder.unit);
    AURenderCallbackStruct callback = {take, &recorder};
    check(AudioUnitSetProperty(recorder.unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global,
                               output_bus, &callback, sizeof callback),
          "set the callback");

    CFURLRef url = CFURLCreateFromFileSystemRepresentation(
        NULL, (const UInt8 *)argv[1], (CFIndex)strlen(argv[1]), false);
    check(ExtAudioFileCreateWithURL(url, kAudioFileWAVEType, &format, NULL, kAudioFileFlags_EraseFile, &file),
          "make the file");
    CFRelease(url);

    check(AudioUnitInitialize(recorder.unit), "initialize the I/O unit");
    check(AudioOutputUnitStart(recorder.unit), "start the I/O unit");
    UInt64 frames = 0, wanted = (UInt64)(seconds * format.mSampleRate);
    while (frames < wanted && atomic_load(&recorder.failure) == noErr) {
        struct timespec pause = {.tv_nsec = 10000000};
        nanosleep(&pause, NULL);
        frames += write_slices(&recorder, file);
    }
    check(AudioOutputUnitStop(recorder.unit), "stop the I/O unit"); /* no callback comes after this */
    frames += write_slices(&recorder, file);
    check(AudioUnitUninitialize(recorder.unit), "uninitialize the I/O unit");
    check(AudioComponentInstanceDispose(recorder.unit), "end the I/O unit");
    check(ExtAudioFileDispose(file), "complete the file");
    check(atomic_load(&recorder.failure), "fetch captured audio");
    printf("%llu frames at %.0f Hz, %u lost\n", (unsigned long long)frames, format.mSampleRate,
           atomic_load(&recorder.lost));
    return EXIT_SUCCESS;
}
