/* SPDX-License-Identifier: MIT */

/* The C functions of this project, as installed.
 *
 * Each stream is a queue with --buffers buffers of --buffer-frames frames; its callback runs on a thread of the queue.
 * If the buffers together last less than 200 ms, the server holds no audio in addition. The prediction is computed from
 * AudioQueueGetCurrentTime. */
#include "PeerKit.h"

#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>

typedef struct {
    AudioQueueRef queue;
    peer_lane *lane;
} stream;

static const peer_options *options;
static stream streams[PEER_STREAMS_MAX];

static void check(OSStatus status, const char *what) {
    char why[32];
    if (status == noErr) return;
    snprintf(why, sizeof why, "error %d", (int)status);
    peer_fail(what, why);
}

/* Returns the time from `entry` until the lane's next frame is audible, in nanoseconds. */
static int64_t ahead(const stream *one, int64_t entry) {
    AudioTimeStamp time;
    if (AudioQueueGetCurrentTime(one->queue, NULL, &time, NULL) != noErr) return PEER_UNKNOWN;
    double frames = (double)peer_lane_frame(one->lane) - time.mSampleTime;
    return (int64_t)AudioConvertHostTimeToNanos(time.mHostTime) - entry + (int64_t)(frames * 1e9 / options->rate);
}

static void fill(stream *one, AudioQueueBufferRef buffer) {
    int64_t entry = peer_now();
    size_t frame_bytes = (size_t)options->channels * sizeof(float);
    peer_play(one->lane, entry, ahead(one, entry), buffer->mAudioData, buffer->mAudioDataBytesCapacity / frame_bytes);
    buffer->mAudioDataByteSize = buffer->mAudioDataBytesCapacity;
}

static void on_output(void *user, AudioQueueRef queue, AudioQueueBufferRef buffer) {
    fill(user, buffer);
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL); /* fails while the queue stops */
}

static void on_input(void *user, AudioQueueRef queue, AudioQueueBufferRef buffer, const AudioTimeStamp *start,
                     UInt32 packets, const AudioStreamPacketDescription *descriptions) {
    stream *one = user;
    int64_t entry = peer_now();
    int64_t age = start->mFlags & kAudioTimeStampHostTimeValid
                      ? entry - (int64_t)AudioConvertHostTimeToNanos(start->mHostTime) : PEER_UNKNOWN;
    (void)descriptions;
    peer_record(one->lane, entry, age, buffer->mAudioData, packets);
    AudioQueueEnqueueBuffer(queue, buffer, 0, NULL);
}

static void choose_device(AudioQueueRef queue, const char *name) {
    if (name == NULL) return;
    CFStringRef device = CFStringCreateWithCString(NULL, name, kCFStringEncodingUTF8);
    check(AudioQueueSetProperty(queue, kAudioQueueProperty_CurrentDevice, &device, sizeof device), name);
    CFRelease(device);
}

static void make_stream(int index) {
    stream *one = &streams[index];
    UInt32 frame_bytes = (UInt32)options->channels * sizeof(float);
    AudioStreamBasicDescription format = {
        .mSampleRate = options->rate, .mFormatID = kAudioFormatLinearPCM,
        .mFormatFlags = kAudioFormatFlagsNativeFloatPacked, .mBytesPerPacket = frame_bytes, .mFramesPerPacket = 1,
        .mBytesPerFrame = frame_bytes, .mChannelsPerFrame = (UInt32)options->channels, .mBitsPerChannel = 32};
    bool plays = options->mode == PEER_OUTPUT;
    one->lane = peer_lane_of(index, options->mode);
    check(plays ? AudioQueueNewOutput(&format, on_output, one, NULL, NULL, 0, &one->queue)
                : AudioQueueNewInput(&format, on_input, one, NULL, NULL, 0, &one->queue),
          "cannot make a queue");
    choose_device(one->queue, plays ? peer_sink_of(index) : options->source);
    for (int count = 0; count < options->buffers; count++) {
        AudioQueueBufferRef buffer;
        check(AudioQueueAllocateBuffer(one->queue, (UInt32)options->buffer_frames * frame_bytes, &buffer),
              "cannot make a buffer");
        if (plays) fill(one, buffer);
        check(AudioQueueEnqueueBuffer(one->queue, buffer, 0, NULL), "cannot enqueue");
    }
    if (plays) check(AudioQueuePrime(one->queue, 0, NULL), "cannot prime");
}

static bool start_all(void *unused) {
    (void)unused;
    for (int index = 0; index < options->streams; index++)
        if (AudioQueueStart(streams[index].queue, NULL) != noErr) return false;
    return true;
}

static bool pause_all(void *unused) {
    (void)unused;
    for (int index = 0; index < options->streams; index++)
        if (AudioQueuePause(streams[index].queue) != noErr) return false;
    return true;
}

int main(int argc, char **argv) {
    options = peer_begin("peer-audiotoolbox", PEER_ASKS_BOTH, PEER_OUTPUT | PEER_INPUT, PEER_STREAMS_MAX, argc, argv);
    if (options->mode == PEER_DUPLEX) peer_fail("cannot do both at once", "a queue has one direction");
    peer_note("version", "main");
    peer_note("prediction", "AudioQueueGetCurrentTime, AudioTimeStamp.mHostTime");
    peer_event("create");
    for (int index = 0; index < options->streams; index++) make_stream(index);
    peer_event("created");
    peer_start();
    if (!start_all(NULL)) peer_fail("cannot start", "the library refused");
    peer_event("started");
    peer_wait(pause_all, start_all, NULL);
    peer_event("stop");
    for (int index = 0; index < options->streams; index++) AudioQueueStop(streams[index].queue, true);
    peer_stopped();
    for (int index = 0; index < options->streams; index++) AudioQueueDispose(streams[index].queue, true);
    return peer_end();
}
