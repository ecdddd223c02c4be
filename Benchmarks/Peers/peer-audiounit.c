/* SPDX-License-Identifier: MIT */

/* The I/O units of this project, as installed.
 *
 * Each stream is a unit of its own with slices of --buffer-frames frames; two slices are its latency, whatever --buffers
 * is. The prediction is the host time that a callback gets. */
#include "PeerKit.h"

#include <AudioToolbox/AudioToolbox.h>
#include <AudioUnit/AudioUnit.h>
#include <CoreFoundation/CoreFoundation.h>
#include <stdio.h>

typedef struct {
    AudioUnit unit;
    peer_lane *output, *input;
} stream;

static const peer_options *options;
static stream streams[PEER_STREAMS_MAX];

static void check(OSStatus status, const char *what) {
    char why[32];
    if (status == noErr) return;
    snprintf(why, sizeof why, "error %d", (int)status);
    peer_fail(what, why);
}

static OSStatus on_output(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                          UInt32 frames, AudioBufferList *list) {
    stream *one = user;
    int64_t entry = peer_now();
    (void)flags;
    (void)bus;
    peer_play(one->output, entry, (int64_t)AudioConvertHostTimeToNanos(time->mHostTime) - entry,
              list->mBuffers[0].mData, frames);
    return noErr;
}

static OSStatus on_input(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                         UInt32 frames, AudioBufferList *unused) {
    stream *one = user;
    int64_t entry = peer_now();
    AudioBufferList list = {1, {{(UInt32)options->channels, 0, NULL}}};
    (void)unused;
    if (AudioUnitRender(one->unit, flags, time, bus, frames, &list) != noErr) return noErr;
    peer_record(one->input, entry, entry - (int64_t)AudioConvertHostTimeToNanos(time->mHostTime),
                list.mBuffers[0].mData, frames);
    return noErr;
}

static void set(AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
                const void *value, UInt32 size) {
    check(AudioUnitSetProperty(unit, property, scope, element, value, size), "cannot set a property");
}

/* Selects a device by its name, which is its UID. */
static void choose_device(AudioUnit unit, const char *name) {
    if (name == NULL) return;
    CFStringRef uid = CFStringCreateWithCString(NULL, name, kCFStringEncodingUTF8);
    AudioObjectPropertyAddress address = {kAudioHardwarePropertyTranslateUIDToDevice, kAudioObjectPropertyScopeGlobal,
                                          kAudioObjectPropertyElementMain};
    AudioObjectID device = kAudioObjectUnknown;
    UInt32 size = sizeof device;
    check(AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, sizeof uid, &uid, &size, &device), name);
    CFRelease(uid);
    set(unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &device, sizeof device);
}

static void make_stream(AudioComponent component, int index) {
    stream *one = &streams[index];
    UInt32 frame_bytes = (UInt32)options->channels * sizeof(float);
    AudioStreamBasicDescription format = {
        .mSampleRate = options->rate, .mFormatID = kAudioFormatLinearPCM,
        .mFormatFlags = kAudioFormatFlagsNativeFloatPacked, .mBytesPerPacket = frame_bytes, .mFramesPerPacket = 1,
        .mBytesPerFrame = frame_bytes, .mChannelsPerFrame = (UInt32)options->channels, .mBitsPerChannel = 32};
    UInt32 plays = (options->mode & PEER_OUTPUT) != 0, records = (options->mode & PEER_INPUT) != 0;
    UInt32 frames = (UInt32)options->buffer_frames;
    AURenderCallbackStruct output = {on_output, one}, input = {on_input, one};
    check(AudioComponentInstanceNew(component, &one->unit), "cannot make a unit");
    set(one->unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, &plays, sizeof plays);
    set(one->unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &records, sizeof records);
    if (plays) choose_device(one->unit, peer_sink_of(index));
    if (records) choose_device(one->unit, options->source);
    set(one->unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames, sizeof frames);
    set(one->unit, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, 0, &frames, sizeof frames);
    set(one->unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format);
    set(one->unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &format, sizeof format);
    if (plays) {
        one->output = peer_lane_of(index, PEER_OUTPUT);
        set(one->unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &output, sizeof output);
    }
    if (records) {
        one->input = peer_lane_of(index, PEER_INPUT);
        set(one->unit, kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, &input, sizeof input);
    }
    check(AudioUnitInitialize(one->unit), "cannot initialize");
}

static bool start_all(void *unused) {
    (void)unused;
    for (int index = 0; index < options->streams; index++)
        if (AudioOutputUnitStart(streams[index].unit) != noErr) return false;
    return true;
}

static bool stop_all(void *unused) {
    (void)unused;
    for (int index = 0; index < options->streams; index++)
        if (AudioOutputUnitStop(streams[index].unit) != noErr) return false;
    return true;
}

int main(int argc, char **argv) {
    AudioComponentDescription wanted = {kAudioUnitType_Output, kAudioUnitSubType_HALOutput,
                                        kAudioUnitManufacturer_Apple, 0, 0};
    options = peer_begin("peer-audiounit", PEER_ASKS_PERIOD, PEER_DUPLEX, PEER_STREAMS_MAX, argc, argv);
    peer_note("version", "main");
    peer_note("prediction", "AudioTimeStamp.mHostTime");
    peer_event("create");
    AudioComponent component = AudioComponentFindNext(NULL, &wanted);
    for (int index = 0; index < options->streams; index++) make_stream(component, index);
    peer_event("created");
    peer_start();
    if (!start_all(NULL)) peer_fail("cannot start", "the unit refused");
    peer_event("started");
    peer_wait(stop_all, start_all, NULL);
    peer_event("stop");
    stop_all(NULL);
    peer_stopped();
    for (int index = 0; index < options->streams; index++) AudioComponentInstanceDispose(streams[index].unit);
    return peer_end();
}
