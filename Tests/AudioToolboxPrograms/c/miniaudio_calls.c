/* SPDX-License-Identifier: MIT */

/*
 * miniaudio_calls.c
 *
 * The calls of a single-header library, in its order and with its arguments: both switches of a unit set, the format
 * of the device adopted, one list of buffers that is rendered into again and again, the functions looked up by name.
 *
 *     miniaudio_calls output|input|duplex SECONDS
 *
 * Plays 441 Hz, and prints what was captured.
 */
#include <AudioToolbox/AudioToolbox.h>
#include <CoreAudio/CoreAudio.h>
#include <dlfcn.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { output_bus = 0, input_bus = 1 };

/* The library links to nothing: it opens the frameworks, and asks for each function. */
static __typeof__(AudioComponentFindNext) *find_next;
static __typeof__(AudioComponentInstanceNew) *instance_new;
static __typeof__(AudioComponentInstanceDispose) *instance_dispose;
static __typeof__(AudioOutputUnitStart) *unit_start;
static __typeof__(AudioOutputUnitStop) *unit_stop;
static __typeof__(AudioUnitAddPropertyListener) *add_listener;
static __typeof__(AudioUnitGetPropertyInfo) *get_property_info;
static __typeof__(AudioUnitGetProperty) *get_property;
static __typeof__(AudioUnitSetProperty) *set_property;
static __typeof__(AudioUnitInitialize) *unit_initialize;
static __typeof__(AudioUnitRender) *unit_render;

typedef struct {
    int is_input;
    AudioUnit unit;
    AudioStreamBasicDescription format;
    UInt32 period_frames;
    AudioBufferList *list;
    atomic_long frames;
    atomic_int starts, stops;
    int crossings;
    float last, peak;
} device;

static atomic_int failures;
#define CHECK(condition) \
    do { if (!(condition)) atomic_fetch_add(&failures, 1), fprintf(stderr, "line %d: %s\n", __LINE__, #condition); } while (0)

static void look_up(void)
{
    void *library = dlopen(NULL, RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
#define LOOK_UP(variable, name) CHECK((*(void **)&variable = dlsym(library, name)) != NULL)
    LOOK_UP(find_next, "AudioComponentFindNext");
    LOOK_UP(instance_new, "AudioComponentInstanceNew");
    LOOK_UP(instance_dispose, "AudioComponentInstanceDispose");
    LOOK_UP(unit_start, "AudioOutputUnitStart");
    LOOK_UP(unit_stop, "AudioOutputUnitStop");
    LOOK_UP(add_listener, "AudioUnitAddPropertyListener");
    LOOK_UP(get_property_info, "AudioUnitGetPropertyInfo");
    LOOK_UP(get_property, "AudioUnitGetProperty");
    LOOK_UP(set_property, "AudioUnitSetProperty");
    LOOK_UP(unit_initialize, "AudioUnitInitialize");
    LOOK_UP(unit_render, "AudioUnitRender");
}

static AudioObjectID default_device(int is_input)
{
    AudioObjectPropertyAddress address = {
        is_input ? kAudioHardwarePropertyDefaultInputDevice : kAudioHardwarePropertyDefaultOutputDevice,
        kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyElementMaster};
    AudioObjectID found = 0;
    UInt32 size = sizeof found;
    CHECK(AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &found) == noErr);
    return found;
}

static OSStatus on_output(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                          UInt32 frames, AudioBufferList *list)
{
    device *dev = context;
    (void)flags, (void)time, (void)bus, (void)frames;
    CHECK(list->mBuffers[0].mNumberChannels == dev->format.mChannelsPerFrame);
    for (UInt32 i = 0; i < list->mNumberBuffers; i++) {
        /* The number of frames is taken from the size alone. */
        UInt32 count = list->mBuffers[i].mDataByteSize / dev->format.mBytesPerFrame;
        float *samples = list->mBuffers[i].mData;
        CHECK(count > 0 && count <= dev->period_frames);
        for (UInt32 frame = 0; frame < count; frame++) {
            float sample = 0.5f * (float)sin(2 * M_PI * 441 * (double)(dev->frames + frame) / dev->format.mSampleRate);
            for (UInt32 channel = 0; channel < dev->format.mChannelsPerFrame; channel++)
                samples[frame * dev->format.mChannelsPerFrame + channel] = sample;
        }
        dev->frames += count;
    }
    return noErr;
}

static OSStatus on_input(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                         UInt32 frames, AudioBufferList *unused)
{
    device *dev = context;
    (void)unused;
    /* The list is that of the last call, with the sizes that it left. */
    OSStatus status = unit_render(dev->unit, flags, time, bus, frames, dev->list);
    CHECK(status == noErr);
    if (status != noErr) return status;
    CHECK(dev->list->mBuffers[0].mNumberChannels == dev->format.mChannelsPerFrame);
    const float *samples = dev->list->mBuffers[0].mData;
    for (UInt32 frame = 0; frame < frames; frame++) {
        float sample = samples[frame * dev->format.mChannelsPerFrame];
        if (fabsf(sample) > 0.01f) { /* not the noise of resamplers */
            if (dev->last < 0 && sample > 0) dev->crossings++;
            dev->last = sample;
        }
        dev->peak = fmaxf(dev->peak, fabsf(sample));
    }
    dev->frames += frames;
    return noErr;
}

static void on_start_stop(void *context, AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
                          AudioUnitElement element)
{
    device *dev = context;
    UInt32 is_running = 7, size = sizeof is_running;
    CHECK(property == kAudioOutputUnitProperty_IsRunning);
    CHECK(get_property(unit, kAudioOutputUnitProperty_IsRunning, scope, element, &is_running, &size) == noErr);
    CHECK(is_running <= 1);
    if (is_running) dev->starts++; else dev->stops++;
}

/* Sets the length of the device's buffers: the nearest in its range; what it has become counts. */
static UInt32 set_device_buffer(AudioObjectID id, int is_input, UInt32 frames)
{
    AudioObjectPropertyAddress address = {
        kAudioDevicePropertyBufferFrameSizeRange,
        is_input ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput, kAudioObjectPropertyElementMaster};
    AudioValueRange range;
    UInt32 size = sizeof range;
    CHECK(AudioObjectGetPropertyData(id, &address, 0, NULL, &size, &range) == noErr);
    if (frames < range.mMinimum) frames = (UInt32)range.mMinimum;
    if (frames > range.mMaximum) frames = (UInt32)range.mMaximum;
    address.mSelector = kAudioDevicePropertyBufferFrameSize;
    AudioObjectSetPropertyData(id, &address, 0, NULL, sizeof frames, &frames);
    size = sizeof frames;
    CHECK(AudioObjectGetPropertyData(id, &address, 0, NULL, &size, &frames) == noErr);
    return frames;
}

static void init_device(device *dev)
{
    AudioComponentDescription wanted = {
        kAudioUnitType_Output, kAudioUnitSubType_HALOutput, kAudioUnitManufacturer_Apple, 0, 0};
    AudioComponent component = find_next(NULL, &wanted);
    AudioObjectID id = default_device(dev->is_input);
    UInt32 enable = dev->is_input ? 0 : 1, size;
    CHECK(component != NULL && instance_new(component, &dev->unit) == noErr);
    CHECK(set_property(dev->unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, output_bus, &enable,
                       sizeof enable) == noErr);
    enable = !enable;
    CHECK(set_property(dev->unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, input_bus, &enable,
                       sizeof enable) == noErr);
    CHECK(set_property(dev->unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global,
                       dev->is_input ? input_bus : output_bus, &id, sizeof id) == noErr);

    AudioUnitScope client = dev->is_input ? kAudioUnitScope_Output : kAudioUnitScope_Input;
    AudioUnitScope hardware = dev->is_input ? kAudioUnitScope_Input : kAudioUnitScope_Output;
    AudioUnitElement bus = dev->is_input ? input_bus : output_bus;
    AudioStreamBasicDescription original;
    size = sizeof original;
    CHECK(get_property(dev->unit, kAudioUnitProperty_StreamFormat, hardware, bus, &original, &size) == noErr);
    dev->format = original;
    dev->format.mFormatFlags = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked;
    dev->format.mBitsPerChannel = 32;
    dev->format.mFramesPerPacket = 1;
    dev->format.mBytesPerFrame = dev->format.mBytesPerPacket = 4 * original.mChannelsPerFrame;
    CHECK(set_property(dev->unit, kAudioUnitProperty_StreamFormat, client, bus, &dev->format, sizeof dev->format)
          == noErr);

    /* The layout is read from the unit, and its absence is no error; a layout with the wrong number of channels is. */
    if (get_property_info(dev->unit, kAudioUnitProperty_AudioChannelLayout, hardware, bus, &size, NULL) == noErr) {
        AudioChannelLayout *layout = calloc(1, size);
        CHECK(get_property(dev->unit, kAudioUnitProperty_AudioChannelLayout, hardware, bus, layout, &size) == noErr);
        if (layout->mChannelLayoutTag == kAudioChannelLayoutTag_UseChannelDescriptions)
            CHECK(layout->mNumberChannelDescriptions == dev->format.mChannelsPerFrame);
        free(layout);
    }

    dev->period_frames = set_device_buffer(id, dev->is_input, (UInt32)(original.mSampleRate / 100));
    CHECK(set_property(dev->unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0,
                       &dev->period_frames, sizeof dev->period_frames) == noErr);
    if (dev->is_input) {
        UInt32 bytes = dev->period_frames * dev->format.mBytesPerFrame;
        dev->list = calloc(1, sizeof(AudioBufferList) + bytes);
        dev->list->mNumberBuffers = 1;
        dev->list->mBuffers[0].mNumberChannels = dev->format.mChannelsPerFrame;
        dev->list->mBuffers[0].mDataByteSize = bytes;
        dev->list->mBuffers[0].mData = dev->list + 1;
    }
    AURenderCallbackStruct callback = {dev->is_input ? on_input : on_output, dev};
    CHECK(set_property(dev->unit,
                       dev->is_input ? kAudioOutputUnitProperty_SetInputCallback : kAudioUnitProperty_SetRenderCallback,
                       kAudioUnitScope_Global, bus, &callback, sizeof callback) == noErr);
    CHECK(add_listener(dev->unit, kAudioOutputUnitProperty_IsRunning, on_start_stop, dev) == noErr);
    CHECK(unit_initialize(dev->unit) == noErr);
}

int main(int argc, char **argv)
{
    static device output = {.is_input = 0}, input = {.is_input = 1};
    if (argc != 3 || !(atof(argv[2]) > 0)) return 64;
    int has_input = strcmp(argv[1], "output") != 0, has_output = strcmp(argv[1], "input") != 0;
    double seconds = atof(argv[2]);
    struct timespec pause = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};

    look_up();
    if (has_input) init_device(&input);
    if (has_output) init_device(&output);
    if (has_input) CHECK(unit_start(input.unit) == noErr);
    if (has_output) CHECK(unit_start(output.unit) == noErr);
    nanosleep(&pause, NULL);
    if (has_input) CHECK(unit_stop(input.unit) == noErr);
    if (has_output) CHECK(unit_stop(output.unit) == noErr);
    /* The library waits for the listener after a stop. */
    for (int i = 0; i < 100 && (input.stops < has_input || output.stops < has_output); i++) {
        struct timespec moment = {0, 10000000};
        nanosleep(&moment, NULL);
    }
    CHECK(input.starts == has_input && input.stops == has_input);
    CHECK(output.starts == has_output && output.stops == has_output);
    if (has_input) {
        CHECK(instance_dispose(input.unit) == noErr); /* without AudioUnitUninitialize */
        free(input.list);
        printf("captured %ld frames, %.1f Hz, peak %.3f\n", input.frames,
               input.crossings * input.format.mSampleRate / (double)input.frames, input.peak);
    }
    if (has_output) CHECK(instance_dispose(output.unit) == noErr);
    printf("%d failures\n", failures);
    return failures != 0;
}
