/* SPDX-License-Identifier: MIT */

/*
 * cubeb_calls.c
 *
 * The calls of a library for browsers, in its order and with its arguments: a unit for each direction, the length of
 * slices set and awaited through a listener, a drain within the callback. It checks what that library asserts.
 *
 *     cubeb_calls output|input|duplex SECONDS
 *
 * Plays 441 Hz, and prints what was captured.
 */
#include <AudioUnit/AudioUnit.h>
#include <AudioToolbox/AudioToolbox.h>
#include <CoreAudio/CoreAudio.h>
#include <mach/mach_time.h>
#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { out_bus = 0, in_bus = 1, latency_frames = 512 };

typedef struct {
    AudioUnit output_unit, input_unit;
    AudioStreamBasicDescription output_desc, input_desc;
    double output_hw_rate, input_hw_rate;
    atomic_bool buffer_size_changed, draining, drained;
    atomic_long frames_played, frames_captured, late_times, output_calls;
    long frames_wanted;
    int crossings;
    float last, peak;
} stream;

static atomic_int failures;
#define CHECK(condition) \
    do { if (!(condition)) atomic_fetch_add(&failures, 1), fprintf(stderr, "line %d: %s\n", __LINE__, #condition); } while (0)

static AudioDeviceID default_device(int is_input)
{
    AudioObjectPropertyAddress address = {
        is_input ? kAudioHardwarePropertyDefaultInputDevice : kAudioHardwarePropertyDefaultOutputDevice,
        kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyElementMaster};
    AudioDeviceID device = kAudioObjectUnknown;
    UInt32 size = sizeof device;
    CHECK(AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &device) == noErr);
    CHECK(device != kAudioObjectUnknown);
    return device;
}

static AudioUnit new_unit(OSType subtype)
{
    AudioComponentDescription desc = {kAudioUnitType_Output, subtype, kAudioUnitManufacturer_Apple, 0, 0};
    AudioComponent component = AudioComponentFindNext(NULL, &desc);
    AudioUnit unit = NULL;
    CHECK(component != NULL);
    CHECK(AudioComponentInstanceNew(component, &unit) == noErr);
    CHECK(unit != NULL);
    return unit;
}

static void enable(AudioUnit unit, AudioUnitScope scope, AudioUnitElement element, UInt32 on)
{
    CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, scope, element, &on, sizeof(UInt32)) == noErr);
}

/* The listener takes a change only with the scope of the client's side. */
static void buffer_size_callback(void *context, AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
                                 AudioUnitElement element)
{
    stream *stm = context;
    AudioUnitScope wanted = element == in_bus ? kAudioUnitScope_Output : kAudioUnitScope_Input;
    UInt32 frames = 0, size = sizeof frames;
    if (property != kAudioDevicePropertyBufferFrameSize || scope != wanted) return;
    CHECK(AudioUnitGetProperty(unit, kAudioDevicePropertyBufferFrameSize, scope, element, &frames, &size) == noErr);
    CHECK(frames == latency_frames);
    stm->buffer_size_changed = true;
}

static void set_buffer_size(stream *stm, AudioUnit unit, AudioUnitScope scope, AudioUnitElement element)
{
    UInt32 frames = 0, size = sizeof frames, wanted = latency_frames;
    CHECK(AudioUnitGetProperty(unit, kAudioDevicePropertyBufferFrameSize, scope, element, &frames, &size) == noErr);
    if (frames == wanted) return;
    CHECK(AudioUnitAddPropertyListener(unit, kAudioDevicePropertyBufferFrameSize, buffer_size_callback, stm) == noErr);
    stm->buffer_size_changed = false;
    CHECK(AudioUnitSetProperty(unit, kAudioDevicePropertyBufferFrameSize, scope, element, &wanted, sizeof wanted)
          == noErr);
    for (int count = 0; !stm->buffer_size_changed && count < 30; count++) {
        struct timespec pause = {0, 100000000};
        nanosleep(&pause, NULL);
    }
    CHECK(AudioUnitRemovePropertyListenerWithUserData(unit, kAudioDevicePropertyBufferFrameSize, buffer_size_callback,
                                                      stm) == noErr);
    CHECK(stm->buffer_size_changed);
}

static OSStatus input_callback(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                               UInt32 bus, UInt32 frames, AudioBufferList *unused)
{
    stream *stm = context;
    AudioBufferList list;
    (void)unused;
    CHECK(bus == in_bus);
    CHECK(frames > 0 && frames <= latency_frames);
    list.mBuffers[0].mDataByteSize = stm->input_desc.mBytesPerFrame * frames;
    list.mBuffers[0].mData = NULL;
    list.mBuffers[0].mNumberChannels = stm->input_desc.mChannelsPerFrame;
    list.mNumberBuffers = 1;
    OSStatus status = AudioUnitRender(stm->input_unit, flags, time, bus, frames, &list);
    CHECK(status == noErr);
    if (status != noErr) return status;
    CHECK(list.mBuffers[0].mData != NULL && list.mBuffers[0].mDataByteSize == stm->input_desc.mBytesPerFrame * frames);
    const float *samples = list.mBuffers[0].mData;
    for (UInt32 frame = 0; frame < frames; frame++) {
        float sample = samples[frame * stm->input_desc.mChannelsPerFrame];
        if (fabsf(sample) > 0.01f) { /* not the noise of resamplers */
            if (stm->last < 0 && sample > 0) stm->crossings++;
            stm->last = sample;
        }
        stm->peak = fmaxf(stm->peak, fabsf(sample));
    }
    stm->frames_captured += frames;
    if (!stm->output_unit && stm->frames_captured >= stm->frames_wanted) {
        /* A stop within the callback returns at once. */
        CHECK(AudioOutputUnitStop(stm->input_unit) == noErr);
        stm->drained = true;
    }
    return noErr;
}

static OSStatus output_callback(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                                UInt32 bus, UInt32 frames, AudioBufferList *list)
{
    stream *stm = context;
    (void)flags;
    CHECK(bus == out_bus);
    CHECK(list->mNumberBuffers == 1);
    CHECK(list->mBuffers[0].mDataByteSize == frames * stm->output_desc.mBytesPerFrame);
    CHECK(list->mBuffers[0].mNumberChannels == stm->output_desc.mChannelsPerFrame);
    CHECK(frames <= latency_frames);
    stm->output_calls++;
    /* The latency is unsigned: the time of the slice has to be in the future. */
    if (time->mHostTime < mach_absolute_time()) stm->late_times++;

    SInt16 *samples = list->mBuffers[0].mData;
    if (stm->draining) {
        CHECK(AudioOutputUnitStop(stm->output_unit) == noErr);
        stm->drained = true;
        memset(samples, 0, list->mBuffers[0].mDataByteSize);
        return noErr;
    }
    long left = stm->frames_wanted - stm->frames_played;
    UInt32 filled = left < (long)frames ? (UInt32)left : frames;
    for (UInt32 frame = 0; frame < frames; frame++) {
        double t = (double)(stm->frames_played + frame) / stm->output_desc.mSampleRate;
        SInt16 sample = frame < filled ? (SInt16)(16384 * sin(2 * M_PI * 441 * t)) : 0;
        for (UInt32 channel = 0; channel < stm->output_desc.mChannelsPerFrame; channel++)
            samples[frame * stm->output_desc.mChannelsPerFrame + channel] = sample;
    }
    stm->frames_played += filled;
    stm->draining = filled < frames;
    return noErr;
}

static void configure_input(stream *stm)
{
    AudioDeviceID device = default_device(1);
    AudioStreamBasicDescription hardware;
    UInt32 size = sizeof hardware, frames = latency_frames;
    AURenderCallbackStruct callback = {input_callback, stm};
    AudioUnit unit = stm->input_unit = new_unit(kAudioUnitSubType_HALOutput);
    enable(unit, kAudioUnitScope_Input, in_bus, 1);
    enable(unit, kAudioUnitScope_Output, out_bus, 0);
    CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &device,
                               sizeof device) == noErr);
    CHECK(AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, in_bus, &hardware, &size)
          == noErr);
    CHECK(hardware.mSampleRate > 0 && hardware.mChannelsPerFrame > 0);
    stm->input_hw_rate = hardware.mSampleRate;
    set_buffer_size(stm, unit, kAudioUnitScope_Output, in_bus);
    stm->input_desc = (AudioStreamBasicDescription){
        hardware.mSampleRate, kAudioFormatLinearPCM, kLinearPCMFormatFlagIsFloat | kLinearPCMFormatFlagIsPacked,
        4, 1, 4, 1, 32, 0};
    CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, in_bus, &stm->input_desc,
                               sizeof stm->input_desc) == noErr);
    CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, in_bus, &frames,
                               sizeof frames) == noErr);
    CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, out_bus,
                               &callback, sizeof callback) == noErr);
}

/* The layout of the device becomes the layout of the input side, before the format is set. */
static void configure_layout(AudioUnit unit)
{
    UInt32 size = 0;
    CHECK(AudioUnitGetPropertyInfo(unit, kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Output, out_bus, &size,
                                   NULL) == noErr);
    CHECK(size >= offsetof(AudioChannelLayout, mChannelDescriptions));
    AudioChannelLayout *layout = calloc(1, size);
    CHECK(AudioUnitGetProperty(unit, kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Output, out_bus, layout,
                               &size) == noErr);
    free(layout);
    size = offsetof(AudioChannelLayout, mChannelDescriptions) + 2 * sizeof(AudioChannelDescription);
    layout = calloc(1, size);
    layout->mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelDescriptions;
    layout->mNumberChannelDescriptions = 2;
    layout->mChannelDescriptions[0].mChannelLabel = kAudioChannelLabel_Left;
    layout->mChannelDescriptions[1].mChannelLabel = kAudioChannelLabel_Right;
    CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Input, out_bus, layout, size)
          == noErr);
    free(layout);
    CHECK(AudioUnitGetPropertyInfo(unit, kAudioDevicePropertyPreferredChannelLayout, kAudioUnitScope_Output, out_bus,
                                   &size, NULL) == noErr);
    CHECK(size > 0);
}

static void configure_output(stream *stm)
{
    AudioStreamBasicDescription hardware;
    UInt32 size = sizeof hardware, frames = latency_frames;
    AURenderCallbackStruct callback = {output_callback, stm};
    AudioUnit unit = stm->output_unit = new_unit(kAudioUnitSubType_DefaultOutput);
    memset(&hardware, 0, sizeof hardware);
    CHECK(AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, out_bus, &hardware, &size)
          == noErr);
    CHECK(hardware.mSampleRate > 0 && hardware.mChannelsPerFrame == 2);
    stm->output_hw_rate = hardware.mSampleRate;
    configure_layout(unit);
    stm->output_desc = (AudioStreamBasicDescription){
        44100, kAudioFormatLinearPCM, kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked, 4, 1, 4, 2,
        16, 0};
    CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, out_bus, &stm->output_desc,
                               sizeof stm->output_desc) == noErr);
    set_buffer_size(stm, unit, kAudioUnitScope_Input, out_bus);
    CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, out_bus, &frames,
                               sizeof frames) == noErr);
    CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Global, out_bus, &callback,
                               sizeof callback) == noErr);
}

/* The latency of the device and of its first stream, which the library adds to the times. One that cannot be read
 * counts as 0. */
static UInt32 presentation_latency(AudioDeviceID device)
{
    AudioObjectPropertyAddress address = {kAudioDevicePropertyLatency, kAudioDevicePropertyScopeOutput,
                                          kAudioObjectPropertyElementMaster};
    UInt32 device_latency = 0, stream_latency = 0, size = sizeof device_latency;
    AudioStreamID streams[1];
    if (AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &device_latency) != noErr) device_latency = 0;
    address.mSelector = kAudioDevicePropertyStreams;
    size = sizeof streams;
    CHECK(AudioObjectGetPropertyData(device, &address, 0, NULL, &size, streams) == noErr);
    address.mSelector = kAudioDevicePropertyLatency; /* of a stream too */
    size = sizeof stream_latency;
    if (AudioObjectGetPropertyData(streams[0], &address, 0, NULL, &size, &stream_latency) != noErr) stream_latency = 0;
    return device_latency + stream_latency;
}

static void check_initialized_output(stream *stm)
{
    Float64 unit_latency = -1;
    Float32 volume = 0;
    UInt32 size = sizeof unit_latency;
    (void)presentation_latency(default_device(0));
    CHECK(AudioUnitGetProperty(stm->output_unit, kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0, &unit_latency,
                               &size) == noErr);
    CHECK(unit_latency >= 0 && unit_latency < 1);
    CHECK(AudioUnitSetParameter(stm->output_unit, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, 0.75f, 0) == noErr);
    CHECK(AudioUnitGetParameter(stm->output_unit, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, &volume) == noErr);
    CHECK(volume == 0.75f);
    CHECK(AudioUnitSetParameter(stm->output_unit, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, 1, 0) == noErr);
}

int main(int argc, char **argv)
{
    static stream stm;
    if (argc != 3 || !(atof(argv[2]) > 0)) return 64;
    int has_input = strcmp(argv[1], "output") != 0, has_output = strcmp(argv[1], "input") != 0;

    if (has_input) configure_input(&stm);
    if (has_output) configure_output(&stm);
    stm.frames_wanted = (long)(atof(argv[2]) * (has_output ? stm.output_desc.mSampleRate : stm.input_desc.mSampleRate));
    if (has_input) CHECK(AudioUnitInitialize(stm.input_unit) == noErr);
    if (has_output) {
        CHECK(AudioUnitInitialize(stm.output_unit) == noErr);
        check_initialized_output(&stm);
    }
    if (has_input) CHECK(AudioOutputUnitStart(stm.input_unit) == noErr);
    if (has_output) CHECK(AudioOutputUnitStart(stm.output_unit) == noErr);
    for (int i = 0; i < 3000 && !stm.drained; i++) {
        struct timespec pause = {0, 10000000};
        nanosleep(&pause, NULL);
    }
    CHECK(stm.drained);
    /* Units that have stopped in their callbacks are stopped again. */
    if (has_input) CHECK(AudioOutputUnitStop(stm.input_unit) == noErr);
    if (has_output) CHECK(AudioOutputUnitStop(stm.output_unit) == noErr);
    if (has_input) {
        AudioUnitUninitialize(stm.input_unit);
        AudioComponentInstanceDispose(stm.input_unit);
        printf("captured %ld frames, %.1f Hz, peak %.3f\n", stm.frames_captured,
               stm.crossings * stm.input_hw_rate / (double)stm.frames_captured, stm.peak);
    }
    if (has_output) {
        AudioUnitUninitialize(stm.output_unit);
        AudioComponentInstanceDispose(stm.output_unit);
        CHECK(stm.late_times * 20 <= stm.output_calls);
    }
    printf("%d failures\n", failures);
    return failures != 0;
}
