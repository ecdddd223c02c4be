/* SPDX-License-Identifier: MIT */

/*
 * openal_calls.c
 *
 * The calls of a library for spatial audio, in its order and with its arguments: an output unit that is initialized
 * before anything is set, and again after its format was taken from the device; an input unit whose format is set
 * after it was initialized.
 *
 *     openal_calls output|input SECONDS
 *
 * Plays 441 Hz, or prints what was captured.
 */
#include <AudioToolbox/AudioToolbox.h>
#include <AudioUnit/AudioUnit.h>
#include <CoreAudio/CoreAudio.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ring_frames = 8192 };

typedef struct {
    AudioUnit unit;
    AudioStreamBasicDescription format;
    UInt32 frame_size;
    float *ring;
    UInt32 position;
    atomic_long frames;
    int crossings;
    float last, peak;
} device;

static atomic_int failures;
#define CHECK(condition) \
    do { if (!(condition)) atomic_fetch_add(&failures, 1), fprintf(stderr, "line %d: %s\n", __LINE__, #condition); } while (0)

static AudioUnit make_unit(OSType subtype)
{
    AudioComponentDescription desc = {kAudioUnitType_Output, subtype, kAudioUnitManufacturer_Apple, 0, 0};
    AudioComponent component = AudioComponentFindNext(NULL, &desc);
    AudioUnit unit = NULL;
    CHECK(component != NULL && AudioComponentInstanceNew(component, &unit) == noErr);
    return unit;
}

static OSStatus mix(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                    UInt32 frames, AudioBufferList *list)
{
    device *dev = context;
    (void)flags, (void)time, (void)bus, (void)frames;
    /* The size alone counts. */
    float *samples = list->mBuffers[0].mData;
    UInt32 count = list->mBuffers[0].mDataByteSize / dev->frame_size;
    for (UInt32 frame = 0; frame < count; frame++) {
        float sample = 0.5f * (float)sin(2 * M_PI * 441 * (double)(dev->frames + frame) / dev->format.mSampleRate);
        for (UInt32 channel = 0; channel < dev->format.mChannelsPerFrame; channel++)
            samples[frame * dev->format.mChannelsPerFrame + channel] = sample;
    }
    dev->frames += count;
    return noErr;
}

static void open_output(device *dev)
{
    AudioStreamBasicDescription format;
    UInt32 size = sizeof format;
    memset(&format, 0, sizeof format);
    dev->unit = make_unit(kAudioUnitSubType_DefaultOutput);
    CHECK(AudioUnitInitialize(dev->unit) == noErr);
    CHECK(AudioUnitUninitialize(dev->unit) == noErr);
    CHECK(AudioUnitGetProperty(dev->unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, &size)
          == noErr && size == sizeof format);
    CHECK(format.mSampleRate > 0 && format.mChannelsPerFrame > 0);
    CHECK(AudioUnitSetProperty(dev->unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, size)
          == noErr);
    /* Rate and channels stay. */
    format.mFramesPerPacket = 1;
    format.mFormatFlags = kLinearPCMFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kLinearPCMFormatFlagIsPacked;
    format.mBitsPerChannel = 32;
    format.mBytesPerFrame = format.mChannelsPerFrame * format.mBitsPerChannel / 8;
    format.mBytesPerPacket = format.mBytesPerFrame;
    format.mFormatID = kAudioFormatLinearPCM;
    CHECK(AudioUnitSetProperty(dev->unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
                               sizeof format) == noErr);
    dev->format = format;
    dev->frame_size = format.mBytesPerFrame;
    AURenderCallbackStruct input = {mix, dev};
    CHECK(AudioUnitSetProperty(dev->unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &input,
                               sizeof input) == noErr);
    CHECK(AudioUnitInitialize(dev->unit) == noErr);
}

/* Renders into the two parts of a ring. The bus is a constant, and the flags are the procedure's own. */
static OSStatus record(void *context, AudioUnitRenderActionFlags *unused_flags, const AudioTimeStamp *time,
                       UInt32 unused_bus, UInt32 frames, AudioBufferList *unused)
{
    device *dev = context;
    AudioUnitRenderActionFlags flags = 0;
    (void)unused_flags, (void)unused_bus, (void)unused;
    if (frames > ring_frames - dev->position) dev->position = 0;
    AudioBufferList list;
    memset(&list, 0, sizeof list);
    list.mNumberBuffers = 1;
    list.mBuffers[0].mNumberChannels = dev->format.mChannelsPerFrame;
    list.mBuffers[0].mData = dev->ring + dev->position * dev->format.mChannelsPerFrame;
    list.mBuffers[0].mDataByteSize = frames * dev->format.mBytesPerFrame;
    OSStatus status = AudioUnitRender(dev->unit, &flags, time, 1, frames, &list);
    CHECK(status == noErr);
    if (status != noErr) return status;
    const float *samples = list.mBuffers[0].mData;
    for (UInt32 frame = 0; frame < frames; frame++) {
        float sample = samples[frame * dev->format.mChannelsPerFrame];
        if (fabsf(sample) > 0.01f) { /* not the noise of resamplers */
            if (dev->last < 0 && sample > 0) dev->crossings++;
            dev->last = sample;
        }
        dev->peak = fmaxf(dev->peak, fabsf(sample));
    }
    dev->position += frames;
    dev->frames += frames;
    return noErr;
}

static void open_input(device *dev)
{
    AudioObjectPropertyAddress address = {
        kAudioHardwarePropertyDefaultInputDevice, kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyElementMaster};
    AudioDeviceID id = kAudioDeviceUnknown;
    AudioStreamBasicDescription hardware;
    UInt32 off = 0, on = 1, most = 0, size = sizeof id;
    AURenderCallbackStruct input = {record, dev};
    dev->unit = make_unit(kAudioUnitSubType_HALOutput);
    CHECK(AudioUnitSetProperty(dev->unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, &off, sizeof off)
          == noErr);
    CHECK(AudioUnitSetProperty(dev->unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &on, sizeof on)
          == noErr);
    CHECK(AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &id) == noErr);
    CHECK(id != kAudioDeviceUnknown);
    CHECK(AudioUnitSetProperty(dev->unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &id,
                               sizeof id) == noErr);
    CHECK(AudioUnitSetProperty(dev->unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, &input,
                               sizeof input) == noErr);
    CHECK(AudioUnitInitialize(dev->unit) == noErr);

    size = sizeof hardware;
    CHECK(AudioUnitGetProperty(dev->unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, &hardware, &size)
          == noErr && size == sizeof hardware);
    dev->format = (AudioStreamBasicDescription){
        hardware.mSampleRate, kAudioFormatLinearPCM,
        kLinearPCMFormatFlagIsFloat | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked, 4, 1, 4, 1, 32, 0};
    CHECK(AudioUnitSetProperty(dev->unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &dev->format,
                               sizeof dev->format) == noErr);
    size = sizeof most;
    CHECK(AudioUnitGetProperty(dev->unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Output, 0, &most,
                               &size) == noErr && size == sizeof most);
    CHECK(most > 0 && most <= ring_frames);
    dev->ring = calloc(ring_frames, dev->format.mBytesPerFrame);
}

int main(int argc, char **argv)
{
    static device dev;
    if (argc != 3 || !(atof(argv[2]) > 0)) return 64;
    int is_input = strcmp(argv[1], "input") == 0;
    double seconds = atof(argv[2]);
    struct timespec pause = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};
    if (is_input) open_input(&dev); else open_output(&dev);
    CHECK(AudioOutputUnitStart(dev.unit) == noErr);
    nanosleep(&pause, NULL);
    CHECK(AudioOutputUnitStop(dev.unit) == noErr);
    CHECK(dev.frames > 0);
    if (!is_input) CHECK(AudioUnitUninitialize(dev.unit) == noErr);
    CHECK(AudioComponentInstanceDispose(dev.unit) == noErr);
    free(dev.ring);
    if (is_input)
        printf("captured %ld frames, %.1f Hz, peak %.3f\n", dev.frames,
               dev.crossings * dev.format.mSampleRate / (double)dev.frames, dev.peak);
    printf("%d failures\n", failures);
    return failures != 0;
}
