/* SPDX-License-Identifier: MIT */

/*
 * portaudio_calls.c
 *
 * The calls of a portable library, in its order and with its arguments: callbacks set on the output scope, one unit
 * for both directions whose output callback fetches the input, or a unit for each with a ring between, a stop that
 * polls one byte of IsRunning. It checks what that library asserts.
 *
 *     portaudio_calls output|input|duplex|separate SECONDS
 *
 * Plays 441 Hz, and prints what was captured.
 */
#include <AudioUnit/AudioUnit.h>
#include <AudioToolbox/AudioToolbox.h>
#include <CoreAudio/CoreAudio.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OUTPUT_ELEMENT 0
#define INPUT_ELEMENT 1

enum { channels = 2, requested_frames = 512, ring_frames = 16384 };

typedef struct {
    AudioUnit input_unit, output_unit; /* one unit in both directions, or two */
    AudioDeviceID input_device, output_device;
    UInt32 input_frames, output_frames;
    AudioBufferList input_list;
    atomic_bool callback_stops, is_stopping, has_stopped;
    atomic_long played, captured, taken, starts, stops;
    float ring[ring_frames];
    double last_input_time;
    int crossings;
    float last, peak;
} stream;

static atomic_int failures;
#define CHECK(condition) \
    do { if (!(condition)) atomic_fetch_add(&failures, 1), fprintf(stderr, "line %d: %s\n", __LINE__, #condition); } while (0)

static AudioDeviceID default_device(AudioObjectPropertySelector selector)
{
    AudioObjectPropertyAddress address = {
        selector, kAudioObjectPropertyScopeGlobal, kAudioObjectPropertyElementMaster};
    AudioDeviceID device = kAudioDeviceUnknown;
    UInt32 size = sizeof device;
    CHECK(AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &device) == noErr);
    CHECK(device != kAudioDeviceUnknown);
    return device;
}

/* Sets the length of the device's buffers if it can be set, and returns what it is. */
static UInt32 set_best_frames(AudioDeviceID device, bool is_output)
{
    AudioObjectPropertyAddress address = {
        kAudioDevicePropertyBufferFrameSize, is_output ? kAudioDevicePropertyScopeOutput : kAudioDevicePropertyScopeInput,
        kAudioObjectPropertyElementMaster};
    UInt32 wanted = requested_frames, actual = 0, size = sizeof actual;
    AudioValueRange range;
    AudioObjectSetPropertyData(device, &address, 0, NULL, sizeof wanted, &wanted);
    CHECK(AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &actual) == noErr);
    if (actual == wanted) return actual;
    size = sizeof range;
    address.mSelector = kAudioDevicePropertyBufferFrameSizeRange;
    CHECK(AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &range) == noErr);
    if (wanted < range.mMinimum) wanted = (UInt32)range.mMinimum;
    if (wanted > range.mMaximum) wanted = (UInt32)range.mMaximum;
    size = sizeof actual;
    address.mSelector = kAudioDevicePropertyBufferFrameSize;
    AudioObjectSetPropertyData(device, &address, 0, NULL, sizeof wanted, &wanted);
    CHECK(AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &actual) == noErr);
    return actual;
}

static OSStatus xrun(AudioObjectID device, UInt32 count, const AudioObjectPropertyAddress *addresses, void *context)
{
    (void)device, (void)count, (void)addresses, (void)context;
    return 0;
}

static void start_stop(void *context, AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
                       AudioUnitElement element)
{
    stream *stm = context;
    UInt32 is_running, size = sizeof is_running;
    (void)property;
    CHECK(AudioUnitGetProperty(unit, kAudioOutputUnitProperty_IsRunning, scope, element, &is_running, &size) == noErr);
    if (is_running) {
        stm->starts++;
        return;
    }
    stm->stops++;
    if (stm->is_stopping) stm->has_stopped = true;
}

static void take_input(stream *stm, const float *samples, UInt32 frames)
{
    for (UInt32 frame = 0; frame < frames; frame++) {
        float sample = samples[frame * channels];
        if (fabsf(sample) > 0.01f) { /* not the noise of resamplers */
            if (stm->last < 0 && sample > 0) stm->crossings++;
            stm->last = sample;
        }
        stm->peak = fmaxf(stm->peak, fabsf(sample));
    }
}

static void render_output(stream *stm, float *samples, UInt32 frames)
{
    for (UInt32 frame = 0; frame < frames; frame++) {
        float sample = 0.5f * (float)sin(2 * M_PI * 441 * (double)(stm->played + frame) / 48000);
        samples[2 * frame] = samples[2 * frame + 1] = sample;
    }
    stm->played += frames;
}

/* One procedure for all callbacks, which tells them apart by the bus. */
static OSStatus io_proc(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                        UInt32 frames, AudioBufferList *data)
{
    stream *stm = context;
    const bool is_render = bus == OUTPUT_ELEMENT;
    CHECK(is_render || bus == INPUT_ELEMENT);
    CHECK((time->mFlags & kAudioTimeStampHostTimeValid) && time->mHostTime > 0);
    if (is_render) {
        CHECK(data->mNumberBuffers == 1);
        CHECK(data->mBuffers[0].mNumberChannels == channels);
        UInt32 count = data->mBuffers[0].mDataByteSize / (UInt32)(sizeof(float) * data->mBuffers[0].mNumberChannels);
        CHECK(count == frames && frames <= stm->output_frames);
        if (stm->input_unit == stm->output_unit) {
            OSStatus status = AudioUnitRender(stm->input_unit, flags, time, INPUT_ELEMENT, frames, &stm->input_list);
            CHECK(status == noErr);
            if (status != noErr) goto stop;
            CHECK(stm->input_list.mBuffers[0].mDataByteSize == frames * channels * sizeof(float));
            take_input(stm, stm->input_list.mBuffers[0].mData, frames);
            stm->captured += frames;
        } else if (stm->input_unit) {
            /* What the other unit has captured; missing frames are silent. */
            for (UInt32 frame = 0; frame < frames && stm->taken < stm->captured; frame++) stm->taken++;
        }
        render_output(stm, data->mBuffers[0].mData, count);
    } else {
        OSStatus status;
        CHECK(data == NULL);
        do {
            status = AudioUnitRender(stm->input_unit, flags, time, INPUT_ELEMENT, frames, &stm->input_list);
            if (status == kAudioUnitErr_TooManyFramesToProcess) frames /= 2;
        } while (status == kAudioUnitErr_TooManyFramesToProcess && frames > 1);
        CHECK(status == noErr);
        if (status != noErr) goto stop;
        CHECK(frames <= stm->input_frames);
        take_input(stm, stm->input_list.mBuffers[0].mData, frames);
        const float *samples = stm->input_list.mBuffers[0].mData;
        for (UInt32 frame = 0; frame < frames; frame++)
            stm->ring[(unsigned long)(stm->captured + frame) % ring_frames] = samples[channels * frame];
        stm->captured += frames;
    }
    if (!stm->callback_stops) return noErr;
stop:
    if (stm->output_unit) CHECK(AudioOutputUnitStop(stm->output_unit) == noErr);
    if (stm->input_unit) CHECK(AudioOutputUnitStop(stm->input_unit) == noErr);
    return noErr;
}

static AudioUnit open_unit(stream *stm, bool has_input, bool has_output)
{
    AudioComponentDescription desc = {
        kAudioUnitType_Output, kAudioUnitSubType_HALOutput, kAudioUnitManufacturer_Apple, 0, 0};
    AudioComponent component = AudioComponentFindNext(NULL, &desc);
    AudioUnit unit = NULL;
    UInt32 enable = 1, disable = 0, quality = kAudioConverterQuality_Max, size;
    AudioDeviceID device = kAudioDeviceUnknown;
    AudioStreamBasicDescription format = {
        .mFormatID = kAudioFormatLinearPCM,
        .mFormatFlags = kAudioFormatFlagsNativeFloatPacked,
        .mFramesPerPacket = 1,
        .mBitsPerChannel = sizeof(float) * 8,
        .mBytesPerPacket = sizeof(float) * channels,
        .mBytesPerFrame = sizeof(float) * channels,
        .mChannelsPerFrame = channels,
    };
    CHECK(component && AudioComponentInstanceNew(component, &unit) == noErr);
    if (has_input)
        CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, INPUT_ELEMENT,
                                   &enable, sizeof enable) == noErr);
    if (!has_output)
        CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, OUTPUT_ELEMENT,
                                   &disable, sizeof disable) == noErr);
    if (has_input) {
        device = stm->input_device;
        CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, INPUT_ELEMENT,
                                   &device, sizeof device) == noErr);
    }
    if (has_output) {
        device = stm->output_device;
        CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, OUTPUT_ELEMENT,
                                   &device, sizeof device) == noErr);
    }
    AudioObjectPropertyAddress overload = {
        kAudioDeviceProcessorOverload, has_output ? kAudioDevicePropertyScopeOutput : kAudioDevicePropertyScopeInput,
        kAudioObjectPropertyElementMaster};
    CHECK(AudioObjectAddPropertyListener(device, &overload, xrun, stm) == noErr);
    CHECK(AudioUnitAddPropertyListener(unit, kAudioOutputUnitProperty_IsRunning, start_stop, stm) == noErr);

    if (has_input) {
        stm->input_frames = set_best_frames(stm->input_device, false);
        stm->output_frames = stm->input_frames;
    }
    if (has_output && !has_input) stm->output_frames = set_best_frames(stm->output_device, true);
    if (has_output) {
        CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_RenderQuality, kAudioUnitScope_Global, OUTPUT_ELEMENT,
                                   &quality, sizeof quality) == noErr);
        format.mSampleRate = 48000;
        CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, OUTPUT_ELEMENT, &format,
                                   sizeof format) == noErr);
    }
    if (has_input) {
        AudioStreamBasicDescription source;
        size = sizeof source;
        CHECK(AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, INPUT_ELEMENT, &source,
                                   &size) == noErr);
        format.mSampleRate = source.mSampleRate; /* that of the device */
        CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, INPUT_ELEMENT, &format,
                                   sizeof format) == noErr);
    }
    if (has_output) {
        size = sizeof stm->output_frames;
        CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Input, OUTPUT_ELEMENT,
                                   &stm->output_frames, size) == noErr);
        CHECK(AudioUnitGetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global,
                                   OUTPUT_ELEMENT, &stm->output_frames, &size) == noErr);
    }
    if (has_input) {
        AudioStreamBasicDescription source;
        CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Output, INPUT_ELEMENT,
                                   &stm->input_frames, sizeof stm->input_frames) == noErr);
        size = sizeof source;
        CHECK(AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, INPUT_ELEMENT, &source,
                                   &size) == noErr);
        CHECK(source.mSampleRate == format.mSampleRate); /* so that no converter is needed */
    }

    AURenderCallbackStruct callback = {io_proc, stm};
    CHECK(AudioUnitSetProperty(
              unit, has_output ? kAudioUnitProperty_SetRenderCallback : kAudioOutputUnitProperty_SetInputCallback,
              kAudioUnitScope_Output, has_output ? OUTPUT_ELEMENT : INPUT_ELEMENT, &callback, sizeof callback) == noErr);
    const SInt32 map[channels] = {0, 1};
    if (has_input)
        CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, INPUT_ELEMENT, map,
                                   sizeof map) == noErr);
    if (has_output)
        CHECK(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, OUTPUT_ELEMENT,
                                   map, sizeof map) == noErr);
    CHECK(AudioUnitInitialize(unit) == noErr);
    return unit;
}

/* Polls with one byte of the property, as much as a Boolean has. */
static void block_while_running(AudioUnit unit, AudioUnitElement element)
{
    Boolean is_running = 1;
    for (int i = 0; is_running && i < 50; i++) {
        UInt32 size = sizeof is_running;
        struct timespec pause = {0, 100000000};
        OSStatus status = AudioUnitGetProperty(unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, element,
                                               &is_running, &size);
        CHECK(status == noErr);
        if (status != noErr) return;
        nanosleep(&pause, NULL);
    }
    CHECK(!is_running);
}

static void stop_stream(stream *stm)
{
    stm->is_stopping = true;
    if (stm->input_unit == stm->output_unit) {
        CHECK(AudioOutputUnitStop(stm->input_unit) == noErr);
        block_while_running(stm->input_unit, 0);
        block_while_running(stm->input_unit, 1);
        CHECK(AudioUnitReset(stm->input_unit, kAudioUnitScope_Global, 1) == noErr);
        CHECK(AudioUnitReset(stm->input_unit, kAudioUnitScope_Global, 0) == noErr);
        return;
    }
    if (stm->input_unit) {
        CHECK(AudioOutputUnitStop(stm->input_unit) == noErr);
        block_while_running(stm->input_unit, 1);
        CHECK(AudioUnitReset(stm->input_unit, kAudioUnitScope_Global, 1) == noErr);
    }
    if (stm->output_unit) {
        CHECK(AudioOutputUnitStop(stm->output_unit) == noErr);
        block_while_running(stm->output_unit, 0);
        CHECK(AudioUnitReset(stm->output_unit, kAudioUnitScope_Global, 0) == noErr);
    }
}

static void close_unit(AudioUnit unit, AudioDeviceID device, AudioObjectPropertyScope scope, stream *stm)
{
    AudioObjectPropertyAddress overload = {kAudioDeviceProcessorOverload, scope, kAudioObjectPropertyElementMaster};
    CHECK(AudioObjectRemovePropertyListener(device, &overload, xrun, stm) == noErr);
    AudioUnitUninitialize(unit);
    AudioComponentInstanceDispose(unit);
}

int main(int argc, char **argv)
{
    static stream stm;
    if (argc != 3 || !(atof(argv[2]) > 0)) return 64;
    bool has_input = strcmp(argv[1], "output") != 0, has_output = strcmp(argv[1], "input") != 0;
    bool is_separate = strcmp(argv[1], "separate") == 0;
    double seconds = atof(argv[2]) / 2;
    struct timespec half = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};
    struct timespec moment = {0, 200000000};

    if (has_input) stm.input_device = default_device(kAudioHardwarePropertyDefaultInputDevice);
    if (has_output) stm.output_device = default_device(kAudioHardwarePropertyDefaultOutputDevice);
    if (has_input) stm.input_unit = open_unit(&stm, true, has_output && !is_separate);
    if (has_output) stm.output_unit = has_input && !is_separate ? stm.input_unit : open_unit(&stm, false, true);
    if (has_input) {
        stm.input_list.mNumberBuffers = 1;
        stm.input_list.mBuffers[0].mNumberChannels = channels;
        stm.input_list.mBuffers[0].mDataByteSize = stm.input_frames * channels * sizeof(float);
        stm.input_list.mBuffers[0].mData = calloc(stm.input_frames * channels, sizeof(float));
    }
    /* Twice: stopped by the client, then by the callback. */
    for (int round = 0; round < 2; round++) {
        stm.callback_stops = false;
        if (stm.input_unit) CHECK(AudioOutputUnitStart(stm.input_unit) == noErr);
        if (stm.output_unit && stm.output_unit != stm.input_unit)
            CHECK(AudioOutputUnitStart(stm.output_unit) == noErr);
        nanosleep(&half, NULL);
        if (round == 1) {
            stm.callback_stops = true;
            nanosleep(&moment, NULL);
        }
        stop_stream(&stm);
        CHECK(stm.has_stopped);
    }
    long played = stm.played, captured = stm.captured;
    nanosleep(&moment, NULL);
    CHECK(stm.played == played && stm.captured == captured); /* no callback comes after a stop */
    CHECK(stm.starts == stm.stops && stm.starts == (is_separate ? 4 : 2));
    if (stm.output_unit && stm.output_unit != stm.input_unit)
        close_unit(stm.output_unit, stm.output_device, kAudioDevicePropertyScopeOutput, &stm);
    if (stm.input_unit)
        close_unit(stm.input_unit, stm.output_unit == stm.input_unit ? stm.output_device : stm.input_device,
                   stm.output_unit == stm.input_unit ? kAudioDevicePropertyScopeOutput : kAudioDevicePropertyScopeInput,
                   &stm);
    if (has_input)
        printf("captured %ld frames, %.1f Hz, peak %.3f\n", captured, stm.crossings * 48000. / (double)captured,
               stm.peak);
    printf("%d failures\n", failures);
    free(stm.input_list.mBuffers[0].mData);
    return failures != 0;
}
